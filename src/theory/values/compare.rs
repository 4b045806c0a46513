//! The order of values: `G <= H` when Left, given a choice, never prefers G.
//!
//! By definition `G <= H` unless some `G^L >= H` or some `H^R <= G`. The stops decide most pairs
//! without recursion: `G <= H` implies `LS(G) <= LS(H)` and `RS(G) <= RS(H)`, and `LS(G) < RS(H)`
//! implies `G < H`. What is left is remembered by pair.

use std::cmp::Ordering;

use super::{Nus, Value, Values};
use crate::theory::limit::{Limit, Unlimited, any};

/// Who wins a game, by who begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OutcomeClass {
    /// The value is positive: Left wins, whoever begins.
    Left,
    /// The value is negative: Right wins, whoever begins.
    Right,
    /// The value is zero: who begins loses.
    Previous,
    /// The value is confused with zero: who begins wins.
    Next,
}

impl OutcomeClass {
    /// L, R, P or N, as the literature has it.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Left => "L",
            Self::Right => "R",
            Self::Previous => "P",
            Self::Next => "N",
        }
    }
}

/// The letter, and what it stands for.
impl std::fmt::Display for OutcomeClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let meaning = match self {
            Self::Left => "Left wins",
            Self::Right => "Right wins",
            Self::Previous => "who begins loses",
            Self::Next => "who begins wins",
        };
        write!(f, "{} ({meaning})", self.letter())
    }
}

impl Values {
    /// Whether `a <= b`.
    pub fn le(&self, a: Value, b: Value) -> bool {
        let Ok(answer) = self.le_within(&Unlimited, a, b);
        answer
    }

    /// Whether `a <= b`.
    ///
    /// # Errors
    /// If the limit was reached.
    pub(super) fn le_within<L: Limit>(
        &self,
        limit: &L,
        a: Value,
        b: Value,
    ) -> Result<bool, L::Reached> {
        if a == b {
            return Ok(true);
        }
        let (x, y) = (self.node(a), self.node(b));
        if let (Some(x), Some(y)) = (x.nus, y.nus) {
            return Ok(Nus::le(x, y));
        }
        if x.left_stop < y.right_stop {
            return Ok(true);
        }
        if x.left_stop > y.left_stop || x.right_stop > y.right_stop {
            return Ok(false);
        }
        if let Some(known) = self.orders.get(&(a, b)) {
            return Ok(*known);
        }
        limit.check()?;
        let answer = !any(self.left(a), |option| self.le_within(limit, b, option))?
            && !any(self.right(b), |option| self.le_within(limit, option, a))?;
        self.orders.insert((a, b), answer);
        Ok(answer)
    }

    /// How two values compare, `None` if they are confused.
    pub fn compare(&self, a: Value, b: Value) -> Option<Ordering> {
        let Ok(order) = self.compare_within(&Unlimited, a, b);
        order
    }

    /// How two values compare, `None` if they are confused.
    ///
    /// # Errors
    /// If the limit was reached.
    pub(super) fn compare_within<L: Limit>(
        &self,
        limit: &L,
        a: Value,
        b: Value,
    ) -> Result<Option<Ordering>, L::Reached> {
        if a == b {
            return Ok(Some(Ordering::Equal));
        }
        Ok(match (self.le_within(limit, a, b)?, self.le_within(limit, b, a)?) {
            (true, _) => Some(Ordering::Less),
            (_, true) => Some(Ordering::Greater),
            _ => None,
        })
    }

    /// Who wins.
    pub fn outcome(&self, value: Value) -> OutcomeClass {
        match self.compare(value, Value::ZERO) {
            Some(Ordering::Greater) => OutcomeClass::Left,
            Some(Ordering::Less) => OutcomeClass::Right,
            Some(Ordering::Equal) => OutcomeClass::Previous,
            None => OutcomeClass::Next,
        }
    }
}
