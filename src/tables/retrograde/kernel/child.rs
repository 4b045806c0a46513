//! The blocks that a block is solved from, and where their rows are read.

/// A finished block of the tier below, as it is stored.
#[derive(Clone, Copy, Debug)]
pub struct Child<'a> {
    /// The block, with [`SLACK`](crate::tables::retrograde::SLACK) bytes that may be read behind
    /// it.
    pub block: &'a [u8],
    /// The symmetry that takes the child's arrow set to the stored one.
    pub symmetry: usize,
}

/// Where the rows of one child are.
#[derive(Debug)]
pub(super) struct ChildRows<M> {
    /// The next row, for a child stored as it is.
    pub(super) at: *const u8,
    pub(super) block: *const u8,
    /// The free squares of the child as stored.
    pub(super) free: M,
    pub(super) symmetry: usize,
    /// The symmetry that undoes it.
    pub(super) back: usize,
    /// The child's arrow.
    pub(super) square: u8,
}
