//! What a table of margins says of a position.

use std::fmt;

use crate::game::margin::Threshold;
use crate::game::{Outcome, ThresholdRange};

/// The threshold of a position, or how far the planes that a table has tell it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TableMargin {
    /// It.
    Exactly(Threshold),
    /// It or less: the side to move wins by so much or more.
    AtMost(Threshold),
    /// It or more: the side to move loses by so much or more.
    AtLeast(Threshold),
}

impl TableMargin {
    /// The threshold, if it is known.
    pub const fn exact(self) -> Option<Threshold> {
        match self {
            Self::Exactly(threshold) => Some(threshold),
            Self::AtMost(_) | Self::AtLeast(_) => None,
        }
    }

    /// The threshold, or the end of what is known that is nearest to 0.
    pub const fn nearest(self) -> Threshold {
        match self {
            Self::Exactly(threshold) | Self::AtMost(threshold) | Self::AtLeast(threshold) => {
                threshold
            }
        }
    }

    /// The thresholds that a position with so many empty squares may have.
    ///
    /// # Panics
    /// As [`ThresholdRange::of_empty`].
    pub fn range(self, empty: usize) -> ThresholdRange {
        let all = ThresholdRange::of_empty(empty);
        match self {
            Self::Exactly(threshold) => threshold.into(),
            Self::AtMost(threshold) => all.with(threshold.spare(), Outcome::Win).unwrap_or(all),
            Self::AtLeast(threshold) => {
                all.with(threshold.spare().saturating_sub(1), Outcome::Loss).unwrap_or(all)
            }
        }
    }

    /// The thresholds that the maker of a move may have by it, where this is what is known of the
    /// move, in a position with so many empty squares.
    ///
    /// # Panics
    /// As [`ThresholdRange::of_empty`].
    pub fn range_of_move(self, empty: usize) -> ThresholdRange {
        // A move burns a square, so there is one at least.
        ThresholdRange::of_move(Self::of_move(self).range(empty.saturating_sub(1)))
    }

    /// Which side of the threshold is not known: `at most` or `at least`, if it is not known.
    pub const fn bound(self) -> Option<&'static str> {
        match self {
            Self::Exactly(_) => None,
            Self::AtMost(_) => Some("at most"),
            Self::AtLeast(_) => Some("at least"),
        }
    }

    /// What a move is worth to its maker, where this is what is known of the position after it.
    #[must_use]
    pub const fn of_move(after: Self) -> Self {
        let of_move = Threshold::of_move(after.nearest());
        match after {
            Self::Exactly(_) => Self::Exactly(of_move),
            Self::AtMost(_) => Self::AtLeast(of_move),
            Self::AtLeast(_) => Self::AtMost(of_move),
        }
    }
}

/// `wins by 3`, `loses by 8 or more`.
impl fmt::Display for TableMargin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.exact().is_some() { "" } else { " or more" };
        write!(f, "{}{more}", self.nearest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_turn_with_the_side_to_move() {
        for (after, text) in [
            (TableMargin::Exactly(Threshold::new(-3)), "loses by 3"),
            (TableMargin::AtMost(Threshold::new(-3)), "loses by 3 or more"),
            (TableMargin::AtLeast(Threshold::new(4)), "wins by 3 or more"),
        ] {
            let of_move = TableMargin::of_move(after);
            assert_eq!(of_move.to_string(), text);
            assert_eq!(of_move.exact().is_some(), after.exact().is_some());
            assert_eq!(TableMargin::of_move(of_move), after);
            // The same of the range of what is possible.
            let range = ThresholdRange::of_move(after.range(9));
            assert_eq!(range.exact(), of_move.exact());
            let ends = [range.least(), range.most()];
            assert!(ends.contains(&of_move.nearest()), "{text}: {range}");
        }
    }
}
