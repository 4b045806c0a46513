//! How long a search may take: limits, clocks, and the control that all threads of a search look
//! at.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;

/// When a search for a move has to end; whatever comes first. Without any limit it goes on until
/// the game's end is proven or somebody stops it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time for this move.
    pub time: Option<Duration>,
    /// Time after which no deeper iteration is begun, if earlier.
    pub enough: Option<Duration>,
    /// Positions evaluated. With one thread a search limited by nodes alone can be repeated
    /// exactly.
    pub nodes: Option<u64>,
    /// Moves looked ahead.
    pub depth: Option<u32>,
}

/// An engine's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time is given, if that is so.
    pub moves_to_go: Option<u32>,
}

/// Part of the clock that is never used: the way of a move to whoever keeps the time.
const RESERVE: Duration = Duration::from_millis(50);

/// The part of a move's time or positions that a proof search may use.
pub(super) const PROOF_SHARE: u32 = 4;

impl Limits {
    /// A time for the move and nothing else.
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// A share of what a clock has left. `empty` squares are left to burn; each side plays at most
    /// half of them, and of these the last part is only filling, which takes no time.
    pub fn clock(clock: Clock, empty: usize) -> Self {
        let left = clock.left.saturating_sub(RESERVE).max(clock.left / 2);
        let moves = clock.moves_to_go.unwrap_or(u32::MAX).clamp(1, (empty as u32 / 3).max(2));
        let three_quarters = |time: Duration| time - time / 4;
        let share = (left / moves).saturating_add(three_quarters(clock.increment));
        let time = share.saturating_mul(2).min(three_quarters(left)).max(Duration::from_millis(1));
        Self { time: Some(time), enough: Some(share.min(time) / 2), ..Self::default() }
    }
}

/// What all threads of one search look at.
#[derive(Debug)]
pub(super) struct Control<'a> {
    stop: &'a StopFlag,
    over: AtomicBool,
    began: Instant,
    limits: Limits,
    nodes: AtomicU64,
}

/// The search was ended before it was done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Over;

impl<'a> Control<'a> {
    /// A search that began at a moment.
    pub(super) fn new(began: Instant, limits: Limits, stop: &'a StopFlag) -> Self {
        Self { stop, over: AtomicBool::new(false), began, limits, nodes: AtomicU64::new(0) }
    }

    /// Adds nodes; whether to go on.
    #[inline]
    pub(super) fn count(&self, nodes: u64) -> Result<(), Over> {
        let nodes = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        let late = self.limits.time.is_some_and(|time| self.began.elapsed() >= time);
        let many = self.limits.nodes.is_some_and(|most| nodes >= most);
        if late || many || self.stop.is_set() {
            self.end();
        }
        if self.is_over() { Err(Over) } else { Ok(()) }
    }

    /// Ends the search on all threads.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Whether the search has been ended.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Whether a deeper iteration is worth beginning.
    pub(super) fn goes_deeper(&self, depth: u32) -> bool {
        let enough = self.limits.enough.is_some_and(|enough| self.began.elapsed() >= enough);
        !enough && !self.is_over() && self.limits.depth.is_none_or(|most| depth <= most)
    }

    /// Positions evaluated so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_may_show_any_time() {
        let clock = Clock { left: Duration::MAX, increment: Duration::MAX, moves_to_go: None };
        let limits = Limits::clock(clock, 100);
        let (time, enough) = (limits.time.unwrap(), limits.enough.unwrap());
        assert!(enough <= time && time <= Duration::MAX / 4 * 3 + Duration::from_secs(1));
    }

    #[test]
    fn a_clock_is_never_overrun() {
        for (left, increment, moves_to_go) in [
            (1, 0, None),
            (60, 0, Some(1)),
            (1000, 50, None),
            (600_000, 0, None),
            (600_000, 0, Some(40)),
            (0, 0, None),
        ] {
            let clock = Clock {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(increment),
                moves_to_go,
            };
            for empty in 0..=92 {
                let limits = Limits::clock(clock, empty);
                let (time, enough) = (limits.time.unwrap(), limits.enough.unwrap());
                assert!(enough <= time && time <= clock.left.max(Duration::from_millis(1)));
            }
        }
        let tournament = Clock { left: Duration::from_secs(1800), ..Clock::default() };
        let limits = Limits::clock(tournament, 92);
        assert!(limits.enough.unwrap() > Duration::from_secs(25), "{limits:?}");
    }
}
