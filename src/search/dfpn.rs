//! Depth-first proof-number search on sums (Nagai, *Df-pn*, 2002), one thread's part of it.
//!
//! [`Worker::descend`] searches a position until its proof or its disproof number reaches a
//! threshold:
//!
//! ```text
//! descend(node, tp, td):
//!     children = moves, reduced; a child that is lost wins the node, one that is won is dropped
//!     look each child up, or evaluate it
//!     loop:
//!         proof = least disproof(c);  disproof = greatest proof(c) + (children - 1) / 2
//!         if proof >= tp or disproof >= td: store, return
//!         best = the child of least disproof;  second = the next smaller disproof
//!         descend(best, td - disproof + proof(best), min(tp, second + 16 + second / 8))
//! ```
//!
//! The slack on the second threshold (one square and an eighth) keeps the search at a child for a
//! while: without it two equal children are left and entered again for every evaluated position.
//!
//! *Threads.* All threads run this search from the root on one table. A thread counts itself in at
//! every node it is below ([`Busy`]); whoever selects a child sees numbers raised for each thread
//! at work there (Kaneko, *Parallel depth first proof number search*, 2010), so threads part where
//! it is cheapest ([`toll`]). The raised numbers only steer: what is stored and compared with
//! thresholds are the true ones. Before it descends to a child a thread looks it up again, and
//! chooses anew if it is solved or threads have come or gone; after a long visit it looks all
//! children up, to see what others found; and every so often it looks its ancestors up, and leaves
//! a node that another has solved.
//!
//! The game graph has no cycles (every move burns a square or spends a spare move), so the search
//! needs no care for repetitions.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::busy::{Busy, toll};
use super::expansion::{Child, Expansion, Node};
use super::ground::Ground;
use super::key::Key;
use super::killers::Killers;
use super::monitor::Monitor;
use super::numbers::{INFINITE, Numbers, finite};
use super::oracle::Oracle;
use super::reduction::{Reduced, Reducer};
use super::table::Table;
use crate::machine::progress::StopFlag;

/// Slack of the threshold of the best child over the second best: this much, and an eighth of it.
const SLACK: u32 = 16;
/// After a visit of this many evaluated positions, the children are looked up again.
const LONG_VISIT: u64 = 256;
/// Evaluated positions between two looks at the clock and at the ancestors; or nodes entered, since
/// a search that finds all in its table evaluates none.
const PULSE: u64 = 1024;
/// Length of the line that the monitor shows.
const SHOWN_PLIES: usize = 8;

/// What all threads of one search share.
#[derive(Debug)]
pub(super) struct Common<'a> {
    pub(super) ground: &'a Ground,
    pub(super) table: &'a Table,
    pub(super) busy: &'a Busy,
    pub(super) oracle: Option<&'a dyn Oracle>,
    /// Set from outside to end the search.
    pub(super) stop: &'a StopFlag,
    /// Set by any thread to end this run of the search: the time is up, or the table is nearly
    /// full.
    pub(super) pause: AtomicBool,
    /// When this run ends.
    pub(super) until: Option<Instant>,
    /// Figures for whoever watches.
    pub(super) monitor: &'a Monitor,
    /// Whether other threads search the same table.
    pub(super) parallel: bool,
}

impl Common<'_> {
    /// Whether this run of the search is to end: it was stopped, the time is up, or the table is
    /// nearly full. Once true it stays true for all threads.
    pub(super) fn is_paused(&self) -> bool {
        let late = |until: Instant| Instant::now() >= until;
        if self.stop.is_set() || self.table.is_nearly_full() || self.until.is_some_and(late) {
            self.pause.store(true, Ordering::Relaxed);
        }
        self.pause.load(Ordering::Relaxed)
    }
}

/// The child to search next, and the numbers of the node.
struct Selection {
    best: usize,
    second: u32,
    numbers: Numbers,
}

/// One searching thread.
#[derive(Debug)]
pub(super) struct Worker<'a> {
    pub(super) common: &'a Common<'a>,
    reducer: Reducer,
    /// Whether this is the thread that the monitor shows.
    shown: bool,
    /// The open children of the nodes on the way from the root, one node's after another's.
    pub(super) children: Vec<Child>,
    pub(super) path: Vec<(Key, i8)>,
    pub(super) killers: Killers,
    /// Positions evaluated by this worker.
    pub(super) nodes: u64,
    pub(super) next_pulse: u64,
    /// Nodes entered by this worker.
    entered: u64,
    /// Nodes below this ply are left at once, because the one at this ply is solved or the search
    /// is over.
    leave: usize,
}

impl<'a> Worker<'a> {
    pub(super) fn new(common: &'a Common<'a>, shown: bool) -> Self {
        Self {
            common,
            reducer: Reducer::default(),
            shown,
            children: Vec::with_capacity(1 << 12),
            path: Vec::new(),
            killers: Killers::default(),
            nodes: 0,
            next_pulse: PULSE,
            entered: 0,
            leave: usize::MAX,
        }
    }

    /// Searches a position until it is solved or the search is stopped.
    pub(super) fn solve(&mut self, node: Node) -> Option<bool> {
        self.leave = usize::MAX;
        let numbers = self.descend(&node, INFINITE, INFINITE);
        self.flush();
        match numbers {
            Numbers { proof: 0, .. } => Some(true),
            Numbers { disproof: 0, .. } => Some(false),
            _ => self.common.table.probe(node.key, node.sum.spare).bounds.verdict(node.sum.spare),
        }
    }

