//! Lossless keys: a position as a number, scrambled by an invertible map.
//!
//! Each of the N squares of the ground has two bits, in two planes of N bits:
//!
//! ```text
//!              unused  empty  mover  opponent
//! low plane       0      1      0       1
//! high plane      0      0      1       1
//! ```
//!
//! Three rounds of a Feistel network stir the planes: each round adds to one plane a function of
//! the other alone, so it can be undone whatever the function is. The result is a bijection on 2N
//! bits; its low bits choose a bucket of the table and the others are stored there. Two positions
//! with the same bucket and the same stored bits are the same position: no collision can forge a
//! proof.

use super::canonical::RegionSquares;
use crate::game::board::Word;
use crate::game::ground::Ground;
use crate::machine::busy::LowBits;

/// A scrambled position. Equal keys on one ground are equal positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::search) struct Key(u128);

impl LowBits for Key {
    #[inline(always)]
    fn low_bits(self) -> usize {
        self.0 as usize
    }
}

impl Key {
    /// The number: 2N bits.
    #[inline(always)]
    pub(in crate::search) fn value(self) -> u128 {
        self.0
    }

    /// The key with the given number, which must come from [`Key::value`].
    #[inline(always)]
    pub(in crate::search) fn from_value(value: u128) -> Self {
        Self(value)
    }
}

/// Makes the keys of one ground.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Scrambler<W: Word = u64> {
    ground: Ground<W>,
    mask: u64,
    squares: u32,
    rounds: [u64; 3],
}

impl<W: Word> Scrambler<W> {
    /// For a ground and a seed; the seed only changes which positions share a bucket.
    pub(in crate::search) fn new(ground: Ground<W>, seed: u64) -> Self {
        let base = [0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9];
        let rounds = base.map(|word: u64| word ^ seed.wrapping_mul(0xD6E8_FEB8_6659_FD93) << 1);
        // A ground without squares has no positions with a key.
        let squares = ground.len() as u32;
        Self { ground, mask: u64::MAX >> (64 - squares.max(1)), squares: squares.max(1), rounds }
    }

    /// The squares that keys are about.
    pub(in crate::search) fn ground(&self) -> &Ground<W> {
        &self.ground
    }

    /// Number of bits of a key, twice the squares.
    pub(in crate::search) fn bits(&self) -> u32 {
        2 * self.squares
    }

    /// The key of some squares.
    #[inline(always)]
    pub(in crate::search) fn key(&self, squares: &RegionSquares<W>) -> Key {
        let mut low = self.ground.gather(squares.empty | squares.opponent);
        let mut high = self.ground.gather(squares.mover | squares.opponent);
        low ^= fold(high, self.rounds[0]) & self.mask;
        high ^= fold(low, self.rounds[1]) & self.mask;
        low ^= fold(high, self.rounds[2]) & self.mask;
        Key(u128::from(low) | u128::from(high) << self.squares)
    }

    /// The squares of a key, the inverse of [`Scrambler::key`].
    pub(in crate::search) fn squares(&self, key: Key) -> RegionSquares<W> {
        let mut low = key.0 as u64 & self.mask;
        let mut high = (key.0 >> self.squares) as u64 & self.mask;
        low ^= fold(high, self.rounds[2]) & self.mask;
        high ^= fold(low, self.rounds[1]) & self.mask;
        low ^= fold(high, self.rounds[0]) & self.mask;
        let set = |bits| self.ground.spread(bits);
        RegionSquares {
            empty: set(low & !high),
            mover: set(high & !low),
            opponent: set(low & high),
        }
    }
}

/// Both halves of the product, added without carry.
#[inline(always)]
fn fold(word: u64, factor: u64) -> u64 {
    let product = u128::from(word ^ factor) * u128::from(factor | 1);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{Bitboard, Board};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_key_gives_its_squares_back(columns in 1..=8usize, rows in 1..=8usize, seed: u64, a: u64, b: u64, c: u64) {
            let board = Board::new(columns, rows).unwrap();
            let scrambler = Scrambler::new(Ground::whole(board), seed);
            let [a, b, c] = [a, b, c].map(|word| Bitboard::from_word(word) & board.all());
            let squares = RegionSquares { empty: a, mover: b.without(a), opponent: c.without(a | b) };
            let key = scrambler.key(&squares);
            prop_assert_eq!(scrambler.squares(key), squares);
            prop_assert!(scrambler.bits() == 128 || key.value() >> scrambler.bits() == 0);
        }
    }
}
