//! Dyadic rationals `numerator / 2^exponent`: the numbers among the values of short games.
//!
//! Always in lowest terms, so equal numbers have equal fields. Arithmetic is exact for numbers
//! below [`Dyadic::MAX_NUMERATOR`] with exponents up to [`Dyadic::MAX_EXPONENT`]; a board of 64
//! squares stays far inside, and [`Dyadic::new`] refuses what is outside.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A dyadic rational in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dyadic {
    /// Odd, unless the exponent is 0.
    numerator: i64,
    exponent: u8,
}

impl Dyadic {
    /// Numerators read from outside stay below this, in absolute value.
    pub const MAX_NUMERATOR: i64 = 1 << 24;
    /// Largest exponent of two in a denominator read from outside.
    pub const MAX_EXPONENT: u8 = 24;
    /// 0.
    pub const ZERO: Self = Self::integer(0);

    /// `numerator / 2^exponent`, `None` if it is out of range.
    pub fn new(numerator: i64, exponent: u8) -> Option<Self> {
        let in_range = numerator.abs() < Self::MAX_NUMERATOR && exponent <= Self::MAX_EXPONENT;
        in_range.then(|| Self::reduced(numerator, exponent))
    }

    /// A whole number.
    pub const fn integer(number: i32) -> Self {
        Self { numerator: number as i64, exponent: 0 }
    }

    fn reduced(numerator: i64, exponent: u8) -> Self {
        let shift = numerator.trailing_zeros().min(exponent as u32);
        Self { numerator: numerator >> shift, exponent: exponent - shift as u8 }
    }

    /// The numerator in lowest terms.
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// The denominator in lowest terms is two to this power.
    pub fn exponent(self) -> u8 {
        self.exponent
    }

    /// The whole number that this is, if it is one.
    pub fn to_integer(self) -> Option<i64> {
        (self.exponent == 0).then_some(self.numerator)
    }

    /// The largest whole number that is not above this.
    pub fn floor(self) -> i64 {
        self.numerator >> self.exponent
    }

    /// Half of it.
    pub fn half(self) -> Self {
        Self::reduced(self.numerator, self.exponent + 1)
    }

    /// Two to the power of minus `exponent`.
    pub(super) fn unit(exponent: u8) -> Self {
        Self { numerator: 1, exponent }
    }

    /// The numerators of both over their common denominator.
    #[inline]
    fn aligned(self, other: Self) -> (i64, i64, u8) {
        let exponent = self.exponent.max(other.exponent);
        (
            self.numerator << (exponent - self.exponent),
            other.numerator << (exponent - other.exponent),
            exponent,
        )
    }

    /// The *simplest* number (the one born first) within bounds, each a number and whether it is
    /// itself allowed; `None` is no bound. `None` if no number lies between.
    ///
    /// Integers come before fractions and small absolute values before large ones; among fractions
    /// the smallest denominator wins, and it is unique once no smaller denominator has a multiple
    /// in the interval.
    pub fn simplest(lower: Option<(Self, bool)>, upper: Option<(Self, bool)>) -> Option<Self> {
        let above =
            |x: Self| lower.is_none_or(|(bound, closed)| x > bound || (closed && x == bound));
        let below =
            |x: Self| upper.is_none_or(|(bound, closed)| x < bound || (closed && x == bound));
        if above(Self::ZERO) && below(Self::ZERO) {
            return Some(Self::ZERO);
        }
        if !below(Self::ZERO) {
            // Everything allowed is negative: mirror it.
            let mirrored = |bound: Option<(Self, bool)>| bound.map(|(x, closed)| (-x, closed));
            return if above(Self::ZERO)
                || lower.is_none()
                || lower.is_some_and(|(x, _)| x < Self::ZERO)
            {
                Self::simplest_positive(mirrored(upper)?, mirrored(lower)).map(|x| -x)
            } else {
                None
            };
        }
        Self::simplest_positive(lower?, upper)
    }

