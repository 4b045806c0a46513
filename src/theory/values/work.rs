//! How much arithmetic with values may do because a text says so.
//!
//! With a hundred characters one can write a sum of a hundred switches, whose form may have 2^100
//! positions. And a form that is small may be found by way of many others. So what is counted is
//! the work itself: each sum, comparison and thermograph that is made and remembered, and each form
//! that is looked through, is a step. There is a bound of steps, so of time, and one of memory.
//! Both hold whatever the text says.

use std::cell::Cell;
use std::cmp::Ordering;

use super::footprint::fits;
use super::thermograph::Thermograph;
use super::{Value, Values};
use crate::theory::limit::Limit;

/// The most steps: a few seconds of work.
pub(super) const MOST_STEPS: u64 = 1 << 21;
/// The memory is looked at after so many steps, each of which may remember something.
const STEPS: u64 = 256;

/// Why a value was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Overwork {
    /// More steps than are allowed.
    #[error("it has too many positions: arithmetic takes more than {MOST_STEPS} steps")]
    Steps,
    /// More memory than is allowed.
    #[error("arithmetic takes more than the {allowed} bytes of memory that it may")]
    Memory {
        /// Bytes that may be used.
        allowed: u64,
    },
}

/// Arithmetic in a store of values, as far as steps and memory go.
#[derive(Debug)]
pub struct Work<'a> {
    values: &'a Values,
    memory: u64,
    steps: Cell<u64>,
}

impl<'a> Work<'a> {
    /// 2^21 steps, and any memory that they take.
    pub fn new(values: &'a Values) -> Self {
        Self::within(values, u64::MAX)
    }

    /// 2^21 steps, before which the store does not take more than `memory` bytes.
    pub fn within(values: &'a Values, memory: u64) -> Self {
        Self { values, memory, steps: Cell::new(MOST_STEPS) }
    }

    /// The store.
    pub fn values(&self) -> &'a Values {
        self.values
    }

    /// The sum of two values.
    ///
    /// # Errors
    /// If steps or memory are spent.
    pub fn sum(&self, a: Value, b: Value) -> Result<Value, Overwork> {
        self.values.sum_within(self, a, b)
    }

    /// How two values compare, `None` if they are confused.
    ///
    /// # Errors
    /// If steps or memory are spent.
    pub fn compare(&self, a: Value, b: Value) -> Result<Option<Ordering>, Overwork> {
        self.values.compare_within(self, a, b)
    }

    /// The thermograph of a value.
    ///
    /// # Errors
    /// If steps or memory are spent.
    pub fn thermograph(&self, value: Value) -> Result<&'a Thermograph, Overwork> {
        self.values.thermograph_within(self, value)
    }

    /// Whether a value is [in range](Values::is_in_range).
    ///
    /// # Errors
    /// If steps or memory are spent.
    pub fn is_in_range(&self, value: Value) -> Result<bool, Overwork> {
        self.values.is_in_range_within(self, value)
    }
}

impl Limit for Work<'_> {
    type Reached = Overwork;

    #[inline]
    fn check(&self) -> Result<(), Overwork> {
        let left = self.steps.get().checked_sub(1).ok_or(Overwork::Steps)?;
        self.steps.set(left);
        let looked_at = self.memory != u64::MAX && left.is_multiple_of(STEPS);
        match looked_at && !fits(self.values.bytes(), self.memory) {
            true => Err(Overwork::Memory { allowed: self.memory }),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::values::ValueTextError;

    /// Every sum of their ends is another number.
    fn switches(count: u32) -> String {
        (0..count).map(|at| format!("±{}", 1u64 << at)).collect::<Vec<_>>().join("+")
    }

    #[test]
    fn texts_that_take_too_much_are_refused() {
        let (values, many) = (Values::new(), switches(12));
        values.parse(&many).unwrap();
        for text in [
            switches(22),
            // Each is a sum of few positions.
            format!("{}{}", switches(14), "+1".repeat(480)),
            format!("{}{}", switches(14), "+0".repeat(480)),
        ] {
            let error = values.parse(&text).unwrap_err();
            let ValueTextError::Overwork { why: Overwork::Steps, .. } = error else {
                panic!("{text}: {error}")
            };
        }
    }

    /// Its form has a few thousand positions, and its text each as often as there are ways to it.
    #[test]
    fn a_small_form_may_have_a_text_without_end() {
        let values = Values::new();
        let sizes: Vec<String> = (1..30).map(|size| format!("±{size}")).collect();
        let sum = values.parse(&sizes.join("+")).unwrap();
        assert!(!values.is_writable(sum));
        let few = values.parse("±2+±1").unwrap();
        assert!(values.is_writable_within(1 << 10, few) && !values.is_writable_within(100, few));
    }

    #[test]
    fn work_keeps_to_the_memory() {
        for (text, memory) in [(switches(17), 8 << 20), (switches(13), 2 << 20)] {
            let values = Values::new();
            let work = Work::within(&values, memory);
            let error = work.parse(&text).unwrap_err();
            assert!(matches!(error, ValueTextError::Overwork { why: Overwork::Memory { .. }, .. }));
            assert!(values.bytes() < memory, "{} of {memory}", values.bytes());
        }
    }

    #[test]
    fn thermographs_count() {
        let values = Values::new();
        let sum = values.parse(&switches(10)).unwrap();
        let before = values.bytes();
        let work = Work { steps: Cell::new(100), ..Work::new(&values) };
        assert_eq!(work.thermograph(sum), Err(Overwork::Steps));
        let drawn = Work::new(&values).thermograph(sum).unwrap();
        assert_eq!(drawn, values.thermograph(sum));
        assert!(values.bytes() > before + 1000 * size_of::<Thermograph>() as u64);
    }
}
