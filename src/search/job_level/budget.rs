//! How much a job searches, and how much of the proof rank 0 holds.

use std::time::Duration;

/// How much a job searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Positions that a job evaluates at the most, if there is no time; else those of the first
    /// jobs. Threads look up every thousand positions, so fewer than that are not kept to.
    pub positions: u64,
    /// Jobs grow until they take so long.
    pub time: Option<Duration>,
    /// Positions of the graph, about, at the most.
    pub graph: usize,
    /// What waits to be passed on, in entries, at the most. A rank that is away for longer goes
    /// without the first of them.
    pub waiting: usize,
}

impl Budget {
    /// As much as rank 0 can hold in so many bytes, about.
    pub fn within(bytes: u64) -> Self {
        let [graph, waiting] = [bytes / 4 * 3 / NODE_BYTES, bytes / 4 / WAITING_BYTES];
        Self { graph: graph as usize, waiting: waiting as usize, ..Self::default() }
    }
}

/// Bytes of a position of the graph, with its places in lists.
const NODE_BYTES: u64 = 256;
/// Bytes of an entry that waits to be passed on.
const WAITING_BYTES: u64 = 64;

impl Default for Budget {
    /// Long enough that messages cost nothing beside a job.
    fn default() -> Self {
        Self {
            positions: 1 << 13,
            time: Some(Duration::from_secs(10)),
            graph: 1 << 20,
            waiting: 1 << 18,
        }
    }
}