    /// Reduces squares as the search does.
    pub(super) fn reduce(&mut self, squares: super::canonical::Squares, spare: i32) -> Reduced {
        self.reducer.reduce(self.common.ground, self.common.table, squares, spare)
    }

    fn descend(&mut self, node: &Node, tp: u32, td: u32) -> Numbers {
        let (before, first) = (self.nodes, self.children.len());
        self.path.push((node.key, node.sum.spare));
        self.entered += 1;
        if self.entered.is_multiple_of(PULSE) {
            self.pulse();
        }
        if self.common.parallel {
            self.common.busy.enter(node.key);
        }
        let numbers = match self.expand(node) {
            Expansion::Solved(win) => Numbers::solved(win),
            Expansion::Open => self.iterate(first, tp, td),
        };
        if self.common.parallel {
            self.common.busy.leave(node.key);
        }
        self.children.truncate(first);
        self.path.pop();
        let numbers =
            if self.path.len() >= self.leave { self.left_early(node, numbers) } else { numbers };
        let effort = (self.nodes - before + 2).ilog2() as u8;
        self.common.table.store(node.key, node.sum.spare, numbers, effort);
        numbers
    }

    /// The numbers of a node that was left because it or an ancestor is solved, or the search is
    /// over.
    #[cold]
    fn left_early(&mut self, node: &Node, numbers: Numbers) -> Numbers {
        if self.path.len() == self.leave {
            self.leave = usize::MAX;
        }
        let spare = node.sum.spare;
        let verdict = self.common.table.probe(node.key, spare).bounds.verdict(spare);
        verdict.map_or(numbers, Numbers::solved)
    }

    /// The loop over the children from `first` on.
    fn iterate(&mut self, first: usize, tp: u32, td: u32) -> Numbers {
        loop {
            if self.children.len() == first {
                return Numbers::solved(false);
            }
            let Selection { best, second, numbers } = self.select(first);
            if self.shown && self.path.len() == 1 {
                self.common.monitor.set_root(numbers, self.children.len() - first);
            }
            if numbers.proof >= tp || numbers.disproof >= td || self.path.len() > self.leave {
                return numbers;
            }
            let before = self.nodes;
            if !self.common.parallel || !self.has_changed(best) {
                let Child { node, numbers: old, .. } = self.children[best];
                let child_td = child_threshold(tp, second, old.disproof);
                let child_tp = (td - numbers.disproof).saturating_add(old.proof).min(INFINITE);
                self.children[best].numbers = self.descend(&node, child_tp, child_td);
            }
            let new = self.children[best].numbers;
            if new.disproof == 0 {
                return Numbers::solved(true);
            }
            if new.proof == 0 {
                self.children.swap_remove(best);
            }
            if self.common.parallel && self.nodes - before >= LONG_VISIT && self.refresh(first) {
                return Numbers::solved(true);
            }
        }
    }

    /// The numbers of a node from those of its children, and the child to search.
    #[inline]
    fn select(&self, first: usize) -> Selection {
        let children = &self.children[first..];
        let (mut best, mut least, mut tie, mut second) = (0, u32::MAX, u32::MAX, u32::MAX);
        let (mut proof, mut disproof) = (u32::MAX, 0);
        let likely_won = self.common.parallel && likely_won(children);
        for (at, child) in children.iter().enumerate() {
            let Numbers { proof: p, disproof: d } = child.numbers;
            disproof = disproof.max(p);
            proof = proof.min(d);
            let d = d + u32::from(child.busy) * toll(d, likely_won);
            if d < least || (d == least && p < tie) {
                second = least;
                (best, least, tie) = (first + at, d, p);
            } else if d < second {
                second = d;
            }
        }
        let disproof = finite(disproof + (children.len() as u32 - 1) / 2);
        Selection { best, second, numbers: Numbers { proof: finite(proof), disproof } }
    }

    /// Adds to the common count; leaves what is solved or stopped.
    #[cold]
    pub(super) fn pulse(&mut self) {
        self.flush();
        if self.shown {
            self.common.monitor.set_path(self.path.iter().take(SHOWN_PLIES).map(|&(key, _)| key));
            self.common.monitor.set_fill(self.common.table.len(), self.common.table.capacity());
        }
        if self.common.is_paused() {
            self.leave = 0;
        } else if self.common.parallel {
            let solved = |(key, spare): &(Key, i8)| {
                self.common.table.probe(*key, *spare).bounds.verdict(*spare).is_some()
            };
            if let Some(ply) = self.path.iter().position(solved) {
                self.leave = self.leave.min(ply);
            }
        }
    }

    fn flush(&mut self) {
        let done = self.nodes - (self.next_pulse - PULSE);
        self.common.monitor.add_nodes(done);
        self.next_pulse = self.nodes + PULSE;
    }
}

/// Whether a win of a node with these children is nearer than a loss.
fn likely_won(children: &[Child]) -> bool {
    let proof = children.iter().map(|child| child.numbers.disproof).min();
    proof < children.iter().map(|child| child.numbers.proof).max()
}

/// How far the disproof number of the child to search may rise.
///
/// A child that was chosen because the others are busy may stand at the threshold of its parent
/// already: it is searched one step further, for else the search would turn on the spot.
#[inline(always)]
fn child_threshold(parent: u32, second: u32, own: u32) -> u32 {
    let threshold = parent.min(second.saturating_add(SLACK + second / 8)).min(INFINITE);
    if threshold > own { threshold } else { own.saturating_add(SLACK + own / 8).min(INFINITE) }
}
