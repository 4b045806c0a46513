//! The program's moves in the other games of the family: those that are known to win, else those of
//! an engine that knows nothing but their rules.

use std::time::Instant;

use super::super::{Failure, OrFail};
use super::chooser::{Choice, Chooser, Thought};
use crate::game::board::{Board, BoardError};
use crate::game::variants::{RuleSet, SingleMove, VariantPosition};
use crate::game::{AnyPosition, Outcome};
use crate::knowledge::Knowledge;
use crate::machine::progress::StopFlag;
use crate::play::{Limits, MoveSource, VariantEngine};

/// An engine of one game of the family on one board, with its limits. A move is that of one amazon.
pub(super) struct VariantChooser {
    engine: VariantEngine,
    limits: Limits,
    known: Option<Knowledge>,
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
        let engine = VariantEngine::new(board, rules, memory, StopFlag::new())?;
        Ok(Self { engine, limits, known: None })
    }

    /// The same, which plays a move that is known to win where there is one.
    pub(super) fn with_known(self, knowledge: Knowledge) -> Self {
        Self { known: Some(knowledge), ..self }
    }

    /// A move that is known to win, one of those that leave the fewest moves.
    fn known_win(&self, position: &VariantPosition) -> Result<Option<SingleMove>, Failure> {
        let Some(knowledge) = &self.known else { return Ok(None) };
        let finding = knowledge.by_other_rules(position).or_failed()?;
        let moves = |played: &SingleMove| position.play(*played).map(|after| after.moves().len());
        let wins = finding.of_value(Some(Outcome::Win));
        Ok(wins.min_by_key(|played| moves(played).unwrap_or(usize::MAX)))
    }
}

impl Chooser for VariantChooser {
    fn choose(&mut self, position: &AnyPosition) -> Result<Choice, Failure> {
        let began = Instant::now();
        let position = VariantPosition::from(*position);
        if let Some(played) = self.known_win(&position)? {
            let thought = Thought {
                score: Outcome::Win.to_string(),
                source: MoveSource::Known.word(),
                depth: 0,
                nodes: 0,
                seconds: began.elapsed().as_secs_f64(),
            };
            return Ok(Choice { played: Some(played.text(position.board())), thought });
        }
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
