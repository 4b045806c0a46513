//! How many positions arithmetic with values may look at.
//!
//! The sum of two values has a position for each pair of their followers, and so has their
//! comparison. With a hundred characters one can write a sum of a hundred switches, whose form has
//! 2^100 positions. So what is read from outside is added only if there are few such pairs.

use std::collections::HashSet;

use super::{Value, Values};

/// The most pairs of followers of values that are added or compared because a text says so.
pub(super) const MOST_PAIRS: u64 = 1 << 20;
/// The most followers of the options of a game whose form is made because a text says so.
pub(super) const MOST_FOLLOWERS: u64 = 1 << 11;

impl Values {
    /// Whether two values are small enough to be added and compared, as those of a text have to be:
    /// of pairs of their followers there are at most 2^20. Followers are a value itself, its options
    /// and theirs; a number counts as one, since nobody plays in it.
    pub fn are_small_together(&self, a: Value, b: Value) -> bool {
        let most = MOST_PAIRS / self.followers([a], MOST_PAIRS).max(1);
        self.followers([b], most) <= most
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
    fn texts_of_too_many_positions_are_refused() {
        // Every sum of their ends is another number.
        let switches = |count: u32| -> String {
            (0..count).map(|at| format!("±{}", 1 << at)).collect::<Vec<_>>().join("+")
        };
        let values = Values::new();
        let many = values.parse(&switches(12)).unwrap();
        assert!(values.are_small_together(many, values.parse("{2|1}").unwrap()));
        assert!(!values.are_small_together(many, many));
        for text in [switches(20), format!("{{{}|{}}}", switches(12), switches(11))] {
            let error = values.parse(&text).unwrap_err();
            assert!(matches!(error, ValueTextError::Positions { .. }), "{error}");
        }
    }
}