    /// The same for a lower bound that is not negative and excludes 0.
    fn simplest_positive(lower: (Self, bool), upper: Option<(Self, bool)>) -> Option<Self> {
        let (low, closed) = lower;
        if let Some((high, high_closed)) = upper
            && (high < low || (high == low && !(closed && high_closed)))
        {
            return None;
        }
        for exponent in 0..=62 - Self::MAX_EXPONENT {
            let scaled = Self { numerator: low.numerator << exponent, exponent: low.exponent };
            let mut next = scaled.floor();
            if Self::reduced(next, exponent) < low
                || (!closed && Self::reduced(next, exponent) == low)
            {
                next += 1;
            }
            let candidate = Self::reduced(next, exponent);
            if upper.is_none_or(|(high, closed)| candidate < high || (closed && candidate == high))
            {
                return Some(candidate);
            }
        }
        None
    }
}

impl Ord for Dyadic {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        if self.exponent == other.exponent {
            return self.numerator.cmp(&other.numerator);
        }
        let (a, b, _) = self.aligned(*other);
        a.cmp(&b)
    }
}

impl PartialOrd for Dyadic {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add for Dyadic {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (a, b, exponent) = self.aligned(other);
        Self::reduced(a + b, exponent)
    }
}

impl Sub for Dyadic {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Dyadic {
    type Output = Self;
    fn neg(self) -> Self {
        Self { numerator: -self.numerator, exponent: self.exponent }
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exponent {
            0 => write!(f, "{}", self.numerator),
            exponent => write!(f, "{}/{}", self.numerator, 1u64 << exponent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = Dyadic> {
        (-200..200i64, 0..5u8)
            .prop_map(|(numerator, exponent)| Dyadic::new(numerator, exponent).unwrap())
    }

    /// How many days until the number is born.
    fn birthday(x: Dyadic) -> u64 {
        let whole = x.numerator().unsigned_abs() >> x.exponent();
        match x.exponent() {
            0 => whole,
            exponent => whole + 1 + u64::from(exponent),
        }
    }

    proptest! {
        #[test]
        fn simplest_is_born_first(a in number(), b in number(), closed_a: bool, closed_b: bool) {
            let inside = |x: Dyadic| (x > a || closed_a && x == a) && (x < b || closed_b && x == b);
            let found = Dyadic::simplest(Some((a, closed_a)), Some((b, closed_b)));
            prop_assert_eq!(found.is_some(), a < b || (a == b && closed_a && closed_b));
            if let Some(found) = found {
                prop_assert!(inside(found));
                for numerator in -13_000..13_000 {
                    let x = Dyadic::new(numerator, 6).unwrap();
                    prop_assert!(!inside(x) || x == found || birthday(x) > birthday(found), "{x} {found}");
                }
            }
            let mirrored = Dyadic::simplest(Some((-b, closed_b)), Some((-a, closed_a)));
            prop_assert_eq!(mirrored, found.map(|x| -x));
        }

        #[test]
        fn arithmetic_is_exact(a in number(), b in number()) {
            prop_assert_eq!(a + b - b, a);
            prop_assert_eq!(a.half() + a.half(), a);
            prop_assert_eq!(a.cmp(&b), (a - b).cmp(&Dyadic::ZERO));
            prop_assert!(Dyadic::integer(a.floor() as i32) <= a && a < Dyadic::integer(a.floor() as i32 + 1));
        }
    }

    #[test]
    fn one_sided_bounds() {
        let half = Dyadic::new(1, 1).unwrap();
        assert_eq!(Dyadic::simplest(None, None), Some(Dyadic::ZERO));
        assert_eq!(Dyadic::simplest(Some((half, false)), None), Some(Dyadic::integer(1)));
        assert_eq!(Dyadic::simplest(None, Some((-half, true))), Some(Dyadic::integer(-1)));
        assert_eq!(
            Dyadic::simplest(Some((Dyadic::integer(2), true)), None),
            Some(Dyadic::integer(2))
        );
    }
}
