//! What one searching thread counts and watches while it searches.
//!
//! It counts the positions that it evaluates and the nodes that it enters. Every [`PULSE`] of
//! either it tells the [`Monitor`](crate::search::monitor::Monitor), and looks whether the search is to end
//! or another thread has solved an ancestor. Then the nodes below are left at once.

use super::shared::Shared;
use crate::search::sum::key::Key;
use crate::search::sum::numbers::Numbers;

/// Evaluated positions between two looks at the clock and at the ancestors; or nodes entered, since
/// a search that finds all in its table evaluates none.
const PULSE: u64 = 1024;
/// Length of the line that the monitor shows.
const SHOWN_PLIES: usize = 8;

/// One thread's counts, and its way from the root.
#[derive(Debug)]
pub(in crate::search) struct Watch<'a> {
    pub(in crate::search) shared: &'a Shared<'a>,
    /// Whether this is the thread that the monitor shows.
    shown: bool,
    /// Key and net integer of each node from the root to where the thread is.
    path: Vec<(Key, i8)>,
    /// Positions evaluated.
    evaluated: u64,
    next_pulse: u64,
    /// Nodes entered.
    entered: u64,
    /// Nodes below this ply are left at once, because the one at this ply is solved or the search
    /// is over.
    leave: usize,
}

impl<'a> Watch<'a> {
    pub(in crate::search) fn new(shared: &'a Shared<'a>, shown: bool) -> Self {
        let leave = usize::MAX;
        Self { shared, shown, path: Vec::new(), evaluated: 0, next_pulse: PULSE, entered: 0, leave }
    }

    /// Begins at a root.
    pub(in crate::search) fn begin(&mut self) {
        self.leave = usize::MAX;
    }

    /// Number of nodes on the way from the root, where the thread is included.
    #[inline(always)]
    pub(in crate::search) fn ply(&self) -> usize {
        self.path.len()
    }

    /// Positions evaluated so far.
    #[inline(always)]
    pub(in crate::search) fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// Enters a node.
    #[inline]
    pub(in crate::search) fn enter(&mut self, key: Key, spare: i8) {
        self.path.push((key, spare));
        self.entered += 1;
        if self.entered.is_multiple_of(PULSE) {
            self.pulse();
        }
        if self.shared.parallel {
            self.shared.busy.enter(key);
        }
    }

    /// Leaves the node entered last; whether that was done early, so that its numbers may be out of
    /// date.
    #[inline]
    pub(in crate::search) fn exit(&mut self, key: Key) -> bool {
        if self.shared.parallel {
            self.shared.busy.leave(key);
        }
        self.path.pop();
        let early = self.path.len() >= self.leave;
        if self.path.len() == self.leave {
            self.leave = usize::MAX;
        }
        early
    }

    /// Whether the node entered last is to be left, because an ancestor is solved or the search is
    /// over.
    #[inline(always)]
    pub(in crate::search) fn is_to_leave(&self) -> bool {
        self.path.len() > self.leave
    }

    /// Counts an evaluated position.
    #[inline(always)]
    pub(in crate::search) fn count_evaluated(&mut self) {
        self.evaluated += 1;
        if self.evaluated >= self.next_pulse {
            self.pulse();
        }
    }

    /// Shows how the root stands, if the node entered last is the root.
    #[inline(always)]
    pub(in crate::search) fn show_root(&self, numbers: Numbers, open: usize) {
        if self.shown && self.path.len() == 1 {
            self.shared.monitor.set_root(numbers, open);
        }
    }

    /// Tells the monitor; finds out what is solved or stopped.
    #[cold]
    fn pulse(&mut self) {
        self.flush();
        let Shared { monitor, table, .. } = self.shared;
        if self.shown {
            monitor.set_path(self.path.iter().take(SHOWN_PLIES).map(|&(key, _)| key));
            monitor.set_fill(table.len(), table.capacity());
        }
        if self.shared.is_paused() {
            self.leave = 0;
        } else if self.shared.parallel {
            let solved = |(key, spare): &(Key, i8)| {
                table.probe(*key, *spare).bounds.verdict(*spare).is_some()
            };
            if let Some(ply) = self.path.iter().position(solved) {
                self.leave = self.leave.min(ply);
            }
        }
    }

    /// Adds what has been evaluated to the common count.
    pub(in crate::search) fn flush(&mut self) {
        let done = self.evaluated - (self.next_pulse - PULSE);
        self.shared.monitor.add_nodes(done);
        self.next_pulse = self.evaluated + PULSE;
    }
}
