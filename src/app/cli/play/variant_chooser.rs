//! The program's moves in the other games of the family: those of an engine that knows nothing but
//! their rules.

use std::time::Instant;

use super::super::{Failure, OrFail};
use super::chooser::{Choice, Chooser, Thought};
use crate::game::AnyPosition;
use crate::game::board::{Board, BoardError};
use crate::game::variants::{RuleSet, VariantPosition};
use crate::machine::progress::StopFlag;
use crate::play::{Limits, VariantEngine};

/// An engine of one game of the family on one board, with its limits. A move is that of one amazon.
pub(super) struct VariantChooser {
    engine: VariantEngine,
    limits: Limits,
}

impl VariantChooser {
    /// A chooser that remembers proofs in at most `memory` bytes.
    ///
    /// # Errors
    /// If the board fits no word; no board is that large.
    pub(super) fn new(
        board: Board,
        rules: RuleSet,
        memory: u64,
        limits: Limits,
    ) -> Result<Self, BoardError> {
        Ok(Self { engine: VariantEngine::new(board, rules, memory, StopFlag::new())?, limits })
    }
}

impl Chooser for VariantChooser {
    fn choose(&mut self, position: &AnyPosition) -> Result<Choice, Failure> {
        let began = Instant::now();
        let position = VariantPosition::from(*position);
        let decision = self.engine.choose(&position, &self.limits).or_failed()?;
        let thought = Thought {
            score: decision.score.to_string(),
            source: decision.source.word(),
            depth: decision.depth,
            nodes: decision.nodes,
            seconds: began.elapsed().as_secs_f64(),
        };
        let played = decision.played.map(|played| played.text(position.board()));
        Ok(Choice { played, thought })
    }
}
