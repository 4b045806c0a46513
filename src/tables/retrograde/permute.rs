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
#[cfg(test)]
use super::space::bytes;
use crate::machine::isa::{InstructionSet, Isa, Work};
use crate::machine::prefetch::prefetch;
use crate::tables::counting::colex::subsets;
use crate::tables::counting::{Mask, small_binomial};

/// What permuting needs to know of a tier: tables shared by all threads.
#[derive(Debug)]
pub(crate) struct Permuter<M> {
    isa: InstructionSet,
    rows: Space,
    columns: Space,
    row_sets: Vec<M>,
    column_sets: Vec<M>,
    row_ranks: RankTable,
    column_ranks: RankTable,
    row_bytes: usize,
    same: bool,
}

/// Memory that one thread permutes in. Ranks of placements fit 32 bits: there are fewer of them
/// than bits in a vector.
#[derive(Debug, Default)]
pub(crate) struct PermuteWorkspace<M> {
    /// For eight squares each, the image of every set of them.
    images: Vec<[M; 256]>,
    rows: Vec<u32>,
    columns: Vec<u32>,
    valid: Vec<u64>,
    band: Vec<u64>,
    by_column: Vec<u64>,
}

impl<M: Mask> Permuter<M> {
    /// For blocks over `free` squares with the given amazons a side.
    pub(crate) fn new(free: usize, mover: usize, opponent: usize, isa: InstructionSet) -> Self {
        Self {
            isa,
            rows: Space::new(free, mover),
            columns: Space::new(free, opponent),
            row_sets: subsets(free, mover).collect(),
            column_sets: subsets(free, opponent).collect(),
            row_ranks: RankTable::new(free, mover),
            column_ranks: RankTable::new(free, opponent),
            row_bytes: (small_binomial(free - mover, opponent) as usize).div_ceil(8),
            same: mover == opponent,
        }
    }

    /// Bytes of a block without slack.
    pub(crate) fn block_bytes(&self) -> usize {
        self.rows.len * self.row_bytes
    }

    /// Bytes that it really has.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let entries = |table: &RankTable| table.low.len() + table.middle.len() + table.high.len();
        bytes::of_space(&self.rows)
            + bytes::of_space(&self.columns)
            + (self.row_sets.capacity() + self.column_sets.capacity()) * size_of::<M>()
            + (entries(&self.row_ranks) + entries(&self.column_ranks)) * size_of::<u32>()
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
        work: &mut PermuteWorkspace<M>,
    ) {
        assert!(
            stored.len() >= self.block_bytes() + SLACK
                && permuted.len() >= self.block_bytes() + SLACK
        );
        let squares = self.rows.squares;
        assert!(
            image.len() == squares && image.iter().all(|&square| usize::from(square) < squares)
        );
        let seen = image.iter().fold(0u64, |seen, &square| seen | 1 << square);
        assert_eq!(seen.count_ones() as usize, squares, "an image twice");
        let images = images_by_byte(image, &mut work.images);
        image_ranks(images, &self.row_sets, &self.row_ranks, &mut work.rows);
        if !self.same {
            image_ranks(images, &self.column_sets, &self.column_ranks, &mut work.columns);
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
        work: &mut PermuteWorkspace<M>,
    ) {
        let words = self.columns.words;
        work.valid.resize(self.columns.width, 0);
        work.band.resize(words * 64, 0);
        work.by_column.resize(words * 64, 0);
        let PermuteWorkspace { rows, columns, valid, band, by_column, .. } = work;
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
struct Permute<'a, M> {
    permuter: &'a Permuter<M>,
    stored: &'a [u8],
    permuted: &'a mut [u8],
    work: &'a mut PermuteWorkspace<M>,
}

impl<M: Mask> Work for Permute<'_, M> {
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

/// The images of the subsets of each eight squares. Entries for other bits mean nothing.
fn images_by_byte<'w, M: Mask>(image: &[u8], work: &'w mut Vec<[M; 256]>) -> &'w [[M; 256]; 8] {
    work.resize(8, [M::default(); 256]);
    for (squares, images) in image.chunks(8).zip(work.iter_mut()) {
        for set in 1..1usize << squares.len() {
            let lowest = set.trailing_zeros() as usize;
            images[set] = images[set & (set - 1)] | M::single(squares[lowest].into());
        }
    }
    work.first_chunk().expect("it was just made as long")
}

