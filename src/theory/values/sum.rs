//! Sums and negatives.
//!
//! Number-up-stars add by their parts. A number added to another form is added to each of its
//! options (number translation theorem), which keeps the form canonical. Everything else follows
//! the definition `G + H = { G^L + H, G + H^L | G^R + H, G + H^R }` and is remembered by pair.

use super::{Value, Values};

impl Values {
    /// `a + b`.
    ///
    /// # Panics
    /// If a number in it has more than 63 bits; never for values
    /// [in range](Self::is_in_range).
    pub fn sum(&self, a: Value, b: Value) -> Value {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if a == Value::ZERO {
            return b;
        }
        let (x, y) = (self.as_nus(a), self.as_nus(b));
        if let (Some(x), Some(y)) = (x, y) {
            return self.nus(x.plus(y));
        }
        if let Some(known) = self.sums.get(&(a, b)) {
            return *known;
        }
        let sum = match (x, y) {
            (Some(x), None) if x.is_number() => self.translated(b, a),
            (None, Some(y)) if y.is_number() => self.translated(a, b),
            _ => self.full_sum(a, b),
        };
        self.sums.insert((a, b), sum);
        sum
    }

    /// The sum of any number of values.
    pub fn total(&self, values: impl IntoIterator<Item = Value>) -> Value {
        values.into_iter().fold(Value::ZERO, |sum, value| self.sum(sum, value))
    }

    /// `-value`.
    pub fn negative(&self, value: Value) -> Value {
        let node = self.node(value);
        *node.negative.get_or_init(|| match node.nus {
            Some(nus) => self.nus(nus.negative()),
            None => {
                let side = |options: &[Value]| {
                    options.iter().map(|&option| self.negative(option)).collect()
                };
                self.canonical(side(self.right(value)), side(self.left(value)))
            }
        })
    }

    /// `a - b`.
    pub fn difference(&self, a: Value, b: Value) -> Value {
        self.sum(a, self.negative(b))
    }

    fn translated(&self, form: Value, number: Value) -> Value {
        let side =
            |options: &[Value]| options.iter().map(|&option| self.sum(option, number)).collect();
        self.canonical(side(self.left(form)), side(self.right(form)))
    }

    fn full_sum(&self, a: Value, b: Value) -> Value {
        let side = |of_a: &[Value], of_b: &[Value]| -> Vec<Value> {
            let moves_in_a = of_a.iter().map(|&option| self.sum(option, b));
            moves_in_a.chain(of_b.iter().map(|&option| self.sum(a, option))).collect()
        };
        self.game(side(self.left(a), self.left(b)), side(self.right(a), self.right(b)))
    }
}
