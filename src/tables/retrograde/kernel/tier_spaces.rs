//! What all kernels know of a tier, and how its blocks are written.

use std::sync::Arc;

use super::board_tables::BoardTables;
use super::workspace::Workspace;
use crate::machine::isa::{InstructionSet, Isa};
use crate::tables::counting::Mask;
use crate::tables::retrograde::pack::{pack_row, unpack_row};
use crate::tables::retrograde::space::Space;

/// The placements of a tier, and the lengths of its rows and its children's.
#[derive(Debug)]
pub(super) struct TierSpaces<M: Mask> {
    pub(super) tables: Arc<BoardTables<M>>,
    pub(super) isa: InstructionSet,
    /// Placements of the mover and of the opponent on the n free squares.
    pub(super) movers: Space,
    pub(super) opponents: Space,
    pub(super) mover_sets: Vec<M>,
    pub(super) opponent_sets: Vec<M>,
    pub(super) row_bytes: usize,
    pub(super) child_row_bytes: usize,
    /// Bytes of a row of a block with the other side to move.
    pub(super) spent_row_bytes: usize,
}

impl<M: Mask> TierSpaces<M> {
    /// Makes room for the tiles of a block, each with `64 * movers.words` words for every 64
    /// placements of the opponent.
    pub(super) fn make_room(&self, work: &mut Workspace<M>) {
        work.valid.resize(self.movers.width.max(self.opponents.width), 0);
        work.tiles.resize(self.opponents.words * self.movers.words * 64, 0);
    }

    /// Where the tiles have the first word of the row of an opponent's placement, by its rank.
    #[inline(always)]
    pub(super) fn tile_of(&self, index: usize) -> usize {
        index / 64 * self.movers.words * 64 + index % 64
    }

    /// Makes wins, in the tiles, of the positions where the opponent, to move, loses by `spent`:
    /// the block of the same arrow set with the other side to move.
    ///
    /// # Safety
    /// `work.tiles` has a row for each placement of the opponent, and so has `spent`, and [`SLACK`]
    /// bytes more.
    #[inline(always)]
    unsafe fn win_by_spending(&self, isa: impl Isa, spent: &[u8], work: &mut Workspace<M>) {
        let words = self.movers.words;
        let Workspace { valid, tiles, spent_row, .. } = work;
        spent_row.resize(words * 64, 0);
        for (index, &opponent) in self.opponent_sets.iter().enumerate() {
            self.movers.disjoint(opponent, valid);
            let tile = &mut tiles[self.tile_of(index)..];
            // SAFETY: there is a row for each placement of the opponent, with the columns that it
            // leaves the mover. The row that is spread has 64 words for each word of a column.
            unsafe {
                let row = spent.as_ptr().add(index * self.spent_row_bytes);
                unpack_row(isa, row, &valid[..words], spent_row.as_mut_ptr());
            }
            for (word, &mask) in valid[..words].iter().enumerate() {
                tile[64 * word] |= !spent_row[64 * word] & mask;
            }
        }
    }

    /// Transposes the tiles (rows O, columns M) and packs the rows M. Where spending a spare move
    /// wins, as `spent` has it, is added before.
    ///
    /// # Safety
    /// `work.tiles` has a row for each placement of the opponent; `out` has the bytes of the block
    /// and [`SLACK`] more, and so has `spent`, which is a block with the other side to move.
    #[inline(always)]
    pub(super) unsafe fn write_rows(
        &self,
        isa: impl Isa,
        out: &mut [u8],
        spent: Option<&[u8]>,
        work: &mut Workspace<M>,
    ) -> u64 {
        if let Some(spent) = spent {
            // SAFETY: both are what the caller promises.
            unsafe { self.win_by_spending(isa, spent, work) };
        }
        let (bands, columns) = (self.opponents.words, self.movers.words);
        work.band.resize(bands * 64, 0);
        let mut wins = 0;
        for (column, movers) in self.mover_sets.chunks(64).enumerate() {
            for band in 0..bands {
                let tile = &work.tiles[(band * columns + column) * 64..][..64];
                let transposed: &mut [u64; 64] =
                    (&mut work.band[band * 64..][..64]).try_into().expect("64 words");
                transposed.copy_from_slice(tile);
                isa.transpose(transposed);
            }
            for (i, &mover) in movers.iter().enumerate() {
                self.opponents.disjoint(mover, &mut work.valid);
                let row = (column * 64 + i) * self.row_bytes;
                // SAFETY: the band has 64 words for each word of `valid`. `out` has room for this
                // row and its slack; the next row is written over that slack.
                wins += unsafe {
                    pack_row(
                        isa,
                        work.band.as_ptr().add(i),
                        &work.valid[..bands],
                        out.as_mut_ptr().add(row),
                    )
                };
            }
        }
        wins
    }
}
