//! Dyadic rationals `numerator / 2^exponent`: the numbers among the values of short games.
//!
//! Always in lowest terms, so equal numbers have equal fields. Arithmetic is exact: what does not
//! fit, two numbers brought to their common denominator among it, panics and never wraps. A board
//! of 64 squares stays far inside. What is read from outside is smaller: [`Dyadic::new`] for
//! numbers, [`Values::is_in_range`](super::Values::is_in_range) for all values.

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
    /// Numbers read from outside stay below this, in absolute value.
    pub const LIMIT: i32 = 1 << 24;
    /// Largest exponent of two in a denominator read from outside.
    pub const MAX_EXPONENT: u8 = 24;
    /// Largest exponent of all: the denominator is an `i64`.
    const LARGEST_EXPONENT: u8 = 62;
    /// 0.
    pub const ZERO: Self = Self::integer(0);

    /// `numerator / 2^exponent`, `None` if it is out of range.
    pub fn new(numerator: i64, exponent: u8) -> Option<Self> {
        let number =
            (exponent <= Self::MAX_EXPONENT).then(|| Self::reduced(numerator, exponent))?;
        number.is_in_range().then_some(number)
    }

    /// Whether [`Self::new`] makes it.
    pub(super) fn is_in_range(self) -> bool {
        self.whole_part() < Self::LIMIT as u64 && self.exponent <= Self::MAX_EXPONENT
    }

    /// Its absolute value without what is behind the point.
    pub(super) fn whole_part(self) -> u64 {
        self.numerator.unsigned_abs() >> self.exponent
    }

    /// A whole number.
    pub const fn integer(number: i32) -> Self {
        Self { numerator: number as i64, exponent: 0 }
    }

    fn reduced(numerator: i64, exponent: u8) -> Self {
        let shift = numerator.trailing_zeros().min(exponent as u32);
        let exponent = exponent - shift as u8;
        assert!(exponent <= Self::LARGEST_EXPONENT, "{TOO_LARGE}");
        Self { numerator: numerator >> shift, exponent }
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
    ///
    /// # Panics
    /// If its denominator is 2^62 already.
    pub fn half(self) -> Self {
        Self::reduced(self.numerator, self.exponent + 1)
    }

    /// Two to the power of minus `exponent`.
    pub(super) fn unit(exponent: u8) -> Self {
        Self { numerator: 1, exponent }
    }

    /// The numerators of both over their common denominator.
    ///
    /// # Panics
    /// If one of them has more than 63 bits.
    #[inline]
    fn aligned(self, other: Self) -> (i64, i64, u8) {
        let exponent = self.exponent.max(other.exponent);
        let over_it = |number: Self| {
            let shift = exponent - number.exponent;
            let numerator = number.numerator << shift;
            assert!(numerator >> shift == number.numerator, "{TOO_LARGE}");
            numerator
        };
        (over_it(self), over_it(other), exponent)
    }

    /// The *simplest* number (the one born first) within bounds, each a number and whether it is
    /// itself allowed; `None` is no bound. `None` if no number lies between.
    ///
    /// Integers come before fractions and small absolute values before large ones; among fractions
    /// the smallest denominator wins, and it is unique once no smaller denominator has a multiple
    /// in the interval.
    ///
    /// # Panics
    /// If it has a denominator of 2^63 or more.
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
        // The least multiple of `1/2^exponent` above the lower bound is tried. One of them is below
        // the upper bound as soon as `1/2^exponent` is half of the bounds' common unit.
        let mut exponent = 0;
        loop {
            let (bound, _, common) = low.aligned(Self::unit(exponent));
            let shift = common - exponent;
            let below = bound >> shift;
            let at_bound = below << shift == bound;
            let next = if at_bound && closed { below } else { below + 1 };
            let candidate = Self::reduced(next, exponent);
            if upper.is_none_or(|(high, closed)| candidate < high || (closed && candidate == high))
            {
                return Some(candidate);
            }
            exponent += 1;
        }
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

/// What a panic says when arithmetic leaves the range.
const TOO_LARGE: &str = "a dyadic number has 63 bits at most, 62 of them behind the point";

impl Add for Dyadic {
    type Output = Self;
    /// # Panics
    /// If the sum does not fit.
    fn add(self, other: Self) -> Self {
        let (a, b, exponent) = self.aligned(other);
        Self::reduced(a.checked_add(b).expect(TOO_LARGE), exponent)
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
        Self { numerator: self.numerator.checked_neg().expect(TOO_LARGE), exponent: self.exponent }
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

    /// Between neighbours lies a number, however fine they are; what does not fit is not wrapped.
    #[test]
    fn the_range_is_used_and_never_left_in_silence() {
        let mut fine = Dyadic::integer(1);
        for exponent in 1..=62 {
            fine = Dyadic::simplest(Some((Dyadic::ZERO, false)), Some((fine, false))).unwrap();
            assert_eq!(fine, Dyadic::unit(exponent));
        }
        assert_eq!(fine.to_string(), "1/4611686018427387904");
        let large = (0..38).fold(Dyadic::integer(1 << 24), |sum, _| sum + sum);
        assert_eq!(large.to_integer(), Some(1 << 62));
        let panics = |work: fn(Dyadic, Dyadic) -> Dyadic| {
            std::panic::catch_unwind(|| work(large, fine)).is_err()
        };
        assert!(panics(|large, _| large + large));
        assert!(panics(|large, fine| large + fine));
        assert!(panics(|large, fine| large.max(fine)));
        assert!(panics(|_, fine| fine.half()));
        let between =
            |_, fine| Dyadic::simplest(Some((Dyadic::ZERO, false)), Some((fine, false))).unwrap();
        assert!(panics(between));
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
