//! One half move for all squares at once: along every clear pair (x, y),
//! `to[x] |= from[y] & avoid(between)` and `to[y] |= from[x] & avoid(between)`.
//!
//! The vectors of a tier all have one width. The widths that occur in practice have kernels with
//! the width as a constant, so that the loops unroll into whole registers; others share one kernel.

use super::many::ClearPairs;
use crate::machine::isa::InstructionSet;
use crate::tables::build::lines::{Lines, MOST_BETWEEN};
use crate::tables::build::space::Space;

/// The arguments of a half move.
struct Job<'a> {
    to: *mut u64,
    from: *const u64,
    avoid: *const u64,
    width: usize,
    lines: &'a Lines,
    pairs: &'a ClearPairs,
}

type Kernel = unsafe fn(&Job<'_>);

/// The kernel for vectors of one width.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairKernels(Kernel);

impl PairKernels {
    pub(super) fn new(width: usize, isa: InstructionSet) -> Self {
        Self(match isa {
            InstructionSet::Portable => portable::select(width),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => avx2::select(width),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => avx512::select(width),
            #[cfg(not(target_arch = "x86_64"))]
            _ => portable::select(width),
        })
    }

    /// Runs the half move.
    ///
    /// # Safety
    /// `to` and `from` are distinct buffers of `space.squares` vectors of the width this was made
    /// for; the instruction set is the machine's.
    #[inline(always)]
    pub(super) unsafe fn run(
        self,
        to: *mut u64,
        from: *const u64,
        space: &Space,
        lines: &Lines,
        pairs: &ClearPairs,
    ) {
        let job = Job { to, from, avoid: space.avoid_base(), width: space.width, lines, pairs };
        // SAFETY: the caller's promises.
        unsafe { (self.0)(&job) }
    }
}

/// Stamps the kernels of one instruction set: one a width, and one for all others (width 0).
macro_rules! kernels {
    ($name:ident, $($features:literal)?) => {
        mod $name {
            use super::{Job, Kernel, half_move};

            $(#[target_feature(enable = $features)])?
            unsafe fn kernel<const WIDTH: usize>(job: &Job<'_>) {
                // SAFETY: the caller's promises.
                unsafe { half_move::<WIDTH>(job) }
            }

            pub(super) fn select(width: usize) -> Kernel {
                match width {
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
                }
            }
        }
    };
}

kernels!(portable,);
#[cfg(target_arch = "x86_64")]
kernels!(avx2, "avx2,bmi1,bmi2,popcnt");
#[cfg(target_arch = "x86_64")]
kernels!(avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,popcnt");

/// All pairs, group by group.
///
/// # Safety
/// As [`PairKernels::run`].
#[inline(always)]
unsafe fn half_move<const WIDTH: usize>(job: &Job<'_>) {
    let [none, one, _, three, all] = job.pairs.groups;
    // SAFETY: the caller's promises, group by group.
    unsafe {
        group::<WIDTH, 0>(job, 0, none);
        group::<WIDTH, 1>(job, none, one);
        group::<WIDTH, 3>(job, one, three);
        group::<WIDTH, MOST_BETWEEN>(job, three, all);
    }
}

/// The pairs `first..end`, which have at most `BETWEEN` squares between; missing ones are slots of
/// ones.
///
/// # Safety
/// As [`PairKernels::run`]; `first..end` is one group of the pairs.
#[inline(always)]
unsafe fn group<const WIDTH: usize, const BETWEEN: usize>(job: &Job<'_>, first: usize, end: usize) {
    let width = if WIDTH == 0 { job.width } else { WIDTH };
    for pair in first..end {
        // SAFETY: ids and ends were written for these pairs; numbers are below `space.squares`, or
        // equal to it for the slot of ones.
        unsafe {
            let [x, y] = job.pairs.ends.get_unchecked(pair).map(|end| end as usize * width);
            let between =
                job.lines.between.get_unchecked(*job.pairs.ids.get_unchecked(pair) as usize);
            let mut avoid = [job.avoid; BETWEEN];
            for (pointer, &square) in avoid.iter_mut().zip(between) {
                let number = *job.pairs.number.get_unchecked(square as usize);
                *pointer = job.avoid.add(number as usize * width);
            }
            exchange::<BETWEEN>(
                [job.to.add(x), job.to.add(y)],
                [job.from.add(x), job.from.add(y)],
                avoid,
                width,
            );
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
    // SAFETY: `word + lanes <= width` words of each vector.
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
    // SAFETY: the caller's promises.
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
