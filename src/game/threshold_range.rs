//! What is known of a threshold: between which spare moves it lies.

use std::fmt;

use super::board::Board;
use super::{Outcome, Threshold};

/// The thresholds that a position may have, from the least to the most.
///
/// What is proved for one number of spare moves narrows it: more spare moves never hurt
/// ([`margin`](super::margin)).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThresholdRange {
    least: Threshold,
    most: Threshold,
}

/// A number of empty squares that a board can have.
fn checked(squares: usize) -> usize {
    let board = usize::from(Board::MAX_SIDE) * usize::from(Board::MAX_SIDE);
    assert!(squares <= board, "at most {board} squares are empty, found {squares}");
    squares
}

impl ThresholdRange {
    /// Any threshold that a position with so many empty squares can have.
    ///
    /// # Panics
    /// If there are more empty squares than a board has.
    pub fn of_empty(squares: usize) -> Self {
        let squares = checked(squares) as i16;
        Self { least: Threshold::new(1 - squares), most: Threshold::new(squares + 1) }
    }

    /// Any threshold that the maker of a move can have by it, in a position with so many empty
    /// squares: a move burns one.
    ///
    /// # Panics
    /// As [`Self::of_empty`].
    pub fn of_any_move(squares: usize) -> Self {
        Self::of_move(Self::of_empty(checked(squares).saturating_sub(1)))
    }

    /// The least threshold that is possible.
    pub const fn least(self) -> Threshold {
        self.least
    }

    /// The greatest threshold that is possible.
    pub const fn most(self) -> Threshold {
        self.most
    }

    /// The threshold, if one alone is possible.
    pub fn exact(self) -> Option<Threshold> {
        (self.least == self.most).then_some(self.least)
    }

    /// What the side to move reaches without spare moves, if that is known.
    pub fn outcome(self) -> Option<Outcome> {
        self.outcome_with(0)
    }

    /// What the side to move reaches with so many spare moves more than the other side, if that is
    /// known.
    pub fn outcome_with(self, spare: i16) -> Option<Outcome> {
        let outcome = self.least.outcome_with(spare);
        (outcome == self.most.outcome_with(spare)).then_some(outcome)
    }

    /// What is left if the side to move reaches this with so many spare moves; `None` if that
    /// contradicts what was known.
    #[must_use]
    pub fn with(self, spare: i16, outcome: Outcome) -> Option<Self> {
        self.and(match outcome {
            Outcome::Win => Self { most: self.most.min(Threshold::new(spare)), ..self },
            Outcome::Loss => {
                Self { least: self.least.max(Threshold::new(spare.saturating_add(1))), ..self }
            }
        })
    }

    /// What both allow; `None` if they contradict each other.
    #[must_use]
    pub fn and(self, other: Self) -> Option<Self> {
        let (least, most) = (self.least.max(other.least), self.most.min(other.most));
        (least <= most).then_some(Self { least, most })
    }

    /// What is left if this is known of the same position with the other side to move; `None` if
    /// that contradicts what was known.
    ///
    /// The two thresholds `t` and `u` make at most 2. Proof: with `s > 0` spare moves the side to
    /// move wins by spending one if the other side loses with `1 - s`, that is if `1 - s < u`. So
    /// `t <= max(1, 2 - u)`, and likewise `u <= max(1, 2 - t)`. If `u <= 1`, the first says
    /// `t <= 2 - u`. If `u > 1`, the second is `u <= 2 - t`.
    ///
    /// A position that is its own mirror image with the colours exchanged has `t = u`. So `t <= 1`,
    /// and whoever loses it loses by 0.
    #[must_use]
    pub fn with_other_side(self, other: Self) -> Option<Self> {
        let most = 2_i16.saturating_sub(other.least.spare());
        self.with(most, Outcome::Win)
    }

    /// What a move is worth to its maker, where this is known of the position after it
    /// ([`Threshold::of_move`]).
    #[must_use]
    pub const fn of_move(after: Self) -> Self {
        Self { least: Threshold::of_move(after.most), most: Threshold::of_move(after.least) }
    }
}

impl From<Threshold> for ThresholdRange {
    fn from(threshold: Threshold) -> Self {
        Self { least: threshold, most: threshold }
    }
}

/// `wins by 3`, `wins by 1 to 3`, `loses by 0 to 4`; `wins by at most 3 or loses by at most 4`
/// where it is not known which.
impl fmt::Display for ThresholdRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (self.least.margin(), self.most.margin());
        match self.outcome() {
            Some(_) if least == most => self.least.fmt(f),
            Some(Outcome::Win) => write!(f, "wins by {most} to {least}"),
            Some(Outcome::Loss) => write!(f, "loses by {least} to {most}"),
            None => write!(f, "wins by at most {least} or loses by at most {most}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: Outcome = Outcome::Win;
    const LOSS: Outcome = Outcome::Loss;

    #[test]
    #[should_panic = "at most 400 squares are empty, found 401"]
    fn no_board_has_more_squares() {
        ThresholdRange::of_empty(401);
    }

    #[test]
    #[should_panic = "at most 400 squares are empty, found 401"]
    fn no_move_has_more_squares() {
        ThresholdRange::of_any_move(401);
    }

    #[test]
    fn what_is_proved_narrows_a_range_until_one_threshold_is_left() {
        let all = ThresholdRange::of_empty(5);
        assert_eq!(all.to_string(), "wins by at most 4 or loses by at most 5");
        assert_eq!(
            (all.outcome(), all.outcome_with(6), all.outcome_with(-5)),
            (None, Some(WIN), Some(LOSS))
        );
        let won = all.with(-1, WIN).unwrap();
        assert_eq!((won.to_string().as_str(), won.outcome()), ("wins by 1 to 4", Some(WIN)));
        assert_eq!(won.with(0, WIN), Some(won));
        assert_eq!(won.with(0, LOSS), None);
        let known = won.with(-3, LOSS).unwrap().with(-2, WIN).unwrap();
        assert_eq!(known.exact(), Some(Threshold::new(-2)));
        assert_eq!(known, Threshold::new(-2).into());
        let lost = all.with(1, LOSS).unwrap().with(4, WIN).unwrap();
        assert_eq!(lost.to_string(), "loses by 1 to 3");
        // A move to it is worth to its maker what the other side has not.
        let of_move = ThresholdRange::of_move(lost);
        assert_eq!(of_move.to_string(), "wins by 1 to 3");
        assert_eq!(ThresholdRange::of_move(of_move), lost);
        assert_eq!(lost.and(won), None);
    }

    #[test]
    fn without_empty_squares_a_spare_move_more_decides() {
        let none = ThresholdRange::of_empty(0);
        assert_eq!(none.exact(), Some(Threshold::new(1)));
        assert_eq!(none.to_string(), "loses by 0");
    }
}
