//! One half move for all squares at once: along every clear pair (x, y),
//! `to[x] |= from[y] & avoid(between)` and `to[y] |= from[x] & avoid(between)`.
//!
//! The vectors of a tier all have one width. The widths that occur in practice have kernels with
//! the width as a constant, so that the loops unroll into whole registers; others share one kernel.

use super::clear_pairs::ClearPairs;
use crate::machine::isa::{InstructionSet, Isa, Work};
use crate::tables::retrograde::lines::{Lines, MOST_BETWEEN};
use crate::tables::retrograde::space::Space;

/// The arguments of a half move along pairs of squares.
struct HalfMove<'a, const WIDTH: usize> {
    to: *mut u64,
    from: *const u64,
    space: &'a Space,
    lines: &'a Lines,
    pairs: &'a ClearPairs,
}

/// What runs a half move for vectors of one width.
///
/// # Safety
/// As [`PairKernel::run`].
type Kernel = unsafe fn(InstructionSet, *mut u64, *const u64, &Space, &Lines, &ClearPairs);

/// The kernel for vectors of one width.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairKernel(Kernel);

impl PairKernel {
    /// The kernel for vectors of `width` words.
    pub(super) fn new(width: usize) -> Self {
        Self(match width {
            1 => kernel::<1>,
            2 => kernel::<2>,
            4 => kernel::<4>,
            8 => kernel::<8>,
            12 => kernel::<12>,
            16 => kernel::<16>,
            20 => kernel::<20>,
            24 => kernel::<24>,
            28 => kernel::<28>,
            32 => kernel::<32>,
            40 => kernel::<40>,
            48 => kernel::<48>,
            64 => kernel::<64>,
            _ => kernel::<0>,
        })
    }

    /// Runs the half move.
    ///
    /// # Safety
    /// `to` and `from` are buffers of `space.squares` vectors each that do not overlap; vectors of
    /// `space` have the width this was made for. `pairs` are pairs of `lines`, with their squares
    /// numbered among the squares of `space`.
    #[inline(always)]
    pub(super) unsafe fn run(
        self,
        isa: InstructionSet,
        to: *mut u64,
        from: *const u64,
        space: &Space,
        lines: &Lines,
        pairs: &ClearPairs,
    ) {
        // SAFETY: what the kernel asks for is what the caller promises.
        unsafe { (self.0)(isa, to, from, space, lines, pairs) }
    }
}

/// A half move for vectors of `WIDTH` words, or of any width if that is 0.
///
/// # Safety
/// As [`PairKernel::run`].
unsafe fn kernel<const WIDTH: usize>(
    isa: InstructionSet,
    to: *mut u64,
    from: *const u64,
    space: &Space,
    lines: &Lines,
    pairs: &ClearPairs,
) {
    isa.run(HalfMove::<WIDTH> { to, from, space, lines, pairs });
}

impl<const WIDTH: usize> Work for HalfMove<'_, WIDTH> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Isa) {
        // SAFETY: only `kernel` makes a half move, and its caller promises this.
        unsafe { self.all_groups() }
    }
}

impl<const WIDTH: usize> HalfMove<'_, WIDTH> {
    /// All pairs, group by group.
    ///
    /// # Safety
    /// As [`PairKernel::run`].
    #[inline(always)]
    unsafe fn all_groups(&self) {
        let [none, one, _, three, all] = self.pairs.groups;
        // SAFETY: the groups are parts of the pairs, each with at most as many squares between.
        unsafe {
            self.group::<0>(0, none);
            self.group::<1>(none, one);
            self.group::<3>(one, three);
            self.group::<MOST_BETWEEN>(three, all);
        }
    }

    /// The pairs `first..end`, which have at most `BETWEEN` squares between; missing ones are slots
    /// of ones.
    ///
    /// # Safety
    /// As [`PairKernel::run`]; `first..end` is one group of the pairs.
    #[inline(always)]
    unsafe fn group<const BETWEEN: usize>(&self, first: usize, end: usize) {
        let width = if WIDTH == 0 { self.space.width } else { WIDTH };
        let all_avoid = self.space.avoid_base();
        // Read once: for all that the compiler knows, the vectors could lie over the lists.
        let (ids, ends) = (self.pairs.ids.as_ptr(), self.pairs.ends.as_ptr());
        let between_of = self.lines.between.as_ptr();
        for pair in first..end {
            // SAFETY: there are ids and ends for these pairs, and lines for these ids. Their
            // numbers are below `space.squares`, or equal to it for the slot of ones; `space` has
            // an avoid vector for each of these.
            unsafe {
                let [x, y] = (*ends.add(pair)).map(|end| end as usize * width);
                let between = &*between_of.add(*ids.add(pair) as usize);
                let mut avoid = [all_avoid; BETWEEN];
                for (pointer, &square) in avoid.iter_mut().zip(between) {
                    let number = *self.pairs.number.get_unchecked(square as usize);
                    *pointer = all_avoid.add(number as usize * width);
                }
                exchange::<BETWEEN>(
                    [self.to.add(x), self.to.add(y)],
                    [self.from.add(x), self.from.add(y)],
                    avoid,
                    width,
                );
            }
        }
    }
}

/// One pair, both ways.
///
/// # Safety
/// The pointers are to vectors of `width` words.
#[inline(always)]
unsafe fn exchange<const BETWEEN: usize>(
    to: [*mut u64; 2],
    from: [*const u64; 2],
    avoid: [*const u64; BETWEEN],
    width: usize,
) {
    let mut word = 0;
    // SAFETY: each call is for words below `width`.
    unsafe {
        while word + 8 <= width {
            lanes::<8, BETWEEN>(to, from, avoid, word);
            word += 8;
        }
        while word + 4 <= width {
            lanes::<4, BETWEEN>(to, from, avoid, word);
            word += 4;
        }
        while word < width {
            lanes::<1, BETWEEN>(to, from, avoid, word);
            word += 1;
        }
    }
}

/// `LANES` words of both directions; loads come before stores, so that each array is one register.
///
/// # Safety
/// The pointers are to vectors of at least `word + LANES` words.
#[inline(always)]
unsafe fn lanes<const LANES: usize, const BETWEEN: usize>(
    to: [*mut u64; 2],
    from: [*const u64; 2],
    avoid: [*const u64; BETWEEN],
    word: usize,
) {
    // SAFETY: the words `word..word + LANES` are words of each vector.
    unsafe {
        let load = |vector: *const u64| vector.add(word).cast::<[u64; LANES]>().read_unaligned();
        let (mut x, mut y) = (load(to[0]), load(to[1]));
        let (from_x, from_y) = (load(from[0]), load(from[1]));
        let mut clear = [u64::MAX; LANES];
        for pointer in avoid {
            let vector = load(pointer);
            for lane in 0..LANES {
                clear[lane] &= vector[lane];
            }
        }
        for lane in 0..LANES {
            x[lane] |= from_y[lane] & clear[lane];
            y[lane] |= from_x[lane] & clear[lane];
        }
        to[0].add(word).cast::<[u64; LANES]>().write_unaligned(x);
        to[1].add(word).cast::<[u64; LANES]>().write_unaligned(y);
    }
}
