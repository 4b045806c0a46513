//! What all threads of one search share, and when they are to stop.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::game::board::Word;
use crate::machine::busy::Busy;
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::machine::virtual_threads::VirtualThreads;
use crate::search::monitor::Monitor;
use crate::search::sum::board_data::BoardData;
use crate::search::sum::key::Key;
use crate::search::sum::oracle::Oracle;
use crate::search::table::ProofTable;
use crate::search::table::noted::Noted;

/// What all threads of one search share.
#[derive(Debug)]
pub(in crate::search) struct Shared<'a, W: Word = u64> {
    pub(in crate::search) data: &'a BoardData<W>,
    pub(in crate::search) table: &'a ProofTable,
    pub(in crate::search) busy: &'a Busy<Key>,
    pub(in crate::search) oracle: Option<&'a dyn Oracle>,
    /// Set from outside to end the search.
    pub(in crate::search) stop: &'a StopFlag,
    /// Set by any thread to end this run of the search: the time is up, enough is searched, or the
    /// table is nearly full.
    pub(in crate::search) pause: AtomicBool,
    /// When this run ends.
    pub(in crate::search) until: Option<Instant>,
    /// The count of positions, of all runs together, at which this run ends.
    pub(in crate::search) limit: u64,
    /// Which entries cost much.
    pub(in crate::search) noted: &'a Noted,
    /// Figures for whoever watches.
    pub(in crate::search) monitor: &'a Monitor,
    /// Whether other threads search the same position.
    pub(in crate::search) parallel: bool,
    /// Jitters the numbers that positions start with, to tell what is luck.
    pub(in crate::search) jitter: Option<u64>,
    /// What the threads take turns by, if they are virtual.
    pub(in crate::search) turns: Option<&'a VirtualThreads>,
}

impl<W: Word> Shared<'_, W> {
    /// Whether this run of the search is to end: it was stopped, the time is up, enough is
    /// searched, or the table is nearly full. Once true it stays true for all threads.
    pub(in crate::search) fn is_paused(&self) -> bool {
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
