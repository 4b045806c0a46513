//! Sums and negatives.
//!
//! Number-up-stars add by their parts. A number added to another form is added to each of its
//! options (number translation theorem), which keeps the form canonical. Everything else follows
//! the definition `G + H = { G^L + H, G + H^L | G^R + H, G + H^R }` and is remembered by pair.

use super::{Value, Values};
use crate::theory::limit::{Limit, Unlimited};

impl Values {
    /// `a + b`.
    ///
    /// # Panics
    /// If a number in it has more than 63 bits; never for values
    /// [in range](Self::is_in_range).
    pub fn sum(&self, a: Value, b: Value) -> Value {
        let Ok(sum) = self.sum_within(&Unlimited, a, b);
        sum
    }

    /// `a + b`.
    ///
    /// # Errors
    /// If the limit was reached.
    ///
    /// # Panics
    /// As [`Self::sum`].
    pub(super) fn sum_within<L: Limit>(
        &self,
        limit: &L,
        a: Value,
        b: Value,
    ) -> Result<Value, L::Reached> {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if a == Value::ZERO {
            return Ok(b);
        }
        let (x, y) = (self.as_nus(a), self.as_nus(b));
        if let (Some(x), Some(y)) = (x, y) {
            return Ok(self.nus(x.plus(y)));
        }
        if let Some(known) = self.sums.get(&(a, b)) {
            return Ok(*known);
        }
        limit.check()?;
        let sum = match (x, y) {
            (Some(x), None) if x.is_number() => self.translated(limit, b, a)?,
            (None, Some(y)) if y.is_number() => self.translated(limit, a, b)?,
            _ => self.full_sum(limit, a, b)?,
        };
        self.sums.insert((a, b), sum);
        Ok(sum)
    }

    /// The sum of any number of values.
    ///
    /// # Panics
    /// As [`Values::sum`].
    pub fn total(&self, values: impl IntoIterator<Item = Value>) -> Value {
        values.into_iter().fold(Value::ZERO, |sum, value| self.sum(sum, value))
    }

    /// `-value`.
    pub fn negative(&self, value: Value) -> Value {
        let Ok(negative) = self.negative_within(&Unlimited, value);
        negative
    }

    /// `-value`.
    ///
    /// # Errors
    /// If the limit was reached.
    pub(super) fn negative_within<L: Limit>(
        &self,
        limit: &L,
        value: Value,
    ) -> Result<Value, L::Reached> {
        let node = self.node(value);
        if let Some(known) = node.negative.get() {
            return Ok(*known);
        }
        let negative = match node.nus {
            Some(nus) => self.nus(nus.negative()),
            None => {
                limit.check()?;
                let side = |options: &[Value]| -> Result<Vec<Value>, L::Reached> {
                    options.iter().map(|&option| self.negative_within(limit, option)).collect()
                };
                self.canonical(side(self.right(value))?, side(self.left(value))?)
            }
        };
        Ok(*node.negative.get_or_init(|| negative))
    }

    /// `a - b`.
    ///
    /// # Panics
    /// As [`Values::sum`].
    pub fn difference(&self, a: Value, b: Value) -> Value {
        self.sum(a, self.negative(b))
    }

    fn translated<L: Limit>(
        &self,
        limit: &L,
        form: Value,
        number: Value,
    ) -> Result<Value, L::Reached> {
        let side = |options: &[Value]| -> Result<Vec<Value>, L::Reached> {
            options.iter().map(|&option| self.sum_within(limit, option, number)).collect()
        };
        Ok(self.canonical(side(self.left(form))?, side(self.right(form))?))
    }

    fn full_sum<L: Limit>(&self, limit: &L, a: Value, b: Value) -> Result<Value, L::Reached> {
        let side = |of_a: &[Value], of_b: &[Value]| -> Result<Vec<Value>, L::Reached> {
            let moves_in_a = of_a.iter().map(|&option| self.sum_within(limit, option, b));
            let moves_in_b = of_b.iter().map(|&option| self.sum_within(limit, a, option));
            moves_in_a.chain(moves_in_b).collect()
        };
        let left = side(self.left(a), self.left(b))?;
        let right = side(self.right(a), self.right(b))?;
        self.game_within(limit, left, right)
    }
}
