//! A position of any game of the family, chosen at run time.
//!
//! Amazons has generators, tables and bounds of its own, so its positions are of another type than
//! those of the other games. What every game has, such as a side to move, moves as text and a
//! diagram, is here once for all of them.

use super::board::Board;
use super::notation::{FenError, fen, move_text, parse_fen, play_text};
use super::variants::{
    RuleSet, VariantFenError, VariantPlayError, VariantPosition, parse_variant_fen, variant_fen,
};
use super::{PlayError, Position};

/// A position of Amazons, which solvers and tables of its own know, or of another game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnyPosition {
    /// Of Amazons.
    Amazons(Position),
    /// Of another game.
    Variant(VariantPosition),
}

/// Why text is no position of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Of Amazons.
    #[error(transparent)]
    Amazons(#[from] FenError),
    /// Of another game.
    #[error(transparent)]
    Variant(#[from] VariantFenError),
}

/// Why text is no move that can be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayTextError {
    /// Of Amazons.
    #[error(transparent)]
    Amazons(#[from] PlayError),
    /// Of another game.
    #[error(transparent)]
    Variant(#[from] VariantPlayError),
}

impl AnyPosition {
    /// Reads a position by these rules; without any by those of Amazons.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(text: &str, rules: Option<RuleSet>) -> Result<Self, ReadError> {
        Ok(match rules {
            None => Self::Amazons(parse_fen(text)?),
            Some(rules) => Self::Variant(parse_variant_fen(text, rules)?),
        })
    }

    /// Plays one move of one amazon: its text, and the position after it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn play(&self, text: &str) -> Result<(String, Self), PlayTextError> {
        Ok(match self {
            Self::Amazons(at) => {
                let (played, after) = play_text(at, text)?;
                (move_text(at.board(), played), Self::Amazons(after))
            }
            Self::Variant(at) => {
                let played = at.parse_move(text)?;
                (played.text(at.board()), Self::Variant(at.play(played)?))
            }
        })
    }

    /// As FEN.
    pub fn fen(&self) -> String {
        match self {
            Self::Amazons(position) => fen(position),
            Self::Variant(position) => variant_fen(position),
        }
    }

    /// The squares and the side to move.
    pub fn squares(&self) -> &Position {
        match self {
            Self::Amazons(position) => position,
            Self::Variant(position) => position.position(),
        }
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.squares().board()
    }
}
