//! Canonical forms: from any options to the one smallest form of equal value.
//!
//! A value is brought to its form by Conway's three reductions: a number where one fits between the
//! options (simplicity theorem), dominated options removed, reversible options replaced by what
//! they reverse to. The options given are themselves canonical, so only the top needs work.

use super::{Dyadic, Value, Values};
use crate::theory::limit::{Limit, Unlimited, any};

/// Options of a game that is not yet in the store.
struct Draft {
    left: Vec<Value>,
    right: Vec<Value>,
    /// The stops of the game, which is known not to be a number; no reduction changes them.
    left_stop: Dyadic,
    right_stop: Dyadic,
}

impl Values {
    /// The value of the game with these options.
    ///
    /// # Panics
    /// If it is a number of more than 63 bits; never for options [in range](Self::is_in_range).
    pub fn game(&self, left: Vec<Value>, right: Vec<Value>) -> Value {
        let Ok(value) = self.game_within(&Unlimited, left, right);
        value
    }

    /// The value of the game with these options.
    ///
    /// # Errors
    /// If the limit was reached.
    ///
    /// # Panics
    /// As [`Self::game`].
    pub(super) fn game_within<L: Limit>(
        &self,
        limit: &L,
        left: Vec<Value>,
        right: Vec<Value>,
    ) -> Result<Value, L::Reached> {
        if let Some(number) = self.number_between(limit, &left, &right)? {
            return Ok(self.number(number));
        }
        // Without a number between, both sides have options.
        let left_stop =
            left.iter().map(|&option| self.right_stop(option)).max().unwrap_or_default();
        let right_stop =
            right.iter().map(|&option| self.left_stop(option)).min().unwrap_or_default();
        let mut draft = Draft { left, right, left_stop, right_stop };
        loop {
            let (left, right) = (std::mem::take(&mut draft.left), std::mem::take(&mut draft.right));
            draft.left = self.undominated(left, |a, b| self.le_within(limit, a, b))?;
            draft.right = self.undominated(right, |a, b| self.le_within(limit, b, a))?;
            if !self.reverse(limit, &mut draft)? {
                break;
            }
        }
        Ok(self.canonical(draft.left, draft.right))
    }

    /// The number that equals the game, if one does: the simplest `x` with no left option `>= x`
    /// and no right option `<= x`.
    ///
    /// A left option G is `>= x` for `x < RS(G)` and is not for `x > RS(G)`; at the stop itself the
    /// order decides. So the numbers allowed are an interval, and only whether its ends belong to
    /// it needs a comparison.
    fn number_between<L: Limit>(
        &self,
        limit: &L,
        left: &[Value],
        right: &[Value],
    ) -> Result<Option<Dyadic>, L::Reached> {
        let lower = left.iter().map(|&option| self.right_stop(option)).max();
        let upper = right.iter().map(|&option| self.left_stop(option)).min();
        if let (Some(lower), Some(upper)) = (lower, upper)
            && lower > upper
        {
            return Ok(None);
        }
        let lower = lower.map(|stop| {
            let number = self.number(stop);
            let at_stop = |option: Value| {
                Ok(self.right_stop(option) == stop && self.le_within(limit, number, option)?)
            };
            Ok((stop, !any(left, at_stop)?))
        });
        let upper = upper.map(|stop| {
            let number = self.number(stop);
            let at_stop = |option: Value| {
                Ok(self.left_stop(option) == stop && self.le_within(limit, option, number)?)
            };
            Ok((stop, !any(right, at_stop)?))
        });
        Ok(Dyadic::simplest(lower.transpose()?, upper.transpose()?))
    }

    /// The options that no other beats; `worse(a, b)` says that b is at least as good.
    fn undominated<E>(
        &self,
        mut options: Vec<Value>,
        worse: impl Fn(Value, Value) -> Result<bool, E>,
    ) -> Result<Vec<Value>, E> {
        options.sort_unstable();
        options.dedup();
        let mut best: Vec<Value> = Vec::with_capacity(options.len());
        for option in options {
            if any(&best, |other| worse(option, other))? {
                continue;
            }
            let mut at = 0;
            while at < best.len() {
                if worse(best[at], option)? {
                    best.remove(at);
                } else {
                    at += 1;
                }
            }
            best.push(option);
        }
        Ok(best)
    }

    /// Bypasses the first reversible option found; whether there was one.
    fn reverse<L: Limit>(&self, limit: &L, draft: &mut Draft) -> Result<bool, L::Reached> {
        for at in 0..draft.left.len() {
            for &target in self.right(draft.left[at]) {
                if self.le_draft(limit, target, draft)? {
                    draft.left.swap_remove(at);
                    draft.left.extend_from_slice(self.left(target));
                    return Ok(true);
                }
            }
        }
        for at in 0..draft.right.len() {
            for &target in self.left(draft.right[at]) {
                if self.ge_draft(limit, target, draft)? {
                    draft.right.swap_remove(at);
                    draft.right.extend_from_slice(self.right(target));
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a value is `<=` the draft.
    fn le_draft<L: Limit>(
        &self,
        limit: &L,
        value: Value,
        draft: &Draft,
    ) -> Result<bool, L::Reached> {
        let node = self.node(value);
        if node.left_stop < draft.right_stop {
            return Ok(true);
        }
        if node.left_stop > draft.left_stop || node.right_stop > draft.right_stop {
            return Ok(false);
        }
        limit.check()?;
        Ok(!any(&draft.right, |option| self.le_within(limit, option, value))?
            && !any(self.left(value), |option| self.ge_draft(limit, option, draft))?)
    }

    /// Whether a value is `>=` the draft.
    fn ge_draft<L: Limit>(
        &self,
        limit: &L,
        value: Value,
        draft: &Draft,
    ) -> Result<bool, L::Reached> {
        let node = self.node(value);
        if draft.left_stop < node.right_stop {
            return Ok(true);
        }
        if draft.left_stop > node.left_stop || draft.right_stop > node.right_stop {
            return Ok(false);
        }
        limit.check()?;
        Ok(!any(&draft.left, |option| self.le_within(limit, value, option))?
            && !any(self.right(value), |option| self.le_draft(limit, option, draft))?)
    }
}
