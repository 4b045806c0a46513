//! Canonical forms: from any options to the one smallest form of equal value.
//!
//! A value is brought to its form by Conway's three reductions: a number where one fits between the
//! options (simplicity theorem), dominated options removed, reversible options replaced by what
//! they reverse to. The options given are themselves canonical, so only the top needs work.

use super::{Dyadic, Value, Values};

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
        if let Some(number) = self.number_between(&left, &right) {
            return self.number(number);
        }
        // Without a number between, both sides have options.
        let left_stop =
            left.iter().map(|&option| self.right_stop(option)).max().unwrap_or_default();
        let right_stop =
            right.iter().map(|&option| self.left_stop(option)).min().unwrap_or_default();
        let mut draft = Draft { left, right, left_stop, right_stop };
        loop {
            draft.left = self.undominated(std::mem::take(&mut draft.left), |a, b| self.le(a, b));
            draft.right = self.undominated(std::mem::take(&mut draft.right), |a, b| self.le(b, a));
            if !self.reverse(&mut draft) {
                break;
            }
        }
        self.canonical(draft.left, draft.right)
    }

    /// The number that equals the game, if one does: the simplest `x` with no left option `>= x`
    /// and no right option `<= x`.
    ///
    /// A left option G is `>= x` for `x < RS(G)` and is not for `x > RS(G)`; at the stop itself the
    /// order decides. So the numbers allowed are an interval, and only whether its ends belong to
    /// it needs a comparison.
    fn number_between(&self, left: &[Value], right: &[Value]) -> Option<Dyadic> {
        let lower = left.iter().map(|&option| self.right_stop(option)).max();
        let upper = right.iter().map(|&option| self.left_stop(option)).min();
        if let (Some(lower), Some(upper)) = (lower, upper)
            && lower > upper
        {
            return None;
        }
        let lower = lower.map(|stop| {
            let number = self.number(stop);
            let at_stop =
                |option: Value| self.right_stop(option) == stop && self.le(number, option);
            (stop, !left.iter().any(|&option| at_stop(option)))
        });
        let upper = upper.map(|stop| {
            let number = self.number(stop);
            let at_stop = |option: Value| self.left_stop(option) == stop && self.le(option, number);
            (stop, !right.iter().any(|&option| at_stop(option)))
        });
        Dyadic::simplest(lower, upper)
    }

    /// The options that no other beats; `worse(a, b)` says that b is at least as good.
    fn undominated(
        &self,
        mut options: Vec<Value>,
        worse: impl Fn(Value, Value) -> bool,
    ) -> Vec<Value> {
        options.sort_unstable();
        options.dedup();
        let mut best: Vec<Value> = Vec::with_capacity(options.len());
        for option in options {
            if best.iter().any(|&other| worse(option, other)) {
                continue;
            }
            best.retain(|&other| !worse(other, option));
            best.push(option);
        }
        best
    }

    /// Bypasses the first reversible option found; whether there was one.
    fn reverse(&self, draft: &mut Draft) -> bool {
        let through =
            |option: Value| self.right(option).iter().copied().find(|&r| self.le_draft(r, draft));
        if let Some((i, target)) =
            draft.left.iter().enumerate().find_map(|(i, &option)| Some((i, through(option)?)))
        {
            draft.left.swap_remove(i);
            draft.left.extend_from_slice(self.left(target));
            return true;
        }
        let through =
            |option: Value| self.left(option).iter().copied().find(|&l| self.ge_draft(l, draft));
        if let Some((i, target)) =
            draft.right.iter().enumerate().find_map(|(i, &option)| Some((i, through(option)?)))
        {
            draft.right.swap_remove(i);
            draft.right.extend_from_slice(self.right(target));
            return true;
        }
        false
    }

    /// Whether a value is `<=` the draft.
    fn le_draft(&self, value: Value, draft: &Draft) -> bool {
        let node = self.node(value);
        if node.left_stop < draft.right_stop {
            return true;
        }
        if node.left_stop > draft.left_stop || node.right_stop > draft.right_stop {
            return false;
        }
        !draft.right.iter().any(|&option| self.le(option, value))
            && !self.left(value).iter().any(|&option| self.ge_draft(option, draft))
    }

    /// Whether a value is `>=` the draft.
    fn ge_draft(&self, value: Value, draft: &Draft) -> bool {
        let node = self.node(value);
        if draft.left_stop < node.right_stop {
            return true;
        }
        if draft.left_stop > node.left_stop || draft.right_stop > node.right_stop {
            return false;
        }
        !draft.left.iter().any(|&option| self.le(value, option))
            && !self.right(value).iter().any(|&option| self.le_draft(option, draft))
    }
}
