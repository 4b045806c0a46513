//! An unsigned integer of 512 bits: a set of squares for boards that no integer of the language
//! holds.
//!
//! It has what [`Word`](super::Word) asks for and no more, so no multiplication and no division. A
//! crate of wide integers would bring those, and its own ways to say overflow and shifts. The limbs
//! are 64 bits each, the lowest first. Every operation is one loop over all limbs without a branch,
//! which compilers turn into vector instructions.

use std::cmp::Ordering;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

const LIMBS: usize = 8;

/// An unsigned integer of 512 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct U512([u64; LIMBS]);

impl U512 {
    /// Number of bits.
    pub const BITS: u32 = LIMBS as u32 * u64::BITS;
    /// No bit set.
    pub const ZERO: Self = Self([0; LIMBS]);
    /// Bit 0 alone.
    pub const ONE: Self = Self::from_low(1);
    /// Every bit set.
    pub const MAX: Self = Self([u64::MAX; LIMBS]);

    /// The number of 64 bits.
    #[inline(always)]
    pub const fn from_low(low: u64) -> Self {
        let mut limbs = [0; LIMBS];
        limbs[0] = low;
        Self(limbs)
    }

    /// The lowest 64 bits.
    #[inline(always)]
    pub const fn low(self) -> u64 {
        self.0[0]
    }

    /// The lowest 128 bits.
    #[inline(always)]
    pub const fn low_128(self) -> u128 {
        self.0[0] as u128 | (self.0[1] as u128) << 64
    }

    /// How many bits are set.
    #[inline]
    pub fn count_ones(self) -> u32 {
        self.0.iter().map(|limb| limb.count_ones()).sum()
    }

    /// Index of the lowest set bit, [`Self::BITS`] for zero.
    #[inline]
    pub fn trailing_zeros(self) -> u32 {
        let lowest = self.0.iter().position(|&limb| limb != 0);
        lowest.map_or(Self::BITS, |at| at as u32 * u64::BITS + self.0[at].trailing_zeros())
    }

    /// Number of zeros above the highest set bit, [`Self::BITS`] for zero.
    #[inline]
    pub fn leading_zeros(self) -> u32 {
        let above = self.0.iter().rev().position(|&limb| limb != 0);
        above.map_or(Self::BITS, |above| {
            above as u32 * u64::BITS + self.0[LIMBS - 1 - above].leading_zeros()
        })
    }

    /// Subtraction modulo `2^512`.
    #[inline]
    pub fn wrapping_sub(self, other: Self) -> Self {
        let mut borrow = false;
        Self(std::array::from_fn(|at| {
            let (difference, first) = self.0[at].overflowing_sub(other.0[at]);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            borrow = first | second;
            difference
        }))
    }

    /// The 32 bits from bit `at` on.
    ///
    /// # Panics
    /// If `at` is not below [`Self::BITS`].
    #[inline]
    pub fn bits_at(self, at: u32) -> u32 {
        let (limb, by) = ((at / u64::BITS) as usize, at % u64::BITS);
        let above = self.0.get(limb + 1).copied().unwrap_or(0);
        ((u128::from(self.0[limb]) | u128::from(above) << 64) >> by) as u32
    }

    /// The same bits, and those of `bits` from bit `at` on; bits beyond the last are lost.
    ///
    /// # Panics
    /// If `at` is not below [`Self::BITS`].
    #[inline]
    pub fn with_bits_at(mut self, bits: u32, at: u32) -> Self {
        let (limb, wide) = ((at / u64::BITS) as usize, u128::from(bits) << (at % u64::BITS));
        self.0[limb] |= wide as u64;
        if let Some(above) = self.0.get_mut(limb + 1) {
            *above |= (wide >> 64) as u64;
        }
        self
    }
}

impl From<u128> for U512 {
    #[inline(always)]
    fn from(number: u128) -> Self {
        let mut limbs = [0; LIMBS];
        (limbs[0], limbs[1]) = (number as u64, (number >> 64) as u64);
        Self(limbs)
    }
}

impl PartialOrd for U512 {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for U512 {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl BitAnd for U512 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }
}

impl BitOr for U512 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }
}

impl BitXor for U512 {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] ^ other.0[at]))
    }
}

