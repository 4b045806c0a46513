//! Depth-first proof-number search on sums (Nagai, *Df-pn*, 2002), one thread's part of it.
//!
//! [`Worker::descend`] searches a position until its proof or its disproof number reaches a
//! threshold:
//!
//! ```text
//! descend(node, tp, td):
//!     children = moves, reduced; a child that is lost wins the node, one that is won is dropped
//!     look each child up, or evaluate it; where the node looks won, only when it is to be chosen
//!     loop:
//!         proof = least disproof(c);  disproof = greatest proof(c) + (children - 1) / 2
//!         if proof >= tp or disproof >= td: store, return
//!         best = the child of least disproof;  second = the next smaller disproof
//!         descend(best, td - disproof + proof(best), min(tp, second + 12 + second / 8))
//! ```
//!
//! The slack on the second threshold (three quarters of a square and an eighth of it) keeps the
//! search at a child for a while. Without it the search would change between two equal children at
//! every evaluated position.
//!
//! *Threads.* All threads run this search from the root on one table. A thread counts itself in at
//! every node on its way from the root ([`crate::machine::busy`]). When a thread selects a child,
//! the disproof number of each child is raised for every other thread that is at work there. This
//! is a *virtual loss* (Kaneko, *Parallel depth first proof number search*, 2010), and it makes
//! threads part where that costs least ([`virtual_loss`]). The raised numbers only steer: the
//! numbers that are stored and compared with thresholds are the true ones.
//!
//! Threads learn from each other in three ways. Before a thread descends to a child it looks the
//! child up again; it chooses anew if the child is solved, or if threads have come or gone. After a
//! long visit it looks up all children. Every so often it looks up its ancestors, and leaves a node
//! that another thread has solved ([`Watch`]).
//!
//! Every move burns a square or spends a spare move, so the game graph has no cycles, and the
//! search needs no care for repetitions.

pub(super) mod expansion;
pub(super) mod generation;
pub(super) mod killers;
pub(super) mod searcher;
pub(super) mod shared;
pub(super) mod simulation;
pub(super) mod sketch;
pub(super) mod watch;

use super::sum::canonical::RegionSquares;
use super::sum::numbers::{INFINITE, Numbers, a_step_above};
use super::sum::reduction::Reduced;
use crate::game::Outcome;
use crate::game::board::Word;
use expansion::{Child, Expander, Expansion, Node, Sketch};
use shared::Shared;
use watch::{Visibility, Watch};

/// After a visit of this many evaluated positions, the children are looked up again.
const LONG_VISIT: u64 = 256;
/// The least virtual loss where threads are to part: half a square.
const APART: u32 = 8;

/// The child to search next, and the numbers of the node.
struct Selection {
    best: usize,
    second: u32,
    numbers: Numbers,
}

/// Where the children and the sketches of a node begin on their stacks.
#[derive(Clone, Copy)]
struct First {
    child: usize,
    sketch: usize,
}

/// One searching thread.
#[derive(Debug)]
pub(super) struct Worker<'a, W: Word = u64> {
    expander: Expander<'a, W>,
}

impl<'a, W: Word> Worker<'a, W> {
    /// On the table of `shared`.
    pub(super) fn new(shared: &'a Shared<'a, W>, visibility: Visibility) -> Self {
        Self { expander: Expander::new(Watch::new(shared, visibility)) }
    }

    /// Searches a position until it is solved or the search is stopped.
    pub(super) fn solve(&mut self, node: Node<W>) -> Option<Outcome> {
        self.search(node, Numbers::UNREACHED).verdict()
    }

    /// Searches a position until one of its numbers reaches a threshold or the search is stopped.
    pub(super) fn search(&mut self, node: Node<W>, thresholds: Numbers) -> Numbers {
        self.expander.watch.begin();
        let numbers = self.descend(&node, Numbers::UNREACHED, thresholds);
        self.expander.watch.flush();
        self.expander.verdict(&node).map_or(numbers, Numbers::solved)
    }

    /// The open children of a position with their numbers, from the table or by evaluation.
    ///
    /// # Errors
    /// What the side to move reaches, if the children decide that.
    pub(super) fn children(&mut self, node: &Node<W>) -> Result<Vec<(Node<W>, Numbers)>, Outcome> {
        let first = self.expander.children.len();
        let expansion = self.expander.expand(node);
        let children = self.expander.children.drain(first..);
        let children = children.map(|child| (child.node, child.numbers)).collect();
        self.expander.watch.flush();
        match expansion {
            Expansion::Solved(outcome) => Err(outcome),
            Expansion::Open => Ok(children),
        }
    }

    /// Reduces squares as the search does.
    pub(super) fn reduce(&mut self, squares: RegionSquares<W>, spare: i32) -> Reduced<W> {
        self.expander.reduce(squares, spare)
    }

    /// Searches a node whose numbers were `known` until one reaches a threshold.
    fn descend(&mut self, node: &Node<W>, known: Numbers, thresholds: Numbers) -> Numbers {
        let before = self.expander.watch.evaluated();
        let first =
            First { child: self.expander.children.len(), sketch: self.expander.sketches.len() };
        self.expander.watch.enter(node.key, node.sum.spare);
        let sketched = known.look_won() && self.expander.watch.shared.oracle.is_none();
        let expansion =
            if sketched { self.expander.sketch(node) } else { self.expander.expand(node) };
        let mut numbers = match expansion {
            Expansion::Solved(outcome) => Numbers::solved(outcome),
            Expansion::Open => self.iterate(node, first, thresholds),
        };
        self.expander.children.truncate(first.child);
        self.expander.sketches.truncate(first.sketch);
        if self.expander.watch.exit(node.key) {
            numbers = self.expander.verdict(node).map_or(numbers, Numbers::solved);
        }
        let effort = (self.expander.watch.evaluated() - before + 2).ilog2() as u8;
        self.expander.store(node, numbers, effort);
        numbers
    }

