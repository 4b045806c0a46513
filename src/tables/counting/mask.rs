//! Sets of squares as the tables hold them: integers with a bit for each square.
//!
//! A board of up to 32 squares takes 32 bits, because lists of arrow sets and the lanes of the
//! kernels are then half as long; a larger one takes 64. Everything is written once over [`Mask`],
//! and compiled for both.

use std::ops::{BitAndAssign, BitOrAssign};

use super::binomial::{NARROW, WIDE};
use crate::game::board::{Bitboard, SymmetryMap, Word};

/// A word that serves as a set, and as the number of a set among those of its size: `u32` or `u64`.
pub trait Mask: Word + BitAndAssign + BitOrAssign {
    /// The most squares: 32 or 64.
    const SQUARES: usize = Self::BITS as usize;

    /// One of these for each square.
    type Lanes: Copy + std::fmt::Debug + Send + Sync + AsRef<[Self]> + AsMut<[Self]>;

    /// The empty set in each lane.
    const EMPTY_LANES: Self::Lanes;

    /// How many `k`-subsets a set of `n` has, for `n` and `k` of at most [`Self::SQUARES`].
    fn binomial(n: usize, k: usize) -> Self;

    /// The sum as integers, `None` if it does not fit.
    fn checked_add(self, other: Self) -> Option<Self>;

    /// Bytes of the sets that [`Self::image`] takes, on a board of so many squares.
    fn bytes(squares: usize) -> usize;

    /// The image of a set under a symmetry, as a table for sets of [`Self::bytes`] bytes.
    fn image(self, map: &SymmetryMap<Self>) -> Self;

    /// The set in 64 bits.
    #[inline(always)]
    fn word(self) -> u64 {
        self.low()
    }

    /// The lowest [`Self::SQUARES`] bits of a word.
    #[inline(always)]
    fn of(word: u64) -> Self {
        Self::from_low(word)
    }

    /// How many squares there are.
    #[inline(always)]
    fn len(self) -> usize {
        self.count_ones() as usize
    }

    /// The lowest square; [`Self::SQUARES`] of the empty set.
    #[inline(always)]
    fn lowest(self) -> usize {
        self.trailing_zeros() as usize
    }

    /// Whether there is no square.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }

    /// The set without its lowest square.
    #[inline(always)]
    fn without_lowest(self) -> Self {
        self & self.wrapping_sub(Self::ONE)
    }

    /// The set of one square.
    #[inline(always)]
    fn single(square: usize) -> Self {
        Self::ONE << square as u32
    }

    /// The squares below this one, which is below [`Self::SQUARES`].
    #[inline(always)]
    fn below(square: usize) -> Self {
        Self::single(square).wrapping_sub(Self::ONE)
    }

    /// Whether a square is in the set.
    #[inline(always)]
    fn has(self, square: usize) -> bool {
        !(self & Self::single(square)).is_empty()
    }
}

impl Mask for u32 {
    type Lanes = [Self; 32];
    const EMPTY_LANES: Self::Lanes = [0; 32];

    #[inline(always)]
    fn binomial(n: usize, k: usize) -> Self {
        NARROW[n][k]
    }

    #[inline(always)]
    fn checked_add(self, other: Self) -> Option<Self> {
        self.checked_add(other)
    }

    #[inline(always)]
    fn bytes(_: usize) -> usize {
        size_of::<Self>()
    }

    #[inline(always)]
    fn image(self, map: &SymmetryMap<Self>) -> Self {
        map.image_of(self.to_le_bytes())
    }
}

impl Mask for u64 {
    type Lanes = [Self; 64];
    const EMPTY_LANES: Self::Lanes = [0; 64];

    #[inline(always)]
    fn binomial(n: usize, k: usize) -> Self {
        WIDE[n][k]
    }

    #[inline(always)]
    fn checked_add(self, other: Self) -> Option<Self> {
        self.checked_add(other)
    }

    #[inline(always)]
    fn bytes(squares: usize) -> usize {
        squares.div_ceil(8)
    }

    #[inline(always)]
    fn image(self, map: &SymmetryMap<Self>) -> Self {
        map.image(Bitboard::from_word(self))
    }
}
