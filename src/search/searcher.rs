//! One thread that searches positions of its own on the shared table.
//!
//! Where many positions are to be proved, each of them small, threads do not share one search but the positions. What
//! one of them proves the others find in the table. No thread may grow the table or free entries while others are at
//! work; so when it is nearly full all stop, and whoever started them makes room.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::canonical::Squares;
use super::dfpn::{Common, Node, Worker};
use super::ground::Ground;
use super::reduction::{Reduced, Sum};
use crate::rules::Position;

/// Searches positions for one thread.
#[derive(Debug)]
pub(super) struct Searcher<'a> {
    common: &'a Common<'a>,
    worker: Worker<'a>,
}

impl<'a> Searcher<'a> {
    /// On the table of `common`; `shown` if the monitor shows this thread.
    pub(super) fn new(common: &'a Common<'a>, shown: bool) -> Self {
        Self { common, worker: Worker::new(common, shown) }
    }

    /// The board and its rules.
    pub(super) fn ground(&self) -> &'a Ground {
        self.common.ground
    }

    /// Whether all threads are to stop: the table is nearly full, or the search over. Once true it stays true.
    pub(super) fn is_paused(&self) -> bool {
        let late = |until: Instant| Instant::now() >= until;
        let ends = self.common.stop.is_set()
            || self.common.table.is_nearly_full()
            || self.common.until.is_some_and(late);
        if ends {
            self.common.pause.store(true, Ordering::Relaxed);
        }
        ends || self.common.pause.load(Ordering::Relaxed)
    }

    /// What is proved of a position without searching: by its bounds or in the table.
    pub(super) fn known(&mut self, position: &Position) -> Option<bool> {
        match self.worker.reduce(Squares::of(self.ground().board(), position), 0) {
            Reduced::Decided(win) => Some(win),
            Reduced::Open { sum, key, .. } => {
                self.common.table.probe(key, sum.spare).bounds.verdict(sum.spare)
            }
        }
    }

    /// Whether the side to move wins, `None` if paused. The position is searched even if its bounds decide it or the
    /// table knows it: afterwards the table has, or the bounds decide, what the verdict rests on.
    pub(super) fn prove(&mut self, position: &Position) -> Option<bool> {
        let squares = Squares::of(self.ground().board(), position);
        let node = match self.worker.reduce(squares, 0) {
            Reduced::Open { sum, key, .. } => Node { sum, key },
            Reduced::Decided(_) => {
                let canonical = self.ground().canonizer.canonical(squares);
                Node { sum: Sum::new(canonical, 0), key: self.ground().scrambler.key(&canonical) }
            }
        };
        self.worker.solve(node)
    }
}
