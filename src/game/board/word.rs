//! The integer behind a set of squares: `u64` for boards of up to 64 squares, `u128` for all up to
//! 10x10; `u32` where tables hold many sets of boards of up to 32.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
}

/// An unsigned integer that can serve as a set of squares. Implemented for `u32`, `u64` and `u128`
/// only.
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
    /// Number of bits: 32, 64 or 128.
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
    /// The lowest [`Self::BITS`] bits of `wide`.
    fn truncate(wide: u128) -> Self;
    /// The same set in 128 bits.
    fn widen(self) -> u128;
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
            fn truncate(wide: u128) -> Self {
                wide as $int
            }
            #[inline(always)]
            fn widen(self) -> u128 {
                self as u128
            }
        }
    };
}

word!(u32);
word!(u64);
word!(u128);
