//! What all threads of one search share, and when they are to stop.

use std::sync::atomic::{AtomicBool, Ordering};

use super::board_data::BoardData;
use super::key::Key;
use super::monitor::Monitor;
use super::noted::Noted;
use super::oracle::Oracle;
use super::table::Table;
use crate::machine::busy::Busy;
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;

/// What all threads of one search share.
#[derive(Debug)]
pub(super) struct Common<'a> {
    pub(super) data: &'a BoardData,
    pub(super) table: &'a Table,
    pub(super) busy: &'a Busy<Key>,
    pub(super) oracle: Option<&'a dyn Oracle>,
    /// Set from outside to end the search.
    pub(super) stop: &'a StopFlag,
    /// Set by any thread to end this run of the search: the time is up, enough is searched, or the
    /// table is nearly full.
    pub(super) pause: AtomicBool,
    /// When this run ends.
    pub(super) until: Option<Instant>,
    /// The count of positions, of all runs together, at which this run ends.
    pub(super) limit: u64,
    /// Which entries cost much.
    pub(super) noted: &'a Noted,
    /// Figures for whoever watches.
    pub(super) monitor: &'a Monitor,
    /// Whether other threads search the same position.
    pub(super) parallel: bool,
}

impl Common<'_> {
    /// Whether this run of the search is to end: it was stopped, the time is up, enough is
    /// searched, or the table is nearly full. Once true it stays true for all threads.
    pub(super) fn is_paused(&self) -> bool {
        let late = |until: Instant| Instant::now() >= until;
        if self.stop.is_set()
            || self.table.is_nearly_full()
            || self.monitor.nodes() >= self.limit
            || self.until.is_some_and(late)
        {
            self.pause.store(true, Ordering::Relaxed);
        }
        self.pause.load(Ordering::Relaxed)
    }
}
