//! The kernel for a mover with several amazons: the loop over the opponent's placements of the
//! module's pseudo-code.

use super::child::Child;
use super::clear_pairs::ClearPairs;
use super::pairs::PairKernel;
use super::tier_spaces::TierSpaces;
use super::workspace::{BlockJob, Workspace};
use crate::machine::isa::{InstructionSet, Isa};
use crate::machine::prefetch::prefetch;
use crate::tables::counting::Mask;
use crate::tables::index::{Images, MAX_SQUARES};
use crate::tables::retrograde::lines::{Lines, free_squares};
use crate::tables::retrograde::pack::{SLACK, unpack_row};
use crate::tables::retrograde::permute::{PermuteWorkspace, Permuter};
use crate::tables::retrograde::space::{Exchange, Exchanges, Space, Spreads, exchanges};

/// The spaces that a fixed opponent leaves.
#[derive(Debug)]
pub(super) struct Many<M> {
    pub(super) permuter: Permuter<M>,
    pub(super) full: Space,
    pub(super) less: Space,
    pub(super) spreads: Spreads,
    pub(super) take_away: Exchanges,
    pub(super) put_back: Exchanges,
    full_pairs: PairKernel,
    less_pairs: PairKernel,
}

/// The vectors of one opponent's placement, `squares` vectors each but `win`.
pub(super) struct Vectors {
    pub(super) loss: *mut u64,
    shot: *mut u64,
    pub(super) arrived: *mut u64,
    pub(super) step: *mut u64,
    pub(super) win: *mut u64,
}

impl Vectors {
    /// Lays the vectors out in one buffer, all zero: padding words stay so.
    pub(super) fn in_buffer<M>(inner: &Many<M>, buffer: &mut Vec<u64>) -> Self {
        let squares = inner.full.squares;
        let (full, less) = (squares * inner.full.width, squares * inner.less.width);
        buffer.clear();
        buffer.resize(2 * full + 2 * less + inner.full.width + 16, 0);
        let base = buffer.as_mut_ptr();
        let align = base.align_offset(64).min(8);
        // SAFETY: the five parts have `full`, `full`, `less`, `less` and `full.width` words, and at
        // most 8 words stand before the first: all inside the buffer just sized.
        unsafe {
            let loss = base.add(align);
            let (shot, arrived) = (loss.add(full), loss.add(2 * full));
            let (step, win) = (arrived.add(less), arrived.add(2 * less));
            Self { loss, shot, arrived, step, win }
        }
    }
}

impl<M: Mask> Many<M> {
    /// See the module's pseudo-code.
    ///
    /// # Safety
    /// The job is as [`TierKernel::solve`](super::TierKernel::solve) checks it, for this tier.
    #[inline(always)]
    pub(super) unsafe fn solve(
        &self,
        tier: &TierSpaces<M>,
        isa: impl Isa,
        job: BlockJob<'_, M>,
    ) -> u64 {
        let BlockJob { arrows, children, spent, out, work } = job;
        let (tables, squares) = (&*tier.tables, self.full.squares);
        let free = free_squares(tables.board, arrows);
        let mut lines = std::mem::take(&mut work.lines);
        lines.clear_of(&tables.pairs, arrows, free);
        work.make_room_to_permute(children.len());
        let Workspace { permuted, permute, .. } = work;
        let mut rows = self.permuted_rows(&tables.images, free, children, permuted, permute);
        let vectors = Vectors::in_buffer(self, &mut work.vectors);
        tier.make_room(work);
        let mut pairs = std::mem::take(&mut work.pairs);
        pairs.make_room(tables.pairs.len(), squares);
        let numbers = !M::default() >> (M::SQUARES - tier.movers.squares) as u32;
        let mut left = [0u8; MAX_SQUARES];
        for (index, &opponent) in tier.opponent_sets.iter().enumerate() {
            list_squares(numbers & !opponent, &mut left[..squares]);
            pairs.of(&lines, opponent, squares, &left);
            // SAFETY: a child has a row for each placement that avoids its arrow, in the order in
            // which they come, so `row` goes through the block once. The vectors are those of
            // this; `lines` are clear of these arrows and `pairs` of this placement. `win` ends
            // with words that serve as slack, and the tiles have `64 * movers.words` words for
            // every 64 placements of the opponent.
            unsafe {
                for (number, &square) in left.iter().enumerate().take(squares) {
                    let row = &mut rows[square as usize];
                    self.read_losses(isa, *row, number, vectors.loss);
                    *row = row.add(tier.child_row_bytes);
                }
                self.win(isa, tier.isa, &vectors, &lines, &pairs);
                tier.movers.disjoint(opponent, &mut work.valid);
                let tile = work.tiles.as_mut_ptr().add(tier.tile_of(index));
                unpack_row(isa, vectors.win.cast(), &work.valid[..tier.movers.words], tile);
            }
        }
        (work.lines, work.pairs) = (lines, pairs);
        // SAFETY: every placement's row is in the tiles now; `out` and `spent` have the lengths
        // that were checked.
        unsafe { tier.write_rows(isa, out, spent, work) }
    }

