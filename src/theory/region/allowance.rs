//! How much may be searched for the longest plays of a whole position.

use std::cell::Cell;

use crate::theory::limit::Limit;

/// Positions that are searched for longest plays unless somebody says otherwise; some tens of
/// milliseconds.
const POSITIONS: u32 = 1 << 13;

/// How many positions may still be searched for longest plays. Nearly all parts are filled by a
/// greedy walk or a few positions; a part that would take millions gets bounds that are not exact.
#[derive(Debug)]
pub struct Allowance(Cell<u32>);

impl Default for Allowance {
    /// 2^13 positions.
    fn default() -> Self {
        Self::of(POSITIONS)
    }
}

impl Allowance {
    /// So many positions.
    pub fn of(positions: u32) -> Self {
        Self(Cell::new(positions))
    }

    /// What one search may spend: half of what is left, so that a part that is never finished
    /// leaves something for all others.
    pub(super) fn share(&self) -> Share<'_> {
        Share { whole: &self.0, left: Cell::new(self.0.get().div_ceil(2)) }
    }
}

/// What one search may still spend of an allowance.
#[derive(Debug)]
pub(super) struct Share<'a> {
    whole: &'a Cell<u32>,
    left: Cell<u32>,
}

/// Nothing is left of a share.
#[derive(Debug)]
pub(super) struct Spent;

impl Limit for Share<'_> {
    type Reached = Spent;

    fn check(&self) -> Result<(), Spent> {
        let left = self.left.get().checked_sub(1).ok_or(Spent)?;
        self.left.set(left);
        self.whole.set(self.whole.get() - 1);
        Ok(())
    }
}
