//! Where it is won to shoot from, from the blocks that the shots lead to.

use super::child::Child;
use super::clear_pairs::ClearPairs;
use super::pairs::PairKernel;
use crate::machine::isa::{InstructionSet, Isa};
use crate::machine::prefetch::prefetch;
use crate::tables::counting::{Mask, small_binomial};
use crate::tables::index::{Images, MAX_SQUARES};
use crate::tables::retrograde::lines::Lines;
use crate::tables::retrograde::pack::SLACK;
use crate::tables::retrograde::permute::{PermuteWorkspace, Permuter};
use crate::tables::retrograde::space::{Space, Spreads};

/// The placements of the mover that a fixed opponent leaves, how the rows of the children are read
/// over them, and how it is shot.
#[derive(Debug)]
pub(super) struct Shots<M> {
    permuter: Permuter<M>,
    /// The placements.
    pub(super) space: Space,
    spreads: Spreads,
    pairs: PairKernel,
    /// Bytes of a row of a child.
    row_bytes: usize,
}

impl<M: Mask> Shots<M> {
    pub(super) fn new(free: usize, mover: usize, opponent: usize, isa: InstructionSet) -> Self {
        let space = Space::new(free - opponent, mover);
        Self {
            permuter: Permuter::new(free - 1, opponent, mover, isa),
            spreads: Spreads::new(&space),
            pairs: PairKernel::new(space.width),
            row_bytes: small_binomial(free - opponent - 1, mover).div_ceil(8) as usize,
            space,
        }
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

    /// For the next placement of the opponent, from the rows of [`Self::permuted_rows`], each of
    /// which goes on to the one after it: `loss[number]` = the complement of a row of the child of
    /// the square with this number, spread over the placements that avoid the square.
    ///
    /// # Safety
    /// The placements come in the order of their ranks, each with the squares that it leaves: a
    /// child has a row for each that avoids its arrow, in this order, and [`SLACK`] bytes behind
    /// the last. `loss` has a vector for each square.
    #[inline(always)]
    pub(super) unsafe fn read_losses(
        &self,
        isa: impl Isa,
        rows: &mut [*const u8; MAX_SQUARES],
        left: &[u8],
        loss: *mut u64,
    ) {
        for (number, &square) in left.iter().enumerate() {
            let row = &mut rows[square as usize];
            // SAFETY: the caller promises the rows and the vectors.
            unsafe {
                self.read_loss(isa, *row, number, loss);
                *row = row.add(self.row_bytes);
            }
        }
    }

    /// One of them.
    ///
    /// # Safety
    /// `row` is a row of a child's block, which has [`SLACK`] bytes behind it; `loss` has a vector
    /// for each square; `number` is one of the squares.
    #[inline(always)]
    unsafe fn read_loss(&self, isa: impl Isa, row: *const u8, number: usize, loss: *mut u64) {
        let words = self.space.words;
        // SAFETY: a spread reads eight bytes from within the row or the byte behind it, and behind
        // the last row there is slack. There are `words` first spreads and a list of others for
        // each square, and their words are words of one vector.
        unsafe {
            let vector = loss.add(number * self.space.width);
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

    /// From the losses of one opponent's placement to where an amazon wins by a shot: `shot[b]`
    /// over the placements. Only its bits of placements with b mean something.
    ///
    /// # Safety
    /// Both are vectors for each square, and do not overlap. Lines and pairs are those of one
    /// placement of the opponent.
    #[inline(always)]
    pub(super) unsafe fn shoot(
        &self,
        set: InstructionSet,
        [loss, shot]: [*mut u64; 2],
        lines: &Lines,
        pairs: &ClearPairs,
    ) {
        // SAFETY: the caller promises all of it.
        unsafe {
            std::ptr::write_bytes(shot, 0, self.space.squares * self.space.width);
            self.pairs.run(set, shot, loss, &self.space, lines, pairs);
        }
    }
}

/// Rows are asked for so many bytes before they are needed: each child is a stream of its own, more
/// of them than the hardware follows.
const PREFETCH: usize = 512;

#[cfg(test)]
impl<M: Mask> Shots<M> {
    /// Bytes that it really has.
    pub(super) fn bytes(&self) -> usize {
        use crate::tables::retrograde::space::bytes;
        self.permuter.bytes() + bytes::of_space(&self.space) + bytes::of_spreads(&self.spreads)
    }
}
