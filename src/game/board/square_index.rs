//! One square of a board.

use std::fmt;

/// A square by its index, `rank * columns + file`, below 400. Which file and rank that is, only a
/// [`Board`](super::Board) can tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SquareIndex(u16);

impl SquareIndex {
    /// The square with the given index.
    ///
    /// # Panics
    /// In debug builds, if the index is 512 or more.
    #[inline(always)]
    pub const fn new(index: u16) -> Self {
        debug_assert!(index < 512);
        Self(index)
    }

    /// Its index, also its bit in a bitboard.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for SquareIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}
