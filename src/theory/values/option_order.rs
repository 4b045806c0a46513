//! The order in which the options of a value are written; it does not depend on names.
//!
//! Options of different kinds go by the rank of their kinds, which each way of writing has its own
//! of; number-up-stars of one kind by size, forms by their options.

use std::cmp::Ordering;

use super::{Value, Values};

/// The rank of a value's kind. Number-up-stars and forms have different ones.
pub(super) type RankOfKind = fn(&Values, Value) -> u8;

impl Values {
    /// Options in the order in which they are written.
    pub(super) fn in_order(&self, options: &[Value], rank: RankOfKind) -> Vec<Value> {
        let mut options = options.to_vec();
        options.sort_by(|&a, &b| self.order(a, b, rank));
        options
    }

    fn order(&self, a: Value, b: Value, rank: RankOfKind) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        rank(self, a).cmp(&rank(self, b)).then_with(|| match (self.as_nus(a), self.as_nus(b)) {
            (Some(x), Some(y)) => x.cmp(&y),
            _ => {
                let side = |x: &[Value], y: &[Value]| {
                    let (x, y) = (self.in_order(x, rank), self.in_order(y, rank));
                    let mut pairs = x.iter().zip(&y).map(|(&x, &y)| self.order(x, y, rank));
                    let first = pairs.find(|order| order.is_ne());
                    first.unwrap_or(x.len().cmp(&y.len()))
                };
                side(self.left(a), self.left(b)).then_with(|| side(self.right(a), self.right(b)))
            }
        })
    }
}
