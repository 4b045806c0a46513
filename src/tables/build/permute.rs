//! Permuting a stored block by a symmetry.
//!
//! Only canonical arrow sets are stored. The child A + c of an arrow set is stored as its image
//! under some symmetry; the free squares of the image are numbered in another order, which permutes
//! the placements of both sides. With `rows` and `columns` these permutations,
//!
//! ```text
//! permuted[r][q] = stored[rows[r]][columns[q]]
//!
//! for every band of 64 rows r:
//!     unpack the 64 stored rows rows[r] into tiles, transpose each:     a word for every stored column, a bit for every r
//!     for every 64 columns q: gather the words columns[q], transpose:   a word for every r, a bit for every q
//!     pack the 64 rows
//! ```
//!
//! so that a band never leaves the first-level caches. About a quarter of the children need this
//! when the canonical image is the largest one.

#![allow(unsafe_code)]

use super::pack::{SLACK, pack_row, unpack_row};
use super::space::Space;
use crate::machine::isa::{InstructionSet, Isa, Work};
use crate::machine::prefetch::prefetch;
use crate::tables::counting::colex::{self, subsets};
use crate::tables::counting::small_binomial;

/// What permuting needs to know of a tier: tables shared by all threads.
#[derive(Debug)]
pub(crate) struct Permuter {
    isa: InstructionSet,
    rows: Space,
    columns: Space,
    row_sets: Vec<u32>,
    column_sets: Vec<u32>,
    row_ranks: RankTable,
    column_ranks: RankTable,
    row_bytes: usize,
    same: bool,
}

/// Memory that one thread permutes in.
#[derive(Debug, Default)]
pub(crate) struct PermuteWorkspace {
    rows: Vec<u32>,
    columns: Vec<u32>,
    valid: Vec<u64>,
    band: Vec<u64>,
    by_column: Vec<u64>,
}

impl Permuter {
    /// For blocks over `free` squares with the given amazons a side.
    pub(crate) fn new(free: usize, mover: usize, opponent: usize, isa: InstructionSet) -> Self {
        Self {
            isa,
            rows: Space::new(free, mover),
            columns: Space::new(free, opponent),
            row_sets: subsets(free, mover).collect(),
            column_sets: subsets(free, opponent).collect(),
            row_ranks: RankTable::new(mover),
            column_ranks: RankTable::new(opponent),
            row_bytes: (small_binomial(free - mover, opponent) as usize).div_ceil(8),
            same: mover == opponent,
        }
    }

    /// Bytes of a block without slack.
    pub(crate) fn block_bytes(&self) -> usize {
        self.rows.len * self.row_bytes
    }

    /// Writes to `permuted` the block whose free square `i` is the free square `image[i]` of
    /// `stored`.
    ///
    /// # Panics
    /// If a slice is shorter than the block and [`SLACK`], or `image` is not a permutation of the
    /// free squares.
    pub(crate) fn permute(
        &self,
        image: &[u8],
        stored: &[u8],
        permuted: &mut [u8],
        work: &mut PermuteWorkspace,
    ) {
        assert!(
            stored.len() >= self.block_bytes() + SLACK
                && permuted.len() >= self.block_bytes() + SLACK
        );
        let squares = self.rows.squares;
        assert!(
            image.len() == squares && image.iter().all(|&square| usize::from(square) < squares)
        );
        let seen = image.iter().fold(0u32, |seen, &square| seen | 1 << square);
        assert_eq!(seen.count_ones() as usize, squares, "an image twice");
        image_ranks(image, &self.row_sets, &self.row_ranks, &mut work.rows);
        if !self.same {
            image_ranks(image, &self.column_sets, &self.column_ranks, &mut work.columns);
        }
        self.isa.run(Permute { permuter: self, stored, permuted, work });
    }

