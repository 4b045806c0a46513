//! The error of who is asked about a position of another board.

use super::Board;

/// A question about a position of a board that is not the one answers are for. Two boards may have
/// equally many squares, so that the position alone would not show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the position is on {asked}, expected one on {holds}")]
#[non_exhaustive]
pub struct OtherBoard {
    /// The board that answers are for.
    pub holds: Board,
    /// The board that was asked about.
    pub asked: Board,
}

impl OtherBoard {
    /// Whether a position of `asked` can be asked of what holds `holds`.
    ///
    /// # Errors
    /// If the boards differ.
    pub fn check(holds: Board, asked: Board) -> Result<(), Self> {
        if holds == asked { Ok(()) } else { Err(Self { holds, asked }) }
    }
}
