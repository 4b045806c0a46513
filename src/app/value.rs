//! What is told of who wins.

use std::fmt;

use serde::Serialize;

use crate::game::Outcome;

/// What a side to move, or the maker of a move, can reach, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// It wins.
    Win,
    /// Nothing knows.
    #[default]
    Unknown,
    /// It loses.
    Loss,
}

impl Value {
    /// That of what is known.
    pub const fn of(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Win) => Self::Win,
            Some(Outcome::Loss) => Self::Loss,
            None => Self::Unknown,
        }
    }

    /// What is known.
    pub(crate) const fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Win => Some(Outcome::Win),
            Self::Unknown => None,
            Self::Loss => Some(Outcome::Loss),
        }
    }
}

/// `win`, `unknown` or `loss`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.outcome().map_or("unknown", Outcome::as_str))
    }
}
