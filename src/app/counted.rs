//! Counts in words.

use std::fmt;

/// A count of things: `1 move`, `3 moves`, `2 entries`.
///
/// The noun is given in its singular. Its plural ends in `s`, in `ies` if it ends in `y`, and in
/// `es` if it ends in `s`.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a, N>(pub N, pub &'a str);

/// The word that goes with a count of things: `one` if there is one, else `more`.
pub fn by_count<'a>(count: impl TryInto<u64>, one: &'a str, more: &'a str) -> &'a str {
    match count.try_into() {
        Ok(1) => one,
        _ => more,
    }
}

impl<N: Copy + fmt::Display + TryInto<u64>> fmt::Display for Counted<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, one) = *self;
        let (stem, ending) = match one.strip_suffix('y') {
            Some(stem) => (stem, "ies"),
            None if one.ends_with('s') => (one, "es"),
            None => (one, "s"),
        };
        write!(f, "{count} {}{}", by_count(count, one, stem), by_count(count, "", ending))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_no_plural() {
        let words = |count: usize, one| Counted(count, one).to_string();
        assert_eq!(words(0, "move"), "0 moves");
        assert_eq!(words(1, "move"), "1 move");
        assert_eq!(words(12, "move"), "12 moves");
        assert_eq!(words(1, "entry"), "1 entry");
        assert_eq!(words(2, "entry"), "2 entries");
        assert_eq!(words(2, "loss"), "2 losses");
        assert_eq!(Counted(u128::MAX, "position").to_string(), format!("{} positions", u128::MAX));
    }
}
