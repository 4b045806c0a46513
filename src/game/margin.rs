//! By how much a position is won or lost: in spare moves.
//!
//! A *spare move* passes the turn. It may be made at any time by the side that has one. With `s`
//! more of them than the other side, `s` below 0 where the other side has more, the side to move
//! wins a position `P` if
//!
//! ```text
//! wins(P, s) = some move leads to P' with not wins(P', -s)
//!              or s > 0 and not wins(P with the other side to move, 1 - s)
//! ```
//!
//! Both sides' spare moves cancel in pairs: who answers a spare move of the other side with one of
//! its own has the same position with the same turn. So only the difference counts.
//!
//! More spare moves never hurt: `wins(P, s)` implies `wins(P, s + 1)`. Proof, by induction over the
//! squares that are left and, with as many, over the steps of the recursion: if a move to `P'` wins
//! with `s`, then not `wins(P', -s)`, so not `wins(P', -s - 1)`, and the move wins with `s + 1`. If
//! a spare move wins with `s`, then not `wins(Q, 1 - s)` where `Q` has the other side to move, so
//! not `wins(Q, -s)`, and a spare move wins with `s + 1`. So there is a least `s` with which the
//! side to move wins, the *threshold*.

use std::fmt;

use super::Outcome;

/// The least number of spare moves more than the other side's with which the side to move wins.
///
/// With 0 or fewer it wins as it stands. With `-n` it wins by `n`: also if the other side has `n`
/// spare moves, and not if it has one more. With `n` above 0 it loses by `n - 1`.
///
/// With `e` empty squares it is from `1 - e` to `e + 1`: every move burns a square, so no side
/// makes more than `e` of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Threshold(i16);

impl Threshold {
    /// The threshold `spare`.
    pub const fn new(spare: i16) -> Self {
        Self(spare)
    }

    /// The least number of spare moves.
    pub const fn spare(self) -> i16 {
        self.0
    }

    /// What the side to move reaches without spare moves.
    pub const fn outcome(self) -> Outcome {
        self.outcome_with(0)
    }

    /// What the side to move reaches if it has `spare` moves more than the other side.
    pub const fn outcome_with(self, spare: i16) -> Outcome {
        Outcome::win_if(spare >= self.0)
    }

    /// By how many moves the side to move wins, or loses: 0 is a single tempo.
    pub const fn margin(self) -> u16 {
        if self.0 <= 0 { self.0.unsigned_abs() } else { self.0.unsigned_abs() - 1 }
    }

    /// What a move is worth to its maker, where this is the threshold of the position after it.
    ///
    /// With `s` spare moves the maker wins by this move if the other side loses with `-s`, that is
    /// if `-s` is below its threshold.
    #[must_use]
    pub const fn of_move(after: Self) -> Self {
        Self(1i16.saturating_sub(after.0))
    }
}

/// `wins by 3`, `loses by 0`.
impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.outcome().is_win() { "wins" } else { "loses" };
        write!(f, "{verb} by {}", self.margin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_says_who_wins_and_by_how_much() {
        for (spare, text) in
            [(-3, "wins by 3"), (0, "wins by 0"), (1, "loses by 0"), (4, "loses by 3")]
        {
            let threshold = Threshold::new(spare);
            assert_eq!(threshold.to_string(), text);
            assert_eq!(threshold.outcome_with(spare), Outcome::Win);
            assert_eq!(threshold.outcome_with(spare - 1), Outcome::Loss);
            // The margin of a move is that of the position after it, seen from the other side.
            let of_move = Threshold::of_move(threshold);
            assert_eq!(of_move.margin(), threshold.margin());
            assert_ne!(of_move.outcome(), threshold.outcome());
            assert_eq!(Threshold::of_move(of_move), threshold);
        }
    }
}
