//! What a thread works with while it solves one block.

use super::board_tables::BoardTables;
use super::child::{Child, ChildRows};
use super::clear_pairs::ClearPairs;
use crate::tables::counting::Mask;
use crate::tables::retrograde::lines::{Lines, free_squares};
use crate::tables::retrograde::permute::PermuteWorkspace;

/// Memory that one thread works in, reused from arrow set to arrow set.
#[derive(Debug, Default)]
pub struct Workspace<M> {
    pub(super) lines: Lines,
    pub(super) pairs: ClearPairs,
    pub(super) vectors: Vec<u64>,
    /// Losses and shots where the mover has one amazon less.
    pub(super) own_vectors: Vec<u64>,
    /// For each placement of the opponent and each of its amazons, where it is won to take that.
    pub(super) taken: Vec<u64>,
    pub(super) valid: Vec<u64>,
    pub(super) tiles: Vec<u64>,
    pub(super) band: Vec<u64>,
    /// A row of a block with the other side to move, spread over all columns.
    pub(super) spent_row: Vec<u64>,
    pub(super) permuted: Vec<Vec<u8>>,
    /// The wins of all placements of the opponent, and those from one square of one of them.
    pub(super) wins: Vec<u64>,
    pub(super) won: Vec<u64>,
    pub(super) permute: PermuteWorkspace<M>,
    pub(super) rows: Vec<ChildRows<M>>,
}

impl<M: Mask> Workspace<M> {
    /// The free squares over an arrow set, and the lines that it leaves clear; they are to be put
    /// back.
    pub(super) fn take_lines(&mut self, tables: &BoardTables<M>, arrows: M) -> (M, Lines) {
        let free = free_squares(tables.board, arrows);
        let mut lines = std::mem::take(&mut self.lines);
        lines.clear_of(&tables.pairs, arrows, free);
        (free, lines)
    }

    /// Makes room for so many permuted children.
    pub(super) fn make_room_to_permute(&mut self, children: usize) {
        self.permuted.resize_with(children, Vec::new);
    }
}

/// A block to be solved, with arguments that [`TierKernel::solve`](super::TierKernel::solve) has
/// checked.
pub(super) struct BlockJob<'a, M> {
    pub(super) arrows: M,
    pub(super) children: &'a [Child<'a>],
    /// The block of the same arrow set with the other side to move, where the mover may spend a
    /// spare move.
    pub(super) spent: Option<&'a [u8]>,
    pub(super) out: &'a mut [u8],
    pub(super) work: &'a mut Workspace<M>,
}
