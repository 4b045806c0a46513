//! Sets of squares, one bit a square.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor};

use super::{SquareIndex, U512, Word};

/// A set of squares: square `i` is bit `i` of the word. There is no complement, because a bitboard
/// does not know its board: take [`Bitboard::without`] from [`Board::all`](super::Board::all).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard<W = u64>(W);

impl<W: Word> Bitboard<W> {
    /// The empty set.
    pub const EMPTY: Self = Self(W::ZERO);

    /// The set whose bits are those of `word`.
    #[inline(always)]
    pub const fn from_word(word: W) -> Self {
        Self(word)
    }

    /// The bits.
    #[inline(always)]
    pub fn word(self) -> W {
        self.0
    }

    /// The set of one square.
    #[inline(always)]
    pub fn of(square: SquareIndex) -> Self {
        Self(W::ONE << square.index() as u32)
    }

    /// Number of squares.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no square is in the set.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == W::ZERO
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub fn contains(self, square: SquareIndex) -> bool {
        !(self & Self::of(square)).is_empty()
    }

    /// Whether the two sets share a square.
    #[inline(always)]
    pub fn intersects(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Whether every square of this set is in `other`.
    #[inline(always)]
    pub fn is_subset(self, other: Self) -> bool {
        self.without(other).is_empty()
    }

    /// The squares of this set that are not in `other`.
    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// This set and one square more.
    #[inline(always)]
    pub fn with(self, square: SquareIndex) -> Self {
        self | Self::of(square)
    }

    /// The lowest square, `None` for the empty set.
    #[inline(always)]
    pub fn first(self) -> Option<SquareIndex> {
        (!self.is_empty()).then(|| SquareIndex::new(self.0.trailing_zeros() as u16))
    }

    /// The lowest square as a set; empty for the empty set.
    #[inline(always)]
    pub fn lowest(self) -> Self {
        Self(self.0 & W::ZERO.wrapping_sub(self.0))
    }

    /// The squares in increasing order.
    #[inline(always)]
    pub fn iter(self) -> Squares<W> {
        Squares(self.0)
    }

    /// The same set in a word that has a bit for every square of any board.
    #[inline]
    pub fn widen(self) -> Bitboard<U512> {
        Bitboard(self.0.widen())
    }

    /// The same set in another word, `None` if a square does not fit.
    #[inline]
    pub fn resize<V: Word>(self) -> Option<Bitboard<V>> {
        let word = V::truncate(self.0.widen());
        (word.widen() == self.0.widen()).then_some(Bitboard(word))
    }
}

impl<W: Word> FromIterator<SquareIndex> for Bitboard<W> {
    fn from_iter<I: IntoIterator<Item = SquareIndex>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set.with(square))
    }
}

impl<W: Word> IntoIterator for Bitboard<W> {
    type Item = SquareIndex;
    type IntoIter = Squares<W>;

    #[inline(always)]
    fn into_iter(self) -> Squares<W> {
        self.iter()
    }
}

/// The squares of a [`Bitboard`] in increasing order.
#[derive(Clone, Debug)]
pub struct Squares<W>(W);

impl<W: Word> Iterator for Squares<W> {
    type Item = SquareIndex;

    #[inline(always)]
    fn next(&mut self) -> Option<SquareIndex> {
        if self.0 == W::ZERO {
            return None;
        }
        let square = SquareIndex::new(self.0.trailing_zeros() as u16);
        self.0 = self.0 & self.0.wrapping_sub(W::ONE);
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl<W: Word> ExactSizeIterator for Squares<W> {}

impl<W: Word> BitAnd for Bitboard<W> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl<W: Word> BitOr for Bitboard<W> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl<W: Word> BitXor for Bitboard<W> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl<W: Word> BitOrAssign for Bitboard<W> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<W: Word> BitAndAssign for Bitboard<W> {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<W: Word> fmt::Debug for Bitboard<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
