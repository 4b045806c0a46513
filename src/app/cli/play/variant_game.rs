//! The other games of the family, played from their rules alone.

use std::time::Instant;

use super::super::variants::drawing;
use super::super::{Failure, OrFail};
use super::game::{Choice, Game, Thought};
use crate::game::board::{Board, BoardError, SquareIndex};
use crate::game::notation::Symbols;
use crate::game::rules::Colour;
use crate::game::variants::{RuleSet, State, VariantPosition, VariantRules, variant_fen};
use crate::machine::progress::StopFlag;
use crate::play::{Limits, VariantEngine};

/// A game of the family on one board. A move is that of one amazon; the user may join those of a
/// turn by `+`.
pub(super) struct VariantGame {
    rules: VariantRules<u128>,
    player: VariantEngine,
    limits: Limits,
}

impl VariantGame {
    /// A game whose player remembers proofs in at most `memory` bytes.
    ///
    /// # Errors
    /// If the board does not fit 128 bits; no board is that large.
    pub(super) fn new(
        board: Board,
        rules: RuleSet,
        memory: u64,
        limits: Limits,
    ) -> Result<Self, BoardError> {
        let player = VariantEngine::new(board, rules, memory, StopFlag::new())?;
        Ok(Self { rules: VariantRules::new(board, rules)?, player, limits })
    }

    fn state(position: &VariantPosition) -> State<u128> {
        position.state().expect("every board fits 128 bits")
    }
}

impl Game for VariantGame {
    type Position = VariantPosition;

    fn board(&self, position: &VariantPosition) -> Board {
        position.board()
    }

    fn turn(&self, position: &VariantPosition) -> Colour {
        position.turn()
    }

    fn fen(&self, position: &VariantPosition) -> String {
        variant_fen(position)
    }

    fn diagram(&self, position: &VariantPosition) -> String {
        drawing(position, Symbols::Ascii)
    }

    fn moves(&self, position: &VariantPosition, from: Option<SquareIndex>) -> Vec<String> {
        let all = self.rules.moves(&Self::state(position)).into_iter();
        let wanted = all.filter(|played| from.is_none_or(|from| played.from == from));
        wanted.map(|played| played.text(position.board())).collect()
    }

    fn can_move(&self, position: &VariantPosition) -> bool {
        self.rules.can_move(&Self::state(position))
    }

    fn play(
        &self,
        position: &VariantPosition,
        text: &str,
    ) -> Result<(String, VariantPosition), String> {
        let after = position.play_text(text).map_err(|error| error.to_string())?;
        Ok((text.to_string(), after))
    }

    fn choose(&mut self, position: &VariantPosition) -> Result<Choice, Failure> {
        let began = Instant::now();
        let decision = self.player.choose(position, &self.limits).or_failed()?;
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
