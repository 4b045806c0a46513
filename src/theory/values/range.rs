//! Which values are read from outside: those with which arithmetic stays within 63 bits.
//!
//! A value is *in range* if
//!
//! 1. every number in it, in its options and in theirs, is below [`Dyadic::LIMIT`] in absolute
//!    value, with a denominator of at most 2 to the power of [`Dyadic::MAX_EXPONENT`];
//! 2. no multiple of up is above [`MAX_SMALL`], and no nimber is twice that or more;
//! 3. with `m` bits before the point of the largest number, `e` behind the point of the finest, and
//!    `d` forms within each other, `m + e + d` is at most [`BITS`].
//!
//! **Claim.** Games whose options are in range, and sums, negatives, comparisons and thermographs
//! of values in range, stay within the 63 bits of a [`Dyadic`].
//!
//! **Proof.** *Sums.* What stands in the form of a sum equals `G + H` for something `G` of one
//! value and `H` of the other. If it is a number, infinitesimals aside, that is `LS(G) + RS(H)`, by
//! `RS(G + H) <= LS(G) + RS(H) <= LS(G + H)`: a number of each. Those have at most 25 bits before
//! the point and 24 behind. Comparisons and negatives make no other numbers.
//!
//! *Games.* The simplest number between two others, or beyond one, has at most a bit more behind
//! the point, and is less than 1 larger.
//!
//! *Thermographs.* Right walls have slopes 0 and 1, left walls 0 and -1. So where walls of options
//! cross, their slopes differ by 1, and no denominator grows. Scaffolds may differ by 2, which
//! halves once for each form around: at most `e + d` bits behind the point. With `M` the largest
//! number, walls stay within `M` and have corners up to a tax of `M`; scaffolds are within `2 M`
//! there and `4 M` apart, so a crossing is looked for up to a tax of `5 M`: `m + 3` bits before the
//! point, and one more for a sum of two.

use std::collections::HashMap;

#[cfg(doc)]
use super::Dyadic;
use super::{Value, Values};
use crate::theory::limit::{Limit, Unlimited};

/// More ups are not read from outside.
pub(super) const MAX_SMALL: u32 = 1 << 10;
/// Bits of a value in range.
const BITS: u32 = 56;

/// How much room a value takes.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    /// Bits before the point of its largest number.
    whole: u32,
    /// Bits behind the point of its finest number.
    fraction: u32,
    /// Forms within each other.
    depth: u32,
}

impl Values {
    /// Whether a value is small enough for arithmetic with it, as the text of a value has to be:
    /// numbers below 2^24 with denominators up to 2^24, at most 1,024 ups, and together with the
    /// forms within each other not more than 56 bits.
    pub fn is_in_range(&self, value: Value) -> bool {
        let Ok(is_in_range) = self.is_in_range_within(&Unlimited, value);
        is_in_range
    }

    /// Whether a value is small enough for arithmetic with it.
    ///
    /// # Errors
    /// If the limit was reached.
    pub(super) fn is_in_range_within<L: Limit>(
        &self,
        limit: &L,
        value: Value,
    ) -> Result<bool, L::Reached> {
        Ok(self.extent(limit, value, BITS + 1, &mut HashMap::new())?.is_some())
    }

    /// How much room a value in range takes, if it has fewer than `forms` forms within each other:
    /// the recursion is no deeper, whatever is asked about. If an option has too many, so has the
    /// value that was asked about first, and nothing that is remembered of it is used.
    fn extent<L: Limit>(
        &self,
        limit: &L,
        value: Value,
        forms: u32,
        known: &mut HashMap<Value, Option<Extent>>,
    ) -> Result<Option<Extent>, L::Reached> {
        if let Some(extent) = known.get(&value) {
            return Ok(*extent);
        }
        limit.check()?;
        let extent = match self.as_nus(value) {
            Some(nus) => {
                let small = nus.up.unsigned_abs() <= MAX_SMALL && nus.star < 2 * MAX_SMALL;
                (small && nus.number.is_in_range()).then(|| Extent {
                    whole: u64::BITS - nus.number.whole_part().leading_zeros(),
                    fraction: u32::from(nus.number.exponent()),
                    depth: 0,
                })
            }
            None => self.extent_of_form(limit, value, forms, known)?,
        };
        let extent =
            extent.filter(|Extent { whole, fraction, depth }| whole + fraction + depth <= BITS);
        known.insert(value, extent);
        Ok(extent)
    }

    /// As [`Self::extent`], of a value that is no number-up-star.
    fn extent_of_form<L: Limit>(
        &self,
        limit: &L,
        value: Value,
        forms: u32,
        known: &mut HashMap<Value, Option<Extent>>,
    ) -> Result<Option<Extent>, L::Reached> {
        let Some(forms) = forms.checked_sub(1) else { return Ok(None) };
        let mut most = Extent::default();
        for &option in self.left(value).iter().chain(self.right(value)) {
            let Some(extent) = self.extent(limit, option, forms, known)? else { return Ok(None) };
            most = Extent {
                whole: most.whole.max(extent.whole),
                fraction: most.fraction.max(extent.fraction),
                depth: most.depth.max(extent.depth),
            };
        }
        Ok(Some(Extent { depth: most.depth + 1, ..most }))
    }
}
