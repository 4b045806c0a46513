//! How long computations tell how far they are, and how they are asked to stop.
//!
//! A computation takes an [`Observer`] and calls it now and then, from any thread; it knows nothing
//! of terminals. `&()` is the observer that does not listen. A [`StopFlag`] is polled between
//! pieces of work that are short for a human (a tenth of a second); polling costs one relaxed load.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whoever wants to know how far a computation is. Calls are cheap, but not free: report work in
/// pieces of a millisecond or more.
pub trait Observer: Sync {
    /// A stage begins: what it does (`tier 8`), how many units there are, and the units' name
    /// (`placements`). It replaces the stage before it. A total of 0 means that nobody knows.
    fn begin(&self, _stage: &str, _total: u64, _unit: &str) {}

    /// `count` more units of the stage are done.
    fn add(&self, _count: u64) {}

    /// Something worth a few words beside the rate, replacing the last such words.
    fn status(&self, _words: &str) {}

    /// Something worth a line of its own that stays.
    fn line(&self, _text: &str) {}
}

impl Observer for () {}

/// A request to stop, shared by whoever may ask and whoever has to obey. Once set it stays set.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everyone who polls this flag or a clone of it to stop.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked to stop.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
