//! A position that is not one of a solver's.

use crate::game::board::OtherBoard;

/// A position that a solver does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignPosition {
    /// It is of another board.
    #[error(transparent)]
    Board(#[from] OtherBoard),
    /// It does not come from the position that the solver was made for.
    #[error("squares take part that were burned in the position that the search is about")]
    Ground,
}
