//! What one searching thread counts and watches while it searches.
//!
//! It counts the positions that it evaluates and the nodes that it enters. Every [`PULSE`] of
//! either it tells the [`Monitor`](crate::search::monitor::Monitor), and looks whether the search
//! is to end or another thread has solved an ancestor. Then the nodes below are left at once. A
//! virtual thread hands on to the next one besides, after its quantum of evaluated positions
//! ([`virtual_threads`](crate::machine::virtual_threads)).

use super::shared::Shared;
use crate::game::board::Word;
use crate::machine::virtual_threads::VirtualThreads;
use crate::search::sum::key::Key;
use crate::search::sum::numbers::Numbers;

/// Evaluated positions between two looks at the clock and at the ancestors; or nodes entered, since
/// a search that finds all in its table evaluates none.
const PULSE: u64 = 1024;
/// Length of the line that the monitor shows.
const SHOWN_PLIES: usize = 8;

/// Whether the monitor shows a thread.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum Visibility {
    Shown,
    Hidden,
}

impl Visibility {
    /// Of the threads of a search the monitor shows the first.
    pub(in crate::search) fn of_thread(number: usize) -> Self {
        if number == 0 { Self::Shown } else { Self::Hidden }
    }
}

/// One thread's counts, and its way from the root.
#[derive(Debug)]
pub(in crate::search) struct Watch<'a, W: Word = u64> {
    pub(in crate::search) shared: &'a Shared<'a, W>,
    /// Whether this is the thread that the monitor shows.
    shown: bool,
    /// Key and net integer of each node from the root to where the thread is.
    path: Vec<(Key, i8)>,
    /// Positions evaluated.
    evaluated: u64,
    /// Those of them that the monitor knows of.
    flushed: u64,
    /// The count of positions at which it hands on next, if it is a virtual thread.
    next_turn: u64,
    /// The count of positions at which it looks up or hands on next.
    next_look: u64,
    /// Nodes entered.
    entered: u64,
    /// Nodes below this ply are left at once, because the one at this ply is solved or the search
    /// is over.
    leave: usize,
}

impl<'a, W: Word> Watch<'a, W> {
    pub(in crate::search) fn new(shared: &'a Shared<'a, W>, visibility: Visibility) -> Self {
        let mut watch = Self {
            shared,
            shown: visibility == Visibility::Shown,
            path: Vec::new(),
            evaluated: 0,
            flushed: 0,
            next_turn: shared.turns.map_or(u64::MAX, VirtualThreads::quantum),
            next_look: 0,
            entered: 0,
            leave: usize::MAX,
        };
        watch.plan();
        watch
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
            self.hand_on();
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
        if self.evaluated >= self.next_look {
            self.look();
        }
    }

    /// Shows how the root stands, if the node entered last is the root.
    #[inline(always)]
    pub(in crate::search) fn show_root(&self, numbers: Numbers, open: usize) {
        if self.shown && self.path.len() == 1 {
            self.shared.monitor.set_root(numbers, open);
        }
    }

    /// What is due at this count of positions.
    #[cold]
    fn look(&mut self) {
        if self.evaluated >= self.next_turn {
            self.hand_on();
        }
        if self.evaluated >= self.flushed + PULSE {
            self.pulse();
        }
        self.plan();
    }

    /// When something is due next.
    fn plan(&mut self) {
        self.next_look = self.next_turn.min(self.flushed + PULSE);
    }

    /// Lets the other virtual threads have their turns.
    fn hand_on(&mut self) {
        if let Some(turns) = self.shared.turns {
            turns.pass();
            self.next_turn = self.evaluated + turns.quantum();
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
        self.shared.monitor.add_nodes(self.evaluated - self.flushed);
        self.flushed = self.evaluated;
        self.plan();
    }
}
