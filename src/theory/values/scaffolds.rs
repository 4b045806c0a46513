//! The thermograph of a value, drawn from those of its options and remembered with it.

use std::sync::atomic::Ordering;

use super::thermograph::{Thermograph, Wall};
use super::{Dyadic, Value, Values};
use crate::theory::limit::{Limit, Unlimited};

impl Values {
    /// The thermograph.
    ///
    /// # Panics
    /// If a corner needs more than 63 bits; never for values [in range](Self::is_in_range).
    pub fn thermograph(&self, value: Value) -> &Thermograph {
        let Ok(drawn) = self.thermograph_within(&Unlimited, value);
        drawn
    }

    /// The thermograph.
    ///
    /// # Errors
    /// If the limit was reached.
    ///
    /// # Panics
    /// As [`Self::thermograph`].
    pub(super) fn thermograph_within<L: Limit>(
        &self,
        limit: &L,
        value: Value,
    ) -> Result<&Thermograph, L::Reached> {
        let node = self.node(value);
        if let Some(known) = node.thermograph.get() {
            return Ok(known);
        }
        limit.check()?;
        let is_number = node.nus.is_some_and(|nus| nus.is_number());
        let scaffolds = if is_number { None } else { self.scaffolds(limit, value)? };
        let drawn = match scaffolds {
            Some((left, right)) => Thermograph::from_scaffolds(&left, &right),
            None => Thermograph::of_number(node.left_stop),
        };
        let bytes = drawn.bytes();
        Ok(node.thermograph.get_or_init(|| {
            self.thermograph_bytes.fetch_add(bytes, Ordering::Relaxed);
            Box::new(drawn)
        }))
    }

    /// The temperature: how much a move is worth.
    pub fn temperature(&self, value: Value) -> Dyadic {
        self.thermograph(value).temperature
    }

    /// The mean: what one of many copies is worth.
    pub fn mean(&self, value: Value) -> Dyadic {
        self.thermograph(value).mean
    }

    fn scaffolds<L: Limit>(
        &self,
        limit: &L,
        value: Value,
    ) -> Result<Option<(Wall, Wall)>, L::Reached> {
        let (mut left, mut right): (Option<Wall>, Option<Wall>) = (None, None);
        for &option in self.left(value) {
            let wall = &self.thermograph_within(limit, option)?.right;
            left = Some(left.map_or_else(|| wall.clone(), |best| best.merged(wall, Dyadic::max)));
        }
        for &option in self.right(value) {
            let wall = &self.thermograph_within(limit, option)?.left;
            right = Some(right.map_or_else(|| wall.clone(), |best| best.merged(wall, Dyadic::min)));
        }
        Ok(left.zip(right).map(|(left, right)| (left.taxed(-1), right.taxed(1))))
    }
}
