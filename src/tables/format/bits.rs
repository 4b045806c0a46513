//! Parallel extraction and deposit of bits: BMI2 has one instruction for each; elsewhere the loops
//! of [`crate::machine::bits`] stand in.
#![allow(unsafe_code)]

use crate::machine::bits;

/// Extraction and deposit, chosen once at run time; a type so that loops are compiled for each
/// choice.
pub(super) trait Bits: Copy {
    /// The bits of `word` under `mask`, moved together at the low end.
    fn extract(self, word: u64, mask: u64) -> u64;
    /// The low bits of `word`, spread to the places set in `mask`.
    fn deposit(self, word: u64, mask: u64) -> u64;
}

/// What any machine can do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Bits for Portable {
    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        bits::extract(word, mask)
    }

    #[inline(always)]
    fn deposit(self, word: u64, mask: u64) -> u64 {
        bits::deposit(word, mask)
    }
}

/// A loop that is compiled for each kind of [`Bits`].
pub(super) trait Work {
    /// Does the work.
    fn run(self, bits: impl Bits);
}

/// Does the work with the fastest bits this machine has.
#[inline]
pub(super) fn with_bits(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt") {
        // SAFETY: this machine has BMI2 and POPCNT.
        return unsafe { bmi2::run(work) };
    }
    work.run(Portable);
}

#[cfg(target_arch = "x86_64")]
pub(super) mod bmi2 {
    use std::arch::x86_64::{_pdep_u64, _pext_u64};

    use super::{Bits, Work};

    /// BMI2. Only [`run`] makes one, where the instructions are enabled.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Bmi2(());

    impl Bits for Bmi2 {
        #[inline(always)]
        fn extract(self, word: u64, mask: u64) -> u64 {
            // SAFETY: a `Bmi2` exists only where BMI2 was detected.
            unsafe { _pext_u64(word, mask) }
        }

        #[inline(always)]
        fn deposit(self, word: u64, mask: u64) -> u64 {
            // SAFETY: a `Bmi2` exists only where BMI2 was detected.
            unsafe { _pdep_u64(word, mask) }
        }
    }

    /// Runs the work compiled for BMI2 and POPCNT.
    #[target_feature(enable = "bmi2,popcnt,bmi1,lzcnt")]
    pub(in super::super) fn run(work: impl Work) {
        work.run(Bmi2(()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Compare {
        word: u64,
        mask: u64,
    }

    impl Work for Compare {
        fn run(self, bits: impl Bits) {
            let Self { word, mask } = self;
            let packed = Portable.extract(word, mask);
            assert_eq!(bits.extract(word, mask), packed);
            assert_eq!(bits.deposit(word, mask), Portable.deposit(word, mask));
            assert_eq!(bits.deposit(packed, mask), word & mask);
        }
    }

    proptest! {
        #[test]
        fn all_kinds_agree_and_deposit_undoes_extract(word: u64, mask: u64, more: u64) {
            for mask in [mask, mask & more, mask | more, 0, u64::MAX] {
                with_bits(Compare { word, mask });
            }
        }
    }
}
