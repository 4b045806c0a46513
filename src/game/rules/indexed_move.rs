//! A move, and why one may not be legal.

use crate::game::board::{SquareIndex, Symmetry};

/// A move: the amazon on `from` steps to `to` and burns `arrow`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IndexedMove {
    /// Where the amazon stood.
    pub from: SquareIndex,
    /// Where it stands now.
    pub to: SquareIndex,
    /// The square it burned.
    pub arrow: SquareIndex,
}

impl IndexedMove {
    /// The image of the move under a symmetry of its board.
    pub(crate) fn mapped(self, symmetry: &Symmetry) -> Self {
        let [from, to, arrow] = [self.from, self.to, self.arrow].map(|at| symmetry.square(at));
        Self { from, to, arrow }
    }
}

/// Why a move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// A square of the move is not on the board.
    #[error("a square of the move is not on the board")]
    OffBoard,
    /// No amazon of the mover stands on the first square.
    #[error("no amazon of the side to move stands on the first square")]
    NoAmazon,
    /// The step is not along a clear queen line.
    #[error("the step is not a queen move over empty squares")]
    Step,
    /// The shot is not along a clear queen line.
    #[error("the shot is not a queen move over empty squares")]
    Shot,
}
