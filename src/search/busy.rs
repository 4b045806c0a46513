//! Which positions threads are at work on.
//!
//! A small array of counters, addressed by the low bits of the key. Two positions may share a
//! counter: the counts only steer threads apart, so that costs a little order and no truth.

use std::sync::atomic::{AtomicU8, Ordering};

use super::key::Key;

const SLOTS: usize = 1 << 15;
/// The least toll where threads are to part: half a square.
const APART: u32 = 8;

/// Counters of the threads below each position.
#[derive(Debug)]
pub(super) struct Busy(Box<[AtomicU8]>);

impl Busy {
    pub(super) fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU8::new(0)).collect())
    }

    #[inline(always)]
    fn slot(&self, key: Key) -> &AtomicU8 {
        &self.0[key.value() as usize % SLOTS]
    }

    /// Counts this thread in.
    #[inline(always)]
    pub(super) fn enter(&self, key: Key) {
        self.slot(key).fetch_add(1, Ordering::Relaxed);
    }

    /// Counts this thread out.
    #[inline(always)]
    pub(super) fn leave(&self, key: Key) {
        self.slot(key).fetch_sub(1, Ordering::Relaxed);
    }

    /// Number of threads at or below the position, at most 8 of them.
    #[inline(always)]
    pub(super) fn count(&self, key: Key) -> u8 {
        self.slot(key).load(Ordering::Relaxed).min(8)
    }
}

/// By how much each thread at a child raises its disproof number `d` for the others.
///
/// All children of a lost node must be searched, so there threads part, but only between children
/// that are nearly equal: half a square and a sixteenth of it is less than the slack by which a
/// thread stays at a child anyway. A larger toll sends threads past worse moves, for nothing if the
/// node is not lost after all. Of a won node one child is enough, and a thread at another one most
/// likely works for nothing: there only ties are broken.
#[inline(always)]
pub(super) fn toll(d: u32, likely_won: bool) -> u32 {
    if likely_won { d / 64 + 1 } else { d / 16 + APART }
}
