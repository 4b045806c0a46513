//! Which positions threads are at work on, so that another thread looks at something else first (T.
//! Kerrigan's simplified ABDADA). Two positions may share a place: that changes the order of work
//! and nothing else.

use std::sync::atomic::{AtomicU8, Ordering};

use super::key::Key;

const PLACES: usize = 1 << 14;

/// Numbers of the threads below each position.
#[derive(Debug)]
pub(super) struct Busy(Box<[AtomicU8]>);

impl Busy {
    pub(super) fn new() -> Self {
        Self((0..PLACES).map(|_| AtomicU8::new(0)).collect())
    }

    #[inline(always)]
    fn place(&self, key: Key) -> &AtomicU8 {
        &self.0[key.0 as usize % PLACES]
    }

    /// Whether a thread is at work here.
    #[inline(always)]
    pub(super) fn is(&self, key: Key) -> bool {
        self.place(key).load(Ordering::Relaxed) != 0
    }

    /// Runs `work` as work on a position.
    #[inline(always)]
    pub(super) fn while_at<T>(&self, key: Key, work: impl FnOnce() -> T) -> T {
        self.place(key).fetch_add(1, Ordering::Relaxed);
        let done = work();
        self.place(key).fetch_sub(1, Ordering::Relaxed);
        done
    }
}