/// For each subset in colex order, the rank of its image.
fn image_ranks<M: Mask>(
    images: &[[M; 256]; 8],
    sets: &[M],
    table: &RankTable,
    ranks: &mut Vec<u32>,
) {
    ranks.clear();
    ranks.extend(sets.iter().map(|set| {
        let parts = set.word().to_le_bytes();
        // As many as the mask has; the loop is unrolled.
        let union = (0..M::SQUARES / 8)
            .fold(M::default(), |union, at| union | images[at][usize::from(parts[at])]);
        table.rank(union)
    }));
}

/// Bytes of the table by which a permuter finds ranks of these subsets.
pub(super) fn rank_table_bytes(squares: usize, size: usize) -> u64 {
    (RankTable::entries(squares, size) * size_of::<u32>()) as u64
}

/// Colex ranks of subsets of one size by table: the share of each part of [`Self::PART_BITS`] bits
/// depends on them and on the number of elements below them.
#[derive(Debug)]
struct RankTable {
    /// For the elements of a part, an entry for each set for each number of elements below.
    low: Box<[u32]>,
    middle: Box<[u32]>,
    /// The others, one after another.
    high: Box<[u32]>,
    /// Entries of a part.
    each: usize,
}

impl RankTable {
    const PART: usize = 1 << Self::PART_BITS;
    /// Miri, which is slow, fills smaller tables.
    const PART_BITS: usize = if cfg!(miri) { 4 } else { 12 };

    /// For subsets of `0..squares`.
    fn new(squares: usize, size: usize) -> Self {
        // Nobody asks for the share of what no subset of this size has: it may be any number.
        let part = |first: usize, below: usize, shares: &mut Vec<u32>| {
            let begin = shares.len();
            shares.push(0);
            for set in 1..Self::PART {
                // The highest element, and how many there are up to it.
                let (at, place) = (set.ilog2() as usize, below + set.count_ones() as usize);
                let asked = first + at < squares && place <= size;
                let own = if asked { small_binomial(first + at, place) as u32 } else { 0 };
                let rest = shares[begin + (set ^ 1 << at)];
                shares.push(rest.wrapping_add(own));
            }
        };
        let parts = |first: usize, shares: &mut Vec<u32>| {
            (0..=size).for_each(|below| part(first, below, shares));
        };
        let (mut low, mut middle, mut high) = (Vec::new(), Vec::new(), Vec::new());
        part(0, 0, &mut low);
        parts(Self::PART_BITS, &mut middle);
        for first in (2 * Self::PART_BITS..squares).step_by(Self::PART_BITS) {
            parts(first, &mut high);
        }
        let [low, middle, high] = [low, middle, high].map(Vec::into_boxed_slice);
        Self { low, middle, high, each: (size + 1) * Self::PART }
    }

    /// Entries of the table for subsets of `0..squares`.
    fn entries(squares: usize, size: usize) -> usize {
        let high = squares.saturating_sub(2 * Self::PART_BITS).div_ceil(Self::PART_BITS);
        Self::PART + (1 + high) * (size + 1) * Self::PART
    }

    #[inline(always)]
    fn rank<M: Mask>(&self, set: M) -> u32 {
        let part = |set: M| set.word() as usize % Self::PART;
        let (low, middle) = (part(set), part(set >> Self::PART_BITS as u32));
        let mut below = low.count_ones() as usize;
        let mut rank = self.low[low] + self.middle[below * Self::PART + middle];
        below += middle.count_ones() as usize;
        let (mut rest, mut high) = (set >> (2 * Self::PART_BITS) as u32, &self.high[..]);
        while !rest.is_empty() {
            let at = part(rest);
            rank += high[below * Self::PART + at];
            below += at.count_ones() as usize;
            rest = rest >> Self::PART_BITS as u32;
            high = high.get(self.each..).unwrap_or_default();
        }
        rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_ranks_are_colex_ranks() {
        for (squares, size) in [(12, 3), (16, 4), (25, 4), (32, 2), (30, 5), (5, 0), (9, 9)] {
            let table = RankTable::new(squares, size);
            let mut sets = subsets::<u32>(squares, size).enumerate();
            assert!(sets.all(|(rank, set)| table.rank(set) as usize == rank));
        }
        for (squares, size) in [(12, 3), (36, 4), (35, 3), (48, 3), (64, 3), (63, 1)] {
            let table = RankTable::new(squares, size);
            let RankTable { low, middle, high, .. } = &table;
            let entries = low.len() + middle.len() + high.len();
            assert_eq!(entries, RankTable::entries(squares, size));
            let mut sets = subsets::<u64>(squares, size).enumerate();
            assert!(sets.all(|(rank, set)| table.rank(set) as usize == rank));
        }
    }
}
