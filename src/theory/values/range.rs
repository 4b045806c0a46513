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
        self.extent(value, BITS + 1, &mut HashMap::new()).is_some()
    }

    /// How much room a value in range takes, if it has fewer than `forms` forms within each other:
    /// the recursion is no deeper, whatever is asked about. If an option has too many, so has the
    /// value that was asked about first, and nothing that is remembered of it is used.
    fn extent(
        &self,
        value: Value,
        forms: u32,
        known: &mut HashMap<Value, Option<Extent>>,
    ) -> Option<Extent> {
        if let Some(extent) = known.get(&value) {
            return *extent;
        }
        let extent = match self.as_nus(value) {
            Some(nus) => {
                let small = nus.up.unsigned_abs() <= MAX_SMALL && nus.star < 2 * MAX_SMALL;
                (small && nus.number.is_in_range()).then(|| Extent {
                    whole: u64::BITS - nus.number.whole_part().leading_zeros(),
                    fraction: u32::from(nus.number.exponent()),
                    depth: 0,
                })
            }
            None => {
                let options = self.left(value).iter().chain(self.right(value));
                let within = options.copied().try_fold(Extent::default(), |most, option| {
                    let extent = self.extent(option, forms.checked_sub(1)?, known)?;
                    Some(Extent {
                        whole: most.whole.max(extent.whole),
                        fraction: most.fraction.max(extent.fraction),
                        depth: most.depth.max(extent.depth),
                    })
                });
                within.map(|within| Extent { depth: within.depth + 1, ..within })
            }
        };
        let extent =
            extent.filter(|Extent { whole, fraction, depth }| whole + fraction + depth <= BITS);
        known.insert(value, extent);
        extent
    }
}