    /// The first row of every child; those stored under a symmetry are permuted first, into as many
    /// places as there are children.
    pub(super) fn permuted_rows(
        &self,
        images: &Images<M>,
        free: M,
        children: &[Child<'_>],
        places: &mut [Vec<u8>],
        work: &mut PermuteWorkspace<M>,
    ) -> [*const u8; MAX_SQUARES] {
        let mut rows = [std::ptr::null(); MAX_SQUARES];
        let mut squares = free;
        for ((row, child), permuted) in rows.iter_mut().zip(children).zip(places) {
            let rest = free & !M::single(squares.lowest());
            squares = squares.without_lowest();
            if child.symmetry == 0 {
                *row = child.block.as_ptr();
                continue;
            }
            let stored = images.image(child.symmetry, rest);
            let (mut image, mut left) = ([0; MAX_SQUARES], rest);
            let count = rest.len();
            for number in &mut image[..count] {
                let square = images.image(child.symmetry, M::single(left.lowest()));
                *number = (stored & M::below(square.lowest())).len() as u8;
                left = left.without_lowest();
            }
            permuted.resize(self.permuter.block_bytes() + SLACK, 0);
            self.permuter.permute(&image[..count], child.block, permuted, work);
            *row = permuted.as_ptr();
        }
        rows
    }

    pub(super) fn new(free: usize, mover: usize, opponent: usize, isa: InstructionSet) -> Self {
        let left = free - opponent;
        let (full, less) = (Space::new(left, mover), Space::new(left, mover - 1));
        let [take_away, put_back] = exchanges(&full, &less, mover);
        Self {
            permuter: Permuter::new(free - 1, opponent, mover, isa),
            spreads: Spreads::new(&full),
            take_away,
            put_back,
            full_pairs: PairKernel::new(full.width),
            less_pairs: PairKernel::new(less.width),
            full,
            less,
        }
    }

    /// `loss[number]` = the complement of a child's row, spread over the placements that avoid the
    /// square; and clears the square's other vectors.
    ///
    /// # Safety
    /// `row` is a row of a child's block, which has [`SLACK`] bytes behind it; `loss` has a vector
    /// for each square; `number` is one of the squares.
    #[inline(always)]
    pub(super) unsafe fn read_losses(
        &self,
        isa: impl Isa,
        row: *const u8,
        number: usize,
        loss: *mut u64,
    ) {
        let words = self.full.words;
        // SAFETY: a spread reads eight bytes from within the row or the byte behind it, and behind
        // the last row there is slack. There are `words` first spreads and a list of others for
        // each square, and their words are words of one vector.
        unsafe {
            let vector = loss.add(number * self.full.width);
            prefetch(row.wrapping_add(PREFETCH));
            let first = self.spreads.first.get_unchecked(number * words..(number + 1) * words);
            for (word, spread) in first.iter().enumerate() {
                let bits =
                    row.add(spread.byte as usize).cast::<u64>().read_unaligned() >> spread.shift;
                *vector.add(word) = isa.deposit(!bits, spread.mask);
            }
            for spread in self.spreads.more.get_unchecked(number) {
                let bits =
                    row.add(spread.byte as usize).cast::<u64>().read_unaligned() >> spread.shift;
                *vector.add(spread.word as usize) |= isa.deposit(!bits, spread.mask);
            }
        }
    }

    /// From the losses of one opponent's placement to where it is won to arrive.
    ///
    /// # Safety
    /// The vectors are those of [`Vectors::in_buffer`] for this; lines and pairs are those of one
    /// placement of the opponent.
    #[inline(always)]
    pub(super) unsafe fn arrive(
        &self,
        isa: impl Isa,
        set: InstructionSet,
        vectors: &Vectors,
        lines: &Lines,
        pairs: &ClearPairs,
    ) {
        // SAFETY: the vectors are those of this; loss and shot, shot and arrived do not overlap,
        // and each has a vector for each square.
        unsafe {
            std::ptr::write_bytes(vectors.shot, 0, self.full.squares * self.full.width);
            self.full_pairs.run(set, vectors.shot, vectors.loss, &self.full, lines, pairs);
            self.take_away.run(isa, vectors.shot, vectors.arrived);
        }
    }

    /// From the losses of one opponent's placement to its wins.
    ///
    /// # Safety
    /// The vectors are those of [`Vectors::in_buffer`] for this; lines and pairs are those of one
    /// placement of the opponent.
    #[inline(always)]
    unsafe fn win(
        &self,
        isa: impl Isa,
        set: InstructionSet,
        vectors: &Vectors,
        lines: &Lines,
        pairs: &ClearPairs,
    ) {
        // SAFETY: the vectors are those of this, and so are lines and pairs.
        unsafe {
            self.step(isa, set, vectors, lines, pairs);
            self.put_back.run(isa, vectors.step, vectors.win);
        }
    }

    /// From the losses of one opponent's placement to where it is won to step from.
    ///
    /// # Safety
    /// As [`Self::win`].
    #[inline(always)]
    pub(super) unsafe fn step(
        &self,
        isa: impl Isa,
        set: InstructionSet,
        vectors: &Vectors,
        lines: &Lines,
        pairs: &ClearPairs,
    ) {
        // SAFETY: the vectors are those of this; step and arrived do not overlap, and each has a
        // vector for each square.
        unsafe {
            std::ptr::write_bytes(vectors.step, 0, self.full.squares * self.less.width);
            self.arrive(isa, set, vectors, lines, pairs);
            self.less_pairs.run(set, vectors.step, vectors.arrived, &self.less, lines, pairs);
        }
    }
}

/// Lists the squares of a set, in increasing order, in as many places.
#[inline(always)]
pub(super) fn list_squares<M: Mask>(set: M, places: &mut [u8]) {
    let mut rest = set;
    for place in places {
        *place = rest.lowest() as u8;
        rest = rest.without_lowest();
    }
}

/// Rows are asked for so many bytes before they are needed: each child is a stream of its own, more
/// of them than the hardware follows.
const PREFETCH: usize = 512;

impl Exchanges {
    /// Makes all words of `to`.
    ///
    /// # Safety
    /// `from` and `to` are vectors of the two spaces that the lists were made for.
    #[inline(always)]
    pub(super) unsafe fn run(&self, isa: impl Isa, from: *const u64, to: *mut u64) {
        let mut operation = self.operations.as_ptr();
        for &(word, count) in &self.words {
            let mut bits = 0;
            // SAFETY: the counts add up to the number of operations; all words that they name are
            // words of the vectors.
            unsafe {
                for _ in 0..count {
                    let Exchange { from_mask, to_mask, from: source } = *operation;
                    bits |=
                        isa.deposit(isa.extract(*from.add(source as usize), from_mask), to_mask);
                    operation = operation.add(1);
                }
                *to.add(word as usize) = bits;
            }
        }
    }
}
