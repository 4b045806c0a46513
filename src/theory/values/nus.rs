//! Number-up-star: the sums of a number, a multiple of up and a nimber.
//!
//! Most values that occur in play are of this kind, and their sums are three additions. The
//! canonical options follow from these forms (Siegel, *Combinatorial Game Theory*, chapter II; a
//! number `x` is added to every option):
//!
//! ```text
//! *m     = { 0, *, .., *(m-1) | 0, *, .., *(m-1) }
//! ^      = { 0 | * }         ^*  = { 0, * | 0 }         ^*m = { 0 | *(m xor 1) }      m > 1
//! ^k*m   = { 0 | ^(k-1)*(m xor 1) }                                                   k > 1
//! ```

use super::Dyadic;

/// `number + up * ^ + *star`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Nus {
    /// The number.
    pub number: Dyadic,
    /// How many ups; negative for downs.
    pub up: i32,
    /// The nimber.
    pub star: u32,
}

impl Nus {
    /// A number alone.
    pub const fn from_number(number: Dyadic) -> Self {
        Self { number, up: 0, star: 0 }
    }

    /// Whether it is a number.
    #[inline]
    pub fn is_number(self) -> bool {
        self.up == 0 && self.star == 0
    }

    /// The sum.
    ///
    /// # Panics
    /// If its number or its ups do not fit.
    pub fn plus(self, other: Self) -> Self {
        Self {
            number: self.number + other.number,
            up: self.up.checked_add(other.up).expect("the ups of a value have 31 bits at most"),
            star: self.star ^ other.star,
        }
    }

    /// The negative; a nimber is its own.
    pub fn negative(self) -> Self {
        Self { number: -self.number, up: -self.up, star: self.star }
    }

    /// Whether `self <= other`.
    ///
    /// A number decides. Between equal numbers, with `d` ups of difference and nimbers that differ
    /// by `s`: `^d*s > 0` for `d > 1`, for `d = 1` unless `s = 1`, and `*s` is confused with 0.
    #[inline]
    pub fn le(self, other: Self) -> bool {
        if self.number != other.number {
            return self.number < other.number;
        }
        let star = self.star ^ other.star;
        match other.up - self.up {
            0 => star == 0,
            1 => star != 1,
            ups => ups > 1,
        }
    }

    /// The canonical left and right options.
    pub fn options(self) -> (Vec<Self>, Vec<Self>) {
        let of = |up: i32, star: u32| Self { number: self.number, up, star };
        match (self.up, self.star) {
            (0, 0) => self.number_options(),
            (0, star) => {
                let smaller: Vec<_> = (0..star).map(|smaller| of(0, smaller)).collect();
                (smaller.clone(), smaller)
            }
            (1, 1) => (vec![of(0, 0), of(0, 1)], vec![of(0, 0)]),
            (-1, 1) => (vec![of(0, 0)], vec![of(0, 0), of(0, 1)]),
            (up, star) if up > 0 => (vec![of(0, 0)], vec![of(up - 1, star ^ 1)]),
            (up, star) => (vec![of(up + 1, star ^ 1)], vec![of(0, 0)]),
        }
    }

    fn number_options(self) -> (Vec<Self>, Vec<Self>) {
        let one = |number: Dyadic| vec![Self::from_number(number)];
        match self.number.to_integer() {
            Some(0) => (vec![], vec![]),
            Some(n) if n > 0 => (one(self.number - Dyadic::integer(1)), vec![]),
            Some(_) => (vec![], one(self.number + Dyadic::integer(1))),
            None => {
                let unit = Dyadic::unit(self.number.exponent());
                (one(self.number - unit), one(self.number + unit))
            }
        }
    }

    /// The number-up-star with these canonical options, each side sorted, if there is one. Numbers
    /// are not looked for: they are found before any form is built.
    pub(super) fn recognise(left: &[Self], right: &[Self]) -> Option<Self> {
        let number = left.first()?.number;
        if left.iter().chain(right).any(|option| option.number != number) {
            return None;
        }
        let is_range = |side: &[Self]| {
            side.iter().enumerate().all(|(i, option)| option.up == 0 && option.star == i as u32)
        };
        let plain = |side: &[Self], n: usize| side.len() == n && is_range(side);
        if left == right && is_range(left) {
            return Some(Self { number, up: 0, star: left.len() as u32 });
        }
        match (left, right) {
            _ if plain(left, 2) && plain(right, 1) => Some(Self { number, up: 1, star: 1 }),
            _ if plain(left, 1) && plain(right, 2) => Some(Self { number, up: -1, star: 1 }),
            (_, &[next]) if plain(left, 1) && next.up >= 0 => {
                Some(Self { number, up: next.up + 1, star: next.star ^ 1 })
            }
            (&[next], _) if plain(right, 1) && next.up <= 0 => {
                Some(Self { number, up: next.up - 1, star: next.star ^ 1 })
            }
            _ => None,
        }
    }
}
