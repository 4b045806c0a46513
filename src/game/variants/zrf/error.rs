//! What is wrong with a rules file.

use crate::game::board::{Board, BoardError};
use crate::game::notation::record::Place;
use crate::game::rules::IllegalSetup;
use crate::game::variants::rule_set::RuleSet;

/// Why some text is no rules file with start positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ZrfError {
    /// A bracket or a quotation mark that nothing closes.
    #[error("{0}: expected what closes this bracket or quotation mark, found the end")]
    Open(Place),
    /// A bracket that closes nothing.
    #[error("{0}: expected no closing bracket here")]
    Stray(Place),
    /// Brackets within too many others.
    #[error("{place}: too many brackets within each other")]
    TooDeep {
        /// Where one too many is.
        place: Place,
    },
    /// No game.
    #[error("expected a rules file with (game ...), found none")]
    NoGame,
    /// A part that every game needs.
    #[error("{title}: expected ({part} ...), found none")]
    Missing {
        /// The game or the variant.
        title: String,
        /// The part.
        part: &'static str,
    },
    /// A grid of a size that no board has.
    #[error("{title}: {error}")]
    Board {
        /// The game or the variant.
        title: String,
        /// Why not.
        error: BoardError,
    },
    /// A piece where it cannot stand.
    #[error("{title}: expected a square of {board} for {piece}, found {found}")]
    Square {
        /// The game or the variant.
        title: String,
        /// Its board.
        board: Board,
        /// The piece.
        piece: String,
        /// The word.
        found: String,
    },
    /// Pieces that make no position.
    #[error("{title}: {error}")]
    Illegal {
        /// The game or the variant.
        title: String,
        /// Why not.
        error: IllegalSetup,
    },
    /// Walls where the rules have none.
    #[error("{title}: {rules} has no walls")]
    Walls {
        /// The game or the variant.
        title: String,
        /// The rules.
        rules: RuleSet,
    },
}
