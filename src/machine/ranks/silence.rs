//! For how long ranks have said nothing, as rank 0 knows it.
//!
//! It is not the clock that decides: between two looks of rank 0 a silence grows by no more than a
//! moment. So nobody is lost because the clock jumps, because this process is stopped, or because
//! the machine has no time for it.

use std::time::{Duration, Instant};

/// By how much a silence grows between two looks at the most.
const MOMENT: Duration = Duration::from_millis(20);

/// The silence of each rank.
#[derive(Debug)]
pub(super) struct Silence {
    of: Vec<Duration>,
    looked: Instant,
}

impl Silence {
    /// Of so many ranks, which have just been heard.
    pub(super) fn new(size: usize) -> Self {
        Self { of: vec![Duration::ZERO; size], looked: Instant::now() }
    }

    /// A rank has said something.
    pub(super) fn heard(&mut self, rank: usize) {
        self.of[rank] = Duration::ZERO;
    }

    /// Looks once more at these ranks; one that has said nothing for so long.
    pub(super) fn look(
        &mut self,
        ranks: impl Iterator<Item = usize>,
        lost_after: Duration,
    ) -> Option<usize> {
        let passed = self.looked.elapsed();
        self.looked += passed;
        self.pass(passed, ranks, lost_after)
    }

    fn pass(
        &mut self,
        passed: Duration,
        mut ranks: impl Iterator<Item = usize>,
        lost_after: Duration,
    ) -> Option<usize> {
        self.of.iter_mut().for_each(|silence| *silence += passed.min(MOMENT));
        ranks.find(|&rank| self.of[rank] > lost_after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_silent_is_lost_and_a_jump_of_the_clock_is_none() {
        let (mut silence, lost_after) = (Silence::new(3), Duration::from_secs(60));
        // An hour between two looks, as when the process was stopped.
        for _ in 0..3 {
            assert_eq!(silence.pass(Duration::from_secs(3600), 1..3, lost_after), None);
        }
        let mut looks = 0;
        let lost = loop {
            silence.heard(1);
            looks += 1;
            if let Some(lost) = silence.pass(Duration::from_millis(2), 1..3, lost_after) {
                break lost;
            }
        };
        assert_eq!((lost, looks), (2, 29_971));
        // Nobody asks about rank 2 any more.
        assert_eq!(silence.pass(Duration::from_millis(2), 1..2, lost_after), None);
    }
}
