//! The thermograph of a value, drawn from those of its options and remembered with it.

use super::thermograph::{Thermograph, Wall};
use super::{Dyadic, Value, Values};

impl Values {
    /// The thermograph.
    ///
    /// # Panics
    /// If a corner needs more than 63 bits; never for values [in range](Self::is_in_range).
    pub fn thermograph(&self, value: Value) -> &Thermograph {
        let node = self.node(value);
        node.thermograph.get_or_init(|| {
            let number = node.nus.filter(|nus| nus.is_number());
            let scaffolds = number.is_none().then(|| self.scaffolds(value)).flatten();
            Box::new(match scaffolds {
                Some((left, right)) => Thermograph::from_scaffolds(&left, &right),
                None => Thermograph::of_number(node.left_stop),
            })
        })
    }

    /// The temperature: how much a move is worth.
    pub fn temperature(&self, value: Value) -> Dyadic {
        self.thermograph(value).temperature
    }

    /// The mean: what one of many copies is worth.
    pub fn mean(&self, value: Value) -> Dyadic {
        self.thermograph(value).mean
    }

    fn scaffolds(&self, value: Value) -> Option<(Wall, Wall)> {
        let left = self.left(value).iter().map(|&option| self.thermograph(option).right.clone());
        let right = self.right(value).iter().map(|&option| self.thermograph(option).left.clone());
        let left = left.reduce(|a, b| a.merged(&b, Dyadic::max))?;
        let right = right.reduce(|a, b| a.merged(&b, Dyadic::min))?;
        Some((left.taxed(-1), right.taxed(1)))
    }
}
