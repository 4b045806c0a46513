//! Why something is no record of games.

use super::super::sgf::{CharsetError, SgfError, SyntaxError};
use super::super::{FenError, RowsError};
use super::place::RecordPlace;
use crate::game::PlayError;
use crate::game::board::BoardError;
use crate::game::rules::{Colour, IllegalSetup, StartError};

/// Why some bytes are not games of Amazons.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// Nothing to read.
    #[error("expected a game: SGF, GGF, or moves such as \"10x10 d1-d6/g9\"; found nothing")]
    Empty,
    /// Bytes that are not text.
    #[error(transparent)]
    Charset(#[from] CharsetError),
    /// SGF that is no game of Amazons.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// No position to begin with.
    #[error("{place}: {error}")]
    Start {
        /// Where the position stands.
        place: RecordPlace,
        /// What is wrong with it.
        error: StartFault,
    },
    /// Something else than what must come.
    #[error("{place}: expected {expected}, found {found}")]
    Unexpected {
        /// Where it stands.
        place: RecordPlace,
        /// What could stand there.
        expected: String,
        /// What does.
        found: String,
    },
    /// A move that cannot be played.
    #[error("{place}, move {number}, {colour}: {error}")]
    Move {
        /// Where it stands.
        place: RecordPlace,
        /// Which move of its game it is, from 1.
        number: usize,
        /// Who plays it.
        colour: Colour,
        /// Why not.
        error: PlayError,
    },
    /// More positions than are read.
    #[error("{place}: more than {most} positions")]
    TooLong {
        /// Where the first of the others is.
        place: RecordPlace,
        /// How many are read.
        most: usize,
    },
}

impl RecordError {
    /// Whether the record has more positions than are read.
    pub fn is_too_long(&self) -> bool {
        let syntax =
            |error: &SgfError| matches!(error, SgfError::Syntax(SyntaxError::TooLong { .. }));
        match self {
            Self::TooLong { .. } => true,
            Self::Sgf(error) => syntax(error),
            _ => false,
        }
    }
}

/// Why a record has no position to begin with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartFault {
    /// A bad FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A bad board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A board without a start position.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Bad rows of squares.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// Rows that make no position.
    #[error(transparent)]
    Illegal(#[from] IllegalSetup),
    /// Rows without a side to move.
    #[error("after the rows: expected the side to move, \"w\" (o) or \"b\" (x), found {0}")]
    Side(String),
}
