//! The value of a position: there are no draws, so the side to move wins or loses.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Colour;
use crate::game::excerpt::excerpt;

/// What the side to move of a position reaches if both sides play as well as possible; of a move,
/// what its maker reaches by it. A loss is less than a win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It loses, whatever it plays.
    Loss,
    /// It wins, whatever the other side plays.
    Win,
}

/// Text that is no outcome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected \"win\" or \"loss\", found {found}")]
#[non_exhaustive]
pub struct OutcomeError {
    /// The text, in quotes, cut if it is long.
    pub found: String,
}

impl Outcome {
    /// A win if `wins`, else a loss.
    #[inline(always)]
    pub const fn win_if(wins: bool) -> Self {
        if wins { Self::Win } else { Self::Loss }
    }

    /// Whether it is a win.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        matches!(self, Self::Win)
    }

    /// The same end, seen by the other side. `!outcome` is short for it.
    #[inline(always)]
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self::win_if(!self.is_win())
    }

    /// `win` or `loss`.
    pub const fn as_str(self) -> &'static str {
        if self.is_win() { "win" } else { "loss" }
    }

    /// Who wins, where `turn` is the side whose outcome this is.
    pub fn winner(self, turn: Colour) -> Colour {
        if self.is_win() { turn } else { turn.other() }
    }
}

/// The other side's view.
impl Not for Outcome {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self.reversed()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Outcome {
    type Err = OutcomeError;

    fn from_str(text: &str) -> Result<Self, OutcomeError> {
        match text {
            "win" => Ok(Self::Win),
            "loss" => Ok(Self::Loss),
            _ => Err(OutcomeError { found: excerpt(text) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_turn_round_and_are_read_as_they_are_written() {
        for outcome in [Outcome::Win, Outcome::Loss] {
            assert_eq!(outcome.to_string().parse(), Ok(outcome));
            assert_eq!((!outcome, !!outcome), (outcome.reversed(), outcome));
            assert_ne!(!outcome, outcome);
            assert_eq!(outcome.winner(Colour::White), (!outcome).winner(Colour::Black));
        }
        assert!(Outcome::Loss < Outcome::Win);
        assert_eq!(
            "won".parse::<Outcome>().unwrap_err().to_string(),
            "expected \"win\" or \"loss\", found \"won\""
        );
    }
}
