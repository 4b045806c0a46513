//! Which positions cost much to search, for those who search the same with another table.

use std::sync::{Mutex, PoisonError};

use crate::search::sum::key::Key;

/// The positions that were searched with at least so much effort, as the table counts it.
#[derive(Debug)]
pub(in crate::search) struct Noted {
    least: u8,
    positions: Mutex<Vec<(Key, i8)>>,
}

impl Noted {
    /// More than an entry can have: nothing is noted.
    pub(in crate::search) const NOTHING: u8 = u8::MAX;

    /// From an effort on.
    pub(in crate::search) fn from_effort(least: u8) -> Self {
        Self { least, positions: Mutex::default() }
    }

    /// Notes a position with its net integer, if it took enough.
    #[inline(always)]
    pub(in crate::search) fn note(&self, key: Key, spare: i8, effort: u8) {
        if effort >= self.least {
            self.push(key, spare);
        }
    }

    #[cold]
    fn push(&self, key: Key, spare: i8) {
        self.positions.lock().unwrap_or_else(PoisonError::into_inner).push((key, spare));
    }

    /// Each position once.
    pub(in crate::search) fn take(&mut self) -> Vec<(Key, i8)> {
        let positions = self.positions.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut positions = std::mem::take(positions);
        positions.sort_unstable();
        positions.dedup();
        positions
    }
}
