//! Which positions threads are at work on, so that another thread looks at something else first.
//!
//! A small array of counters, addressed by the low bits of a position's key. Two positions may
//! share a counter: the counts only steer threads apart, so a shared one changes the order of work
//! and no result.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU16, Ordering};

/// A key whose low bits are spread evenly.
pub(crate) trait LowBits: Copy {
    /// The low bits; as many as fit.
    fn low_bits(self) -> usize;
}

/// More threads than this at one position count as so many.
const MOST: u16 = 8;

const COUNTERS: usize = if cfg!(miri) { 1 << 6 } else { 1 << 15 };

/// For each position the number of threads at work at or below it; `K` is the key of a position.
#[derive(Debug)]
pub(crate) struct Busy<K> {
    counters: Box<[AtomicU16]>,
    key: PhantomData<fn(K)>,
}

impl<K: LowBits> Busy<K> {
    /// Counters for positions that nobody is at work on.
    pub(crate) fn new() -> Self {
        Self { counters: (0..COUNTERS).map(|_| AtomicU16::new(0)).collect(), key: PhantomData }
    }

    #[inline(always)]
    fn counter(&self, key: K) -> &AtomicU16 {
        &self.counters[key.low_bits() % COUNTERS]
    }

    /// Counts this thread in.
    #[inline(always)]
    pub(crate) fn enter(&self, key: K) {
        self.counter(key).fetch_add(1, Ordering::Relaxed);
    }

    /// Counts this thread out.
    #[inline(always)]
    pub(crate) fn leave(&self, key: K) {
        self.counter(key).fetch_sub(1, Ordering::Relaxed);
    }

    /// Number of threads at or below the position, at most [`MOST`].
    #[inline(always)]
    pub(crate) fn count(&self, key: K) -> u8 {
        self.counter(key).load(Ordering::Relaxed).min(MOST) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy)]
    struct Number(usize);

    impl LowBits for Number {
        fn low_bits(self) -> usize {
            self.0
        }
    }

    #[test]
    fn threads_are_counted_at_their_positions() {
        let (busy, here, there) = (Busy::new(), Number(3), Number(COUNTERS - 1));
        (0..10).for_each(|_| busy.enter(here));
        busy.leave(here);
        busy.enter(there);
        assert_eq!([here, there, Number(4)].map(|key| busy.count(key)), [8, 1, 0]);
        (0..9).for_each(|_| busy.leave(here));
        assert_eq!([here, there].map(|key| busy.count(key)), [0, 1]);
    }
}
