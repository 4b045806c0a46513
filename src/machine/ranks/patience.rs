//! How a rank waits: it looks for messages and sleeps in between.

use std::time::Duration;

/// How long a rank that waits sleeps between two looks, at the least and at the most.
const SLEEP: [Duration; 2] = [Duration::from_micros(20), Duration::from_millis(2)];

/// Sleeps longer and longer until something happens.
pub(super) struct Patience(Duration);

impl Patience {
    /// At first the sleeps are short.
    pub(super) fn new() -> Self {
        Self(SLEEP[0])
    }

    /// How long to wait this time.
    pub(super) fn next(&mut self) -> Duration {
        let now = self.0;
        self.0 = (now * 3 / 2).min(SLEEP[1]);
        now
    }

    /// Waits.
    pub(super) fn sleep(&mut self) {
        std::thread::sleep(self.next());
    }
}
