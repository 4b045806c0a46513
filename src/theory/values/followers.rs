//! How many positions arithmetic with values may look at.
//!
//! The sum of two values has a position for each pair of their followers, and so has their
//! comparison. With a hundred characters one can write a sum of a hundred switches, whose form may
//! have 2^100 positions. So what is read from outside is added only as long as there are few such
//! pairs in all.

use std::collections::HashSet;

use super::{Value, Values};

/// The most pairs of followers of all that is added or compared because a text says so.
pub(super) const MOST_PAIRS: u64 = 1 << 20;
/// The most followers of the options of a game whose form is made because a text says so.
pub(super) const MOST_FOLLOWERS: u64 = 1 << 11;

/// How many pairs of followers may still be looked at.
#[derive(Debug)]
pub struct Budget {
    pairs: u64,
}

impl Default for Budget {
    /// 2^20 pairs.
    fn default() -> Self {
        Self { pairs: MOST_PAIRS }
    }
}

impl Values {
    /// Whether the budget allows the sum or the comparison of two values; then it is spent. It
    /// costs each pair of a follower of one and a follower of the other. Followers are a value
    /// itself, its options and theirs. A number counts as one, since nobody plays in it. Two
    /// number-up-stars are one pair: their parts are added.
    pub fn afford(&self, budget: &mut Budget, a: Value, b: Value) -> bool {
        let of = |value, most| match (self.as_nus(a), self.as_nus(b)) {
            (Some(_), Some(_)) => 1,
            _ => self.followers([value], most),
        };
        let of_a = of(a, budget.pairs);
        let most = budget.pairs / of_a;
        let of_b = of(b, most);
        let fits = of_b <= most;
        budget.pairs -= if fits { of_a * of_b } else { 0 };
        fits
    }

    /// Whether the options of a game are few enough with their followers for its form to be made.
    pub(super) fn are_small_options(&self, left: &[Value], right: &[Value]) -> bool {
        let options = left.iter().chain(right).copied();
        self.followers(options, MOST_FOLLOWERS) <= MOST_FOLLOWERS
    }

    /// The number of followers of some values, or one that is larger than `most` if there are more.
    fn followers(&self, values: impl IntoIterator<Item = Value>, most: u64) -> u64 {
        let mut open: Vec<Value> = values.into_iter().collect();
        let (mut seen, mut count) = (HashSet::<Value>::from_iter(open.iter().copied()), 0);
        while let Some(value) = open.pop() {
            count += match self.as_nus(value) {
                Some(nus) => 1 + 2 * u64::from(nus.up.unsigned_abs()) + u64::from(nus.star),
                None => {
                    let options = self.left(value).iter().chain(self.right(value)).copied();
                    open.extend(options.filter(|&option| seen.insert(option)));
                    1
                }
            };
            if count > most {
                break;
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::values::ValueTextError;

    #[test]
    fn each_follower_counts_once() {
        let values = Values::new();
        for (text, followers) in [
            ("0", 1),
            ("-7/8", 1),
            ("*3", 4),
            ("1^2*", 6),
            ("{1|-1}", 3),
            ("{5|{1|-1}}", 5),
            ("{{3|2}|{-2|-3}}", 7),
        ] {
            let value = values.parse(text).unwrap();
            assert_eq!(values.followers([value], 100), followers, "{text}");
            assert!(values.followers([value], followers - 1) >= followers, "{text}");
        }
    }

    #[test]
    fn a_budget_is_spent_on_all_pairs() {
        let values = Values::new();
        let [a, b] = ["{5|{1|-1}}", "{2|1}"].map(|text| values.parse(text).unwrap());
        let mut budget = Budget { pairs: 34 };
        assert!(values.afford(&mut budget, a, b) && values.afford(&mut budget, b, a));
        assert_eq!(budget.pairs, 4);
        assert!(!values.afford(&mut budget, a, b) && !values.afford(&mut budget, a, Value::ZERO));
        assert!(values.afford(&mut budget, b, Value::ZERO));
        let up = values.parse("3^1000*7").unwrap();
        assert!(values.afford(&mut budget, up, up) && !values.afford(&mut budget, up, up));
    }

    /// Every sum of their ends is another number.
    fn switches(count: u32) -> String {
        (0..count).map(|at| format!("±{}", 1 << at)).collect::<Vec<_>>().join("+")
    }

    #[test]
    fn texts_of_too_many_positions_are_refused() {
        let (values, many) = (Values::new(), switches(14));
        values.parse(&many).unwrap();
        for text in [
            switches(20),
            format!("{{{}|{}}}", switches(12), switches(11)),
            // Each is a sum of few pairs.
            format!("{many}{}", "+1".repeat(100)),
            format!("{many}-({many}){}", "-*".repeat(100)),
        ] {
            let error = values.parse(&text).unwrap_err();
            assert!(matches!(error, ValueTextError::Positions { .. }), "{error}");
        }
        assert!(values.len() < 1 << 21, "{}", values.len());
    }
}
