//! The integer behind a set of squares: `u64` for boards of up to 64 squares, `u128` for those of
//! up to 128, so 10x10, [`U512`] for every board; `u32` where tables hold many sets of boards of up
//! to 32.
//!
//! What works on any board and is quick enough as it is takes [`U512`]. What must be quick is
//! generic, and `in_word!` runs it in the word that fits the board.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use super::U512;

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
    impl Sealed for super::U512 {}
}

/// An unsigned integer that can serve as a set of squares. Implemented for `u32`, `u64`, `u128` and
/// [`U512`] only. [`Self::BITS`] is a power of two.
pub trait Word:
    sealed::Sealed
    + Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Number of bits: 32, 64, 128 or 512.
    const BITS: u32;
    /// No bit set.
    const ZERO: Self;
    /// Bit 0 alone.
    const ONE: Self;
    /// Every bit set.
    const MAX: Self;

    /// How many bits are set.
    fn count_ones(self) -> u32;
    /// Index of the lowest set bit, `BITS` for zero.
    fn trailing_zeros(self) -> u32;
    /// Number of zeros above the highest set bit, `BITS` for zero.
    fn leading_zeros(self) -> u32;
    /// Subtraction modulo `2^BITS`.
    fn wrapping_sub(self, other: Self) -> Self;
    /// The lowest [`Self::BITS`] bits of `low`.
    fn from_low(low: u64) -> Self;
    /// The lowest 64 bits.
    fn low(self) -> u64;
    /// The lowest [`Self::BITS`] bits of `wide`.
    fn truncate(wide: U512) -> Self;
    /// The same set in 512 bits.
    fn widen(self) -> U512;
}

macro_rules! word {
    ($int:ty) => {
        impl Word for $int {
            const BITS: u32 = <$int>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const MAX: Self = <$int>::MAX;

            #[inline(always)]
            fn count_ones(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn trailing_zeros(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn leading_zeros(self) -> u32 {
                self.leading_zeros()
            }
            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn from_low(low: u64) -> Self {
                low as $int
            }
            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn truncate(wide: U512) -> Self {
                wide.low_128() as $int
            }
            #[inline(always)]
            fn widen(self) -> U512 {
                U512::from(self as u128)
            }
        }
    };
}

word!(u32);
word!(u64);
word!(u128);

impl Word for U512 {
    const BITS: u32 = Self::BITS;
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;
    const MAX: Self = Self::MAX;

    #[inline]
    fn count_ones(self) -> u32 {
        self.count_ones()
    }
    #[inline]
    fn trailing_zeros(self) -> u32 {
        self.trailing_zeros()
    }
    #[inline]
    fn leading_zeros(self) -> u32 {
        self.leading_zeros()
    }
    #[inline]
    fn wrapping_sub(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn from_low(low: u64) -> Self {
        Self::from_low(low)
    }
    #[inline(always)]
    fn low(self) -> u64 {
        self.low()
    }
    #[inline(always)]
    fn truncate(wide: U512) -> Self {
        wide
    }
    #[inline(always)]
    fn widen(self) -> U512 {
        self
    }
}
