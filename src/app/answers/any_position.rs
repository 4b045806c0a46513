//! A position of any game of the family.

use super::query::Step;
use super::refusal::Refusal;
use crate::game::board::Board;
use crate::game::notation::{fen, move_text, parse_fen, play_text};
use crate::game::rules::Position;
use crate::game::variants::{RuleSet, VariantPosition, parse_variant_fen, variant_fen};

/// A position of Amazons, which solvers and tables of its own know, or of another game.
#[derive(Clone, Copy, Debug)]
pub enum AnyPosition {
    /// Of Amazons.
    Amazons(Position),
    /// Of another game.
    Variant(VariantPosition),
}

impl AnyPosition {
    /// Reads a position by these rules; without any by those of Amazons.
    pub(crate) fn read(text: &str, rules: Option<RuleSet>) -> Result<Self, Refusal> {
        let bad = |error: &dyn std::error::Error| Refusal::bad("bad_fen", error.to_string());
        match rules {
            None => parse_fen(text).map(Self::Amazons).map_err(|error| bad(&error)),
            Some(rules) => {
                parse_variant_fen(text, rules).map(Self::Variant).map_err(|error| bad(&error))
            }
        }
    }

    /// Plays a move, or the moves of a turn that are joined by `+`; adds each to `steps`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn play(self, text: &str, steps: &mut Vec<Step>) -> Result<Self, String> {
        let mut at = self;
        let singles = match self {
            Self::Amazons(_) => vec![text],
            Self::Variant(_) => text.split('+').collect(),
        };
        for single in singles {
            let (played, after) = at.play_single(single)?;
            steps.push(Step { played, position: after.fen() });
            at = after;
        }
        Ok(at)
    }

    fn play_single(&self, text: &str) -> Result<(String, Self), String> {
        match self {
            Self::Amazons(at) => {
                let (played, after) = play_text(at, text).map_err(|error| error.to_string())?;
                Ok((move_text(at.board(), played), Self::Amazons(after)))
            }
            Self::Variant(at) => {
                let played = at.parse_move(text).map_err(|error| error.to_string())?;
                let after = at.play(played).map_err(|error| error.to_string())?;
                Ok((played.text(at.board()), Self::Variant(after)))
            }
        }
    }

    /// As FEN.
    pub(crate) fn fen(&self) -> String {
        match self {
            Self::Amazons(position) => fen(position),
            Self::Variant(position) => variant_fen(position),
        }
    }

    /// The squares and the side to move.
    pub(crate) fn squares(&self) -> &Position {
        match self {
            Self::Amazons(position) => position,
            Self::Variant(position) => position.position(),
        }
    }

    /// The board.
    pub(crate) fn board(&self) -> Board {
        self.squares().board()
    }
}
