//! Sets of squares as the tables hold them: integers with a bit for each square.
//!
//! A board of up to 32 squares takes 32 bits, because lists of arrow sets and the lanes of the
//! kernels are then half as long; a larger one takes 64. Everything is written once over [`Mask`],
//! and compiled for both.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr};

use super::binomial::{NARROW, WIDE};
use crate::game::board::{Bitboard, SymmetryMap};

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
}

/// An integer that serves as a set, and as the number of a set among those of its size: `u32` or
/// `u64`.
pub trait Mask:
    sealed::Sealed
    + Copy
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The most elements: 32 or 64.
    const BITS: usize;

    /// One of these for each element.
    type Lanes: Copy + Debug + Send + Sync + AsRef<[Self]> + AsMut<[Self]>;

    /// The empty set in each lane.
    const EMPTY_LANES: Self::Lanes;

    /// How many `k`-subsets a set of `n` has, for `n` and `k` of at most [`Self::BITS`].
    fn binomial(n: usize, k: usize) -> Self;

    /// The set as a word.
    fn word(self) -> u64;

    /// The lowest [`Self::BITS`] bits of a word.
    fn of(word: u64) -> Self;

    /// How many elements there are.
    fn len(self) -> usize;

    /// The smallest element; [`Self::BITS`] of the empty set.
    fn lowest(self) -> usize;

    /// Whether there is no element.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// The set without its smallest element.
    fn without_lowest(self) -> Self;

    /// The set of one element.
    #[inline(always)]
    fn single(element: usize) -> Self {
        Self::of(1) << element as u32
    }

    /// The elements below this one, which is below [`Self::BITS`].
    fn below(element: usize) -> Self;

    /// Whether an element is in the set.
    #[inline(always)]
    fn has(self, element: usize) -> bool {
        !(self & Self::single(element)).is_empty()
    }

    /// The sum as integers, `None` if it does not fit.
    fn checked_add(self, other: Self) -> Option<Self>;

    /// The difference as integers, modulo two to [`Self::BITS`].
    fn wrapping_sub(self, other: Self) -> Self;

    /// The bits that are set in one of the two.
    fn xor(self, other: Self) -> Self;

    /// Bytes of the sets that [`Self::image`] takes, on a board of so many squares.
    fn bytes(squares: usize) -> usize;

    /// The image of a set under a symmetry, as a table for sets of [`Self::bytes`] bytes.
    fn image(self, map: &SymmetryMap<Self>) -> Self;
}

macro_rules! mask {
    ($int:ty, $triangle:ident, $bytes:expr, $image:expr) => {
        impl Mask for $int {
            const BITS: usize = <$int>::BITS as usize;
            type Lanes = [Self; Self::BITS as usize];
            const EMPTY_LANES: Self::Lanes = [0; Self::BITS as usize];

            #[inline(always)]
            fn binomial(n: usize, k: usize) -> Self {
                $triangle[n][k]
            }
            #[inline(always)]
            fn word(self) -> u64 {
                self.into()
            }
            #[inline(always)]
            fn of(word: u64) -> Self {
                word as Self
            }
            #[inline(always)]
            fn len(self) -> usize {
                self.count_ones() as usize
            }
            #[inline(always)]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn below(element: usize) -> Self {
                (1 << element) - 1
            }
            #[inline(always)]
            fn checked_add(self, other: Self) -> Option<Self> {
                self.checked_add(other)
            }
            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn bytes(squares: usize) -> usize {
                $bytes(squares)
            }
            #[inline(always)]
            fn image(self, map: &SymmetryMap<Self>) -> Self {
                $image(self, map)
            }
        }
    };
}

mask!(u32, NARROW, |_| size_of::<u32>(), |set: u32, map: &SymmetryMap<u32>| map.image_of::<{
    size_of::<u32>()
}>(
    set.to_le_bytes()
));
mask!(u64, WIDE, |squares: usize| squares.div_ceil(8), |set, map: &SymmetryMap<u64>| map
    .image(Bitboard::from_word(set)));