    /// The loop over the children and the sketches from the `first` ones on.
    fn iterate(&mut self, node: &Node<W>, first: First, thresholds: Numbers) -> Numbers {
        let Numbers { proof: tp, disproof: td } = thresholds;
        let parallel = self.expander.watch.shared.parallel;
        let mut stored = self.stored(node, first);
        loop {
            let open = self.expander.children.len() - first.child
                + (self.expander.sketches.len() - first.sketch);
            if open == 0 {
                return Numbers::solved(Outcome::Loss);
            }
            let Some(Selection { best, second, numbers }) = self.select(first) else {
                if self.expander.draw(node) {
                    return Numbers::solved(Outcome::Win);
                }
                continue;
            };
            if stored.take().is_some_and(|proof| numbers.proof > proof) {
                if self.expander.draw_all(node, first.sketch) {
                    return Numbers::solved(Outcome::Win);
                }
                continue;
            }
            self.expander.watch.show_root(numbers, open);
            if numbers.proof >= tp || numbers.disproof >= td || self.expander.watch.is_to_leave() {
                return numbers;
            }
            let before = self.expander.watch.evaluated();
            if !parallel || !self.expander.has_changed(best) {
                let Child { node, numbers: old, .. } = self.expander.children[best];
                let thresholds = Numbers {
                    proof: (td - numbers.disproof).saturating_add(old.proof).min(INFINITE),
                    disproof: child_threshold(tp, second, old.disproof),
                };
                self.expander.children[best].numbers = self.descend(&node, old, thresholds);
            }
            let new = self.expander.children[best].numbers;
            if new.disproof == 0 {
                self.expander.won_by(best);
                return Numbers::solved(Outcome::Win);
            }
            if new.proof == 0 {
                self.expander.children.swap_remove(best);
            }
            let long = self.expander.watch.evaluated() - before >= LONG_VISIT;
            if parallel && long && self.expander.refresh(first.child) {
                return Numbers::solved(Outcome::Win);
            }
        }
    }

    /// The proof number that the table has of a node with sketches, if a search has left its
    /// position.
    fn stored(&self, node: &Node<W>, first: First) -> Option<u32> {
        if self.expander.sketches.len() == first.sketch {
            return None;
        }
        let found = self.expander.watch.shared.table.probe(node.key, node.sum.spare);
        found.numbers.filter(|_| found.effort > 0).map(|numbers| numbers.proof)
    }

    /// The numbers of a node from those of its children, and the child to search; `None` if the
    /// next child is to be drawn from the sketches first.
    #[inline]
    fn select(&self, first: First) -> Option<Selection> {
        let children = &self.expander.children[first.child..];
        let sketches = &self.expander.sketches[first.sketch..];
        let (mut best, mut least, mut tie, mut second) = (0, u32::MAX, u32::MAX, u32::MAX);
        let (mut proof, mut disproof) = (u32::MAX, 0);
        let likely_won = self.expander.watch.shared.parallel
            && likely_won(children.iter().map(|child| child.numbers));
        for (at, child) in children.iter().enumerate() {
            let Numbers { proof: p, disproof: d } = child.numbers;
            disproof = disproof.max(p);
            proof = proof.min(d);
            let d = d + u32::from(child.busy) * virtual_loss(d, likely_won);
            if d < least || (d == least && p < tie) {
                second = least;
                (best, least, tie) = (first.child + at, d, p);
            } else if d < second {
                second = d;
            }
        }
        if let Some(Sketch { numbers: next, greatest, .. }) = sketches.last() {
            if next.disproof < least {
                return None;
            }
            disproof = disproof.max(*greatest);
            second = second.min(next.disproof);
        }
        let open = (children.len() + sketches.len()) as u32;
        Some(Selection { best, second, numbers: Numbers::of_open(proof, disproof, open) })
    }
}

/// Whether a win of a node with these children is nearer than a loss.
pub(super) fn likely_won(children: impl Iterator<Item = Numbers> + Clone) -> bool {
    let proof = children.clone().map(|child| child.disproof).min();
    proof < children.map(|child| child.proof).max()
}

/// By how much each thread at a child raises the child's disproof number `d` for the others.
///
/// All children of a lost node must be searched. So threads part there, but only between children
/// that are nearly equal: half a square and a sixteenth of `d` is less than the slack by which a
/// thread stays at a child anyway. A larger virtual loss sends threads past worse moves, for
/// nothing if the node is not lost after all. Of a won node one winning child is enough, so the
/// work of a thread at another child is most likely wasted: there the virtual loss only breaks
/// ties.
#[inline(always)]
pub(super) fn virtual_loss(d: u32, likely_won: bool) -> u32 {
    if likely_won { d / 64 + 1 } else { d / 16 + APART }
}

/// How far the disproof number of the child to search may rise.
///
/// A child that was chosen because other threads are at the better ones may already have reached
/// the threshold of its parent. It is searched one step further. Otherwise it would return at once
/// and be chosen again, for ever.
#[inline(always)]
pub(super) fn child_threshold(parent: u32, second: u32, own: u32) -> u32 {
    let threshold = parent.min(a_step_above(second));
    if threshold > own { threshold } else { a_step_above(own) }
}