impl Not for U512 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|limb| !limb))
    }
}

/// Shifts are by less than [`U512::BITS`], as those of the integers of the language.
impl Shl<u32> for U512 {
    type Output = Self;
    #[inline]
    fn shl(self, by: u32) -> Self {
        debug_assert!(by < Self::BITS, "a shift by {by} bits");
        let (limbs, bits) = ((by / u64::BITS) as usize, by % u64::BITS);
        let limb = |at: usize| at.checked_sub(limbs).map_or(0, |from| self.0[from]);
        Self(std::array::from_fn(|at| {
            let below = at.checked_sub(1).map_or(0, limb);
            limb(at) << bits | (below >> 1) >> (u64::BITS - 1 - bits)
        }))
    }
}

/// As for [`Shl`].
impl Shr<u32> for U512 {
    type Output = Self;
    #[inline]
    fn shr(self, by: u32) -> Self {
        debug_assert!(by < Self::BITS, "a shift by {by} bits");
        let (limbs, bits) = ((by / u64::BITS) as usize, by % u64::BITS);
        let limb = |at: usize| self.0.get(at + limbs).copied().unwrap_or(0);
        Self(std::array::from_fn(|at| {
            limb(at) >> bits | (limb(at + 1) << 1) << (u64::BITS - 1 - bits)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The bits one by one, the lowest first.
    fn bits(number: U512) -> Vec<bool> {
        (0..512).map(|at| number.0[at / 64] >> (at % 64) & 1 != 0).collect()
    }

    fn number(bits: impl Iterator<Item = bool>) -> U512 {
        let mut limbs = [0; LIMBS];
        for (at, bit) in bits.enumerate() {
            limbs[at / 64] |= u64::from(bit) << (at % 64);
        }
        U512(limbs)
    }

    /// Numbers with long runs of zeros and ones among others.
    fn arb() -> impl Strategy<Value = U512> {
        let limb = prop_oneof![Just(0), Just(u64::MAX), Just(1), Just(1 << 63), any::<u64>()];
        prop::array::uniform8(limb).prop_map(U512)
    }

    proptest! {
        #[test]
        fn operations_are_those_of_the_bits(a in arb(), b in arb(), by in 0..512usize) {
            let (x, y) = (bits(a), bits(b));
            let each = |of: fn(bool, bool) -> bool| number(x.iter().zip(&y).map(|(&x, &y)| of(x, y)));
            prop_assert_eq!(a & b, each(|x, y| x & y));
            prop_assert_eq!(a | b, each(|x, y| x | y));
            prop_assert_eq!(a ^ b, each(|x, y| x ^ y));
            prop_assert_eq!(!a, each(|x, _| !x));
            let zeros = std::iter::repeat_n(false, by);
            prop_assert_eq!(a << by as u32, number(zeros.chain(x[..512 - by].iter().copied())));
            prop_assert_eq!(a >> by as u32, number(x[by..].iter().copied()));
            let ones = x.iter().filter(|&&bit| bit).count();
            prop_assert_eq!(a.count_ones() as usize, ones);
            prop_assert_eq!(a.trailing_zeros() as usize, x.iter().position(|&bit| bit).unwrap_or(512));
            let above = x.iter().rev().position(|&bit| bit).unwrap_or(512);
            prop_assert_eq!(a.leading_zeros() as usize, above);
            prop_assert_eq!(a.cmp(&b), x.iter().rev().cmp(y.iter().rev()));
            let mut borrow = 0;
            let difference = x.iter().zip(&y).map(|(&x, &y)| {
                let digit = i32::from(x) - i32::from(y) - borrow;
                borrow = i32::from(digit < 0);
                digit & 1 != 0
            });
            prop_assert_eq!(a.wrapping_sub(b), number(difference));
        }

        #[test]
        fn pieces_are_those_of_shifts(a in arb(), piece: u32, at in 0..512u32, low: u128) {
            prop_assert_eq!(a.bits_at(at), (a >> at).low() as u32);
            let placed = U512::from_low(piece.into()) << at;
            prop_assert_eq!(a.with_bits_at(piece, at), a | placed);
            prop_assert_eq!(U512::from(low).low_128(), low);
            prop_assert_eq!(U512::from(low).low(), low as u64);
        }
    }
}
