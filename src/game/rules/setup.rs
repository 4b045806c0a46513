//! Squares with colours, unchecked: what a [`Position`](super::Position) is made from.

use std::fmt;

use crate::game::board::{Bitboard, Board, U512};

/// A side. White moves first from a start position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Colour {
    /// White, who moves first; `Q` in FEN.
    White,
    /// Black; `q` in FEN.
    Black,
}

impl Colour {
    /// The other side.
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

/// Squares as somebody wrote them down; nothing is known of them yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The board.
    pub board: Board,
    /// White's amazons.
    pub white: Bitboard<U512>,
    /// Black's amazons.
    pub black: Bitboard<U512>,
    /// Burned squares.
    pub arrows: Bitboard<U512>,
    /// The side to move.
    pub turn: Colour,
}

/// One reason why a [`Setup`] is not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// There is no amazon at all.
    #[error("there is no amazon on the board")]
    NoAmazon,
    /// A square is not on the board.
    #[error("{count} of its squares are not on {board}")]
    OffBoard {
        /// How many.
        count: usize,
        /// The board.
        board: Board,
    },
    /// A square has amazons of both colours.
    #[error("{0} squares hold both a white and a black amazon")]
    TwoColours(usize),
    /// An amazon stands on a burned square.
    #[error("{0} amazons stand on burned squares")]
    Burned(usize),
}

/// Every reason why a [`Setup`] is not a position; never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a legal position: {}", join(.0))]
#[non_exhaustive]
pub struct IllegalSetup(pub Vec<Flaw>);

fn join(flaws: &[Flaw]) -> String {
    flaws.iter().map(Flaw::to_string).collect::<Vec<_>>().join("; ")
}
