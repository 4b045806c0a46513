//! What a running search tells about itself.

pub(super) mod history;
pub(super) mod line;

use std::sync::Mutex;
use std::sync::atomic::{AtomicI16, AtomicU64, Ordering};

use super::sum::key::Key;
use super::sum::numbers::Numbers;
use history::MoveCounts;

/// Figures of a running search, readable from any thread.
#[derive(Debug, Default)]
pub struct Monitor {
    nodes: AtomicU64,
    used: AtomicU64,
    capacity: AtomicU64,
    spare: AtomicI16,
    root: Mutex<Root>,
    moves: Mutex<MoveCounts>,
}

/// How the root stands.
#[derive(Clone, Debug, Default)]
struct Root {
    numbers: Option<Numbers>,
    open: usize,
    total: usize,
    path: Vec<Key>,
    /// Whether a part of its search is at work, of which only the path is shown.
    held: bool,
}

/// A moment of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snapshot {
    /// Positions evaluated.
    pub nodes: u64,
    /// Share of the table that is in use, from 0 to 1.
    pub fill: f64,
    /// Proof and disproof number of the root, once it has been entered.
    pub numbers: Option<Numbers>,
    /// Different positions after one move that are not yet shown to be won for their mover.
    pub open: usize,
    /// Different positions after one move that the search began with.
    pub total: usize,
    /// What is known of the moves; all are 0 if not all moves are looked at.
    pub moves: MoveCounts,
}

impl Monitor {
    /// The figures now.
    pub fn snapshot(&self) -> Snapshot {
        let root = self.root.lock().map(|root| root.clone()).unwrap_or_default();
        let capacity = self.capacity.load(Ordering::Relaxed).max(1);
        Snapshot {
            nodes: self.nodes(),
            fill: self.used.load(Ordering::Relaxed) as f64 / capacity as f64,
            numbers: root.numbers,
            open: root.open,
            total: root.total,
            moves: self.moves(),
        }
    }

    /// Positions evaluated.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// What is known of the moves.
    pub(super) fn moves(&self) -> MoveCounts {
        self.moves.lock().map(|moves| *moves).unwrap_or_default()
    }

    pub(super) fn set_moves(&self, counts: MoveCounts) {
        if let Ok(mut moves) = self.moves.lock() {
            *moves = counts;
        }
    }

    /// The keys of the positions on the way to where one thread is at work.
    pub(super) fn path(&self) -> Vec<Key> {
        self.root.lock().map(|root| root.path.clone()).unwrap_or_default()
    }

    /// The spare moves of the side to move in the position that is searched.
    pub(super) fn spare(&self) -> i16 {
        self.spare.load(Ordering::Relaxed)
    }

    pub(super) fn set_spare(&self, spare: i16) {
        self.spare.store(spare, Ordering::Relaxed);
    }

    pub(super) fn add_nodes(&self, count: u64) {
        self.nodes.fetch_add(count, Ordering::Relaxed);
    }

    pub(super) fn set_fill(&self, used: u64, capacity: u64) {
        self.used.store(used, Ordering::Relaxed);
        self.capacity.store(capacity, Ordering::Relaxed);
    }

    pub(super) fn set_path(&self, path: impl Iterator<Item = Key>) {
        if let Ok(mut root) = self.root.lock() {
            root.path.clear();
            root.path.extend(path);
        }
    }

    pub(super) fn set_root(&self, numbers: Numbers, open: usize) {
        if let Ok(mut root) = self.root.lock()
            && !root.held
        {
            root.numbers = Some(numbers);
            root.open = open;
            root.total = root.total.max(open);
        }
    }

    /// A new position is searched.
    pub(super) fn reset(&self) {
        if let Ok(mut root) = self.root.lock() {
            match root.held {
                true => root.path.clear(),
                false => *root = Root::default(),
            }
        }
    }

    /// What is searched from now on is a part of the search of the root, whose numbers stay as they
    /// are shown until [`Self::release_root`].
    pub(super) fn hold_root(&self) {
        if let Ok(mut root) = self.root.lock() {
            root.held = true;
        }
    }

    /// What is searched from now on is the root again.
    pub(super) fn release_root(&self) {
        if let Ok(mut root) = self.root.lock() {
            root.held = false;
        }
    }
}