    /// # Safety
    /// Both slices have the bytes of a block and [`SLACK`] more; `work.rows` and `work.columns` (if
    /// they differ) are permutations of the rows and the columns.
    #[inline(always)]
    unsafe fn body(
        &self,
        isa: impl Isa,
        stored: &[u8],
        permuted: &mut [u8],
        work: &mut PermuteWorkspace,
    ) {
        let words = self.columns.words;
        work.valid.resize(self.columns.width, 0);
        work.band.resize(words * 64, 0);
        work.by_column.resize(words * 64, 0);
        let PermuteWorkspace { rows, columns, valid, band, by_column } = work;
        let columns: &[u32] = if self.same { rows } else { columns };
        for (first, sources) in rows.chunks(64).enumerate() {
            // SAFETY: every source is a row of the stored block, which has slack, and there is a
            // set for each row and a word for each column. The two bands have 64 words for each
            // word of a row. `permuted` has room for each row and its slack; the next row is
            // written over that slack.
            unsafe {
                for (i, &source) in sources.iter().enumerate() {
                    self.columns.disjoint(*self.row_sets.get_unchecked(source as usize), valid);
                    let later =
                        *rows.get((64 * first + i + AHEAD).min(rows.len() - 1)).unwrap_unchecked();
                    prefetch(stored.as_ptr().wrapping_add(later as usize * self.row_bytes));
                    let row = stored.as_ptr().add(source as usize * self.row_bytes);
                    unpack_row(isa, row, &valid[..words], by_column.as_mut_ptr().add(i));
                }
                transpose_all(isa, by_column);
                for (word, &column) in band.iter_mut().zip(columns) {
                    *word = *by_column.get_unchecked(column as usize);
                }
                transpose_all(isa, band);
                for i in 0..sources.len() {
                    let row = 64 * first + i;
                    self.columns.disjoint(*self.row_sets.get_unchecked(row), valid);
                    pack_row(
                        isa,
                        band.as_ptr().add(i),
                        &valid[..words],
                        permuted.as_mut_ptr().add(row * self.row_bytes),
                    );
                }
            }
        }
    }
}

/// The arguments of [`Permuter::permute`], which are checked.
struct Permute<'a> {
    permuter: &'a Permuter,
    stored: &'a [u8],
    permuted: &'a mut [u8],
    work: &'a mut PermuteWorkspace,
}

impl Work for Permute<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: impl Isa) {
        // SAFETY: only `Permuter::permute` makes one, of slices whose lengths it has checked and of
        // the permutations that a permutation of the squares makes.
        unsafe { self.permuter.body(isa, self.stored, self.permuted, self.work) }
    }
}

/// Stored rows are read in no order, so each is asked for this many rows before.
const AHEAD: usize = 8;

#[inline(always)]
fn transpose_all(isa: impl Isa, tiles: &mut [u64]) {
    for tile in tiles.chunks_exact_mut(64) {
        isa.transpose(tile.try_into().expect("64 words"));
    }
}

/// For each subset in colex order, the rank of its image.
fn image_ranks(image: &[u8], sets: &[u32], table: &RankTable, ranks: &mut Vec<u32>) {
    let mut bytes = [[0u32; 256]; 4];
    for (squares, images) in image.chunks(8).zip(&mut bytes) {
        for set in 1..1usize << squares.len() {
            let lowest = set.trailing_zeros() as usize;
            images[set] = images[set & (set - 1)] | 1 << squares[lowest];
        }
    }
    let [a, b, c, d] = &bytes;
    ranks.clear();
    ranks.extend(sets.iter().map(|set| {
        let [p, q, r, s] = set.to_le_bytes();
        table.rank(a[p as usize] | b[q as usize] | c[r as usize] | d[s as usize])
    }));
}

/// Colex ranks of subsets of one size by table: the share of each 12 bits depends on them and on
/// the number of elements below them.
#[derive(Debug)]
struct RankTable {
    low: Box<[u32]>,
    /// 4096 entries for each number of elements below.
    middle: Box<[u32]>,
    high: Box<[u32]>,
}

impl RankTable {
    const PART: usize = 1 << 12;

    fn new(size: usize) -> Self {
        let share = |first: usize, below: usize, set: usize| -> u32 {
            let elements = (set as u64) << first;
            match u32::try_from(elements) {
                Ok(elements) if below + elements.count_ones() as usize <= size => {
                    colex::rank(elements | ((1 << below) - 1))
                }
                _ => 0,
            }
        };
        let part = |first: usize| -> Box<[u32]> {
            let belows = (0..=size).flat_map(|below| (0..Self::PART).map(move |set| (below, set)));
            belows
                .map(|(below, set)| if below > first { 0 } else { share(first, below, set) })
                .collect()
        };
        let low = (0..Self::PART).map(|set| share(0, 0, set)).collect();
        Self { low, middle: part(12), high: part(24) }
    }

    #[inline(always)]
    fn rank(&self, set: u32) -> u32 {
        let (low, middle) = (set as usize % Self::PART, set as usize >> 12 & (Self::PART - 1));
        let below = low.count_ones() as usize;
        let mut rank = self.low[low] + self.middle[below * Self::PART + middle];
        if set >> 24 != 0 {
            let below = below + middle.count_ones() as usize;
            rank += self.high[below * Self::PART + (set >> 24) as usize];
        }
        rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_ranks_are_colex_ranks() {
        for (squares, size) in [(12, 3), (16, 4), (25, 4), (32, 2), (30, 5)] {
            let table = RankTable::new(size);
            assert!(
                subsets(squares, size)
                    .enumerate()
                    .all(|(rank, set)| table.rank(set) as usize == rank)
            );
        }
    }
}
