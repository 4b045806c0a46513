//! Instruction sets: what this machine has beyond the least of its kind, found out at run time.
//!
//! A program for every machine must not use wide registers, and not even count bits in one
//! instruction. So hot code is written once, as a `Work`, and compiled several times: into
//! functions that enable nothing, AVX2 with BMI2, or AVX-512. `InstructionSet::run` chooses one of
//! them. Loops over arrays of words become loops over the widest registers by themselves; the
//! operations for which the compiler does not find the instruction are methods of `Isa`.
//!
//! Nothing here can be asked for instructions that the machine lacks: an [`InstructionSet`] is what
//! was found on this machine, and a value of an x86 `Isa` exists only in work that runs on it.

#![allow(unsafe_code)]

use std::fmt;

use super::{bits, transpose};

/// An instruction set that this machine has. All give the same results.
///
/// ```
/// use amazons::machine::isa::InstructionSet;
///
/// assert_eq!(InstructionSet::available().first(), Some(&InstructionSet::PORTABLE));
/// assert_eq!(InstructionSet::available().last(), Some(&InstructionSet::detect()));
/// ```
///
/// There is no other way to have one:
///
/// ```compile_fail
/// use amazons::machine::isa::InstructionSet;
///
/// let perhaps_not_here = InstructionSet::Avx512;
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct InstructionSet(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Portable,
    /// AVX2, BMI1, BMI2, LZCNT and POPCNT.
    #[cfg(target_arch = "x86_64")]
    #[cfg_attr(miri, expect(dead_code, reason = "Miri does not know the instructions"))]
    Avx2,
    /// These, AVX-512 (F, BW, CD, DQ, VL) and GFNI.
    #[cfg(target_arch = "x86_64")]
    #[cfg_attr(miri, expect(dead_code, reason = "Miri does not know the instructions"))]
    Avx512,
}

impl InstructionSet {
    /// No more than every machine has.
    pub const PORTABLE: Self = Self(Kind::Portable);

    /// The best one this machine has.
    pub fn detect() -> Self {
        *Self::available().last().unwrap_or(&Self::PORTABLE)
    }

    /// All that this machine has, the slowest first.
    pub fn available() -> Vec<Self> {
        #[cfg_attr(any(not(target_arch = "x86_64"), miri), expect(unused_mut))]
        let mut found = vec![Self::PORTABLE];
        // Miri does not know the instructions.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            let has_avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            let has_avx512 = has_avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("gfni");
            found.extend(has_avx2.then_some(Self(Kind::Avx2)));
            found.extend(has_avx512.then_some(Self(Kind::Avx512)));
        }
        found
    }

    /// Does some work, compiled for this instruction set.
    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn avx2<W: Work>(work: W) -> W::Output {
            work.run(Avx2(()))
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,gfni")]
        fn avx512<W: Work>(work: W) -> W::Output {
            work.run(Avx512(()))
        }
        match self.0 {
            Kind::Portable => work.run(Portable),
            // SAFETY: only `available` makes this kind, on a machine that has all these features.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { avx2(work) },
            // SAFETY: only `available` makes this kind, on a machine that has all these features.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { avx512(work) },
        }
    }
}

impl fmt::Debug for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Something to do with whatever instructions there are.
pub(crate) trait Work {
    /// What comes out.
    type Output;

    /// Does it. To be marked `#[inline(always)]`, and so is everything that is to be compiled for
    /// the instruction set.
    fn run(self, isa: impl Isa) -> Self::Output;
}

/// The operations of an instruction set. Whoever has a value may use them: it exists only on a
/// machine that has the instructions.
pub(crate) trait Isa: Copy {
    /// The bits of `word` under `mask`, moved together at the low end.
    fn extract(self, word: u64, mask: u64) -> u64;
    /// The low bits of `word`, spread to the places set in `mask`.
    fn deposit(self, word: u64, mask: u64) -> u64;
    /// Transposes a 64x64 bit matrix: bit `j` of word `i` becomes bit `i` of word `j`.
    fn transpose(self, tile: &mut [u64; 64]);
}

/// What every machine can do.
#[derive(Clone, Copy, Debug)]
struct Portable;

impl Isa for Portable {
    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        bits::extract(word, mask)
    }

    #[inline(always)]
    fn deposit(self, word: u64, mask: u64) -> u64 {
        bits::deposit(word, mask)
    }

    #[inline(always)]
    fn transpose(self, tile: &mut [u64; 64]) {
        transpose::delta_swaps(tile);
    }
}

/// See [`Kind::Avx2`]. Made only where these instructions are enabled.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Isa for Avx2 {
    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        // SAFETY: there is an `Avx2` only on a machine with BMI2.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn deposit(self, word: u64, mask: u64) -> u64 {
        // SAFETY: there is an `Avx2` only on a machine with BMI2.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }

    #[inline(always)]
    fn transpose(self, tile: &mut [u64; 64]) {
        transpose::delta_swaps(tile);
    }
}

/// See [`Kind::Avx512`]. Made only where these instructions are enabled.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Isa for Avx512 {
    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        Avx2(()).extract(word, mask)
    }

    #[inline(always)]
    fn deposit(self, word: u64, mask: u64) -> u64 {
        Avx2(()).deposit(word, mask)
    }

    #[inline(always)]
    fn transpose(self, tile: &mut [u64; 64]) {
        // SAFETY: there is an `Avx512` only on a machine with AVX-512 F, BW, DQ, VL and GFNI.
        unsafe { transpose::avx512(tile) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Everything that an instruction set does.
    struct All {
        word: u64,
        mask: u64,
        tile: [u64; 64],
    }

    impl Work for All {
        type Output = (u64, u64, [u64; 64]);

        fn run(mut self, isa: impl Isa) -> Self::Output {
            isa.transpose(&mut self.tile);
            (isa.extract(self.word, self.mask), isa.deposit(self.word, self.mask), self.tile)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 256 }))]
        #[test]
        fn every_instruction_set_does_what_the_words_say(
            word: u64, mask: u64, more: u64, words in prop::collection::vec(any::<u64>(), 64),
        ) {
            let tile: [u64; 64] = words.try_into().unwrap();
            let turned = std::array::from_fn(|j| (0..64).map(|i| (tile[i] >> j & 1) << i).sum());
            for mask in [mask, mask & more, mask | more, 0, u64::MAX] {
                let (mut packed, mut spread, mut place) = (0, 0, 0);
                for bit in (0..64).filter(|bit| mask >> bit & 1 == 1) {
                    packed |= (word >> bit & 1) << place;
                    spread |= (word >> place & 1) << bit;
                    place += 1;
                }
                for isa in InstructionSet::available() {
                    let found = isa.run(All { word, mask, tile });
                    prop_assert_eq!(found, (packed, spread, turned), "{:?}", isa);
                }
            }
        }
    }
}
