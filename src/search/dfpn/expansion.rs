//! A node and a child of it: reduced, and looked up in the table or evaluated.
//!
//! The open children of all nodes on the way from the root lie on one stack, those of the deepest
//! node on top. Most of the time of the search is spent here: every move is reduced each time its
//! node is entered, and every child that the table does not know is evaluated and stored.

use super::killers::Killers;
use super::shared::Shared;
use super::watch::Watch;
use crate::game::Outcome;
use crate::game::board::{Bitboard, Word};
use crate::game::rules::IndexedMove;
use crate::machine::random::Random;
use crate::search::sum::board_data::BoardData;
use crate::search::sum::canonical::RegionSquares;
use crate::search::sum::evaluation::evaluate;
use crate::search::sum::key::Key;
use crate::search::sum::numbers::Numbers;
use crate::search::sum::oracle::ask;
use crate::search::sum::reduction::{Reduced, Reducer, Sum};

/// A position on the way from the root.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Node<W: Word = u64> {
    pub(in crate::search) sum: Sum<W>,
    pub(in crate::search) key: Key,
}

/// A position after a move that is not decided.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Child<W: Word = u64> {
    pub(in crate::search) node: Node<W>,
    pub(in crate::search) numbers: Numbers,
    /// The move to it; `None` if a spare move was spent.
    pub(in crate::search) played: Option<IndexedMove>,
    /// Its upper bound ([`Reduced::Open`]).
    upper_bound: i32,
    /// Threads at or below it when it was looked up.
    pub(in crate::search) busy: u8,
}

/// A child that was only evaluated.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Sketch {
    /// The move to it.
    pub(super) played: IndexedMove,
    /// Where it starts.
    pub(super) numbers: Numbers,
    /// The greatest proof number of this sketch and of those below it on the stack.
    pub(super) greatest: u32,
}

/// The squares after a move, seen by the other side.
#[inline(always)]
pub(in crate::search) fn played<W: Word>(
    sum: &Sum<W>,
    IndexedMove { from, to, arrow }: IndexedMove,
) -> RegionSquares<W> {
    RegionSquares {
        empty: sum.empty.with(from).without(Bitboard::of(to) | Bitboard::of(arrow)),
        mover: sum.opponent,
        opponent: sum.mover.without(Bitboard::of(from)).with(to),
    }
}

/// Whether `holds` is true of a move of the side to move, by origin, destination and arrow. No move
/// is tried after one of which it is.
#[inline(always)]
pub(in crate::search) fn any_move<W: Word>(
    data: &BoardData<W>,
    sum: &Sum<W>,
    mut holds: impl FnMut(IndexedMove) -> bool,
) -> bool {
    let rays = data.rules.rays();
    for from in sum.mover {
        for to in rays.reach(from, sum.empty) {
            for arrow in rays.reach(to, sum.empty.with(from)) {
                if holds(IndexedMove { from, to, arrow }) {
                    return true;
                }
            }
        }
    }
    false
}

/// The words of a set, 64 bits each.
fn words_of<W: Word>(set: Bitboard<W>) -> impl Iterator<Item = u64> {
    let word = set.word().widen().low_128();
    let words = [word as u64, (word >> 64) as u64];
    words.into_iter().take(W::BITS as usize / 64)
}

/// Numbers that are a sixteenth of a square higher or not, by the position and a seed.
#[cold]
fn jittered<W: Word>(Numbers { proof, disproof }: Numbers, sum: &Sum<W>, seed: u64) -> Numbers {
    let sets = [sum.empty, sum.mover, sum.opponent];
    let words = sets.into_iter().flat_map(words_of);
    let mix = |hash: u64, word: u64| Random::new(hash ^ word).next();
    let hash = words.fold(seed, mix);
    Numbers { proof: proof + (hash & 1) as u32, disproof: disproof + (hash >> 1 & 1) as u32 }
}

/// How a node looks when its children have been looked up.
pub(in crate::search) enum Expansion {
    /// Decided.
    Solved(Outcome),
    /// The open children are on the stack.
    Open,
}

/// Expands nodes for one thread.
#[derive(Debug)]
pub(in crate::search) struct Expander<'a, W: Word = u64> {
    pub(in crate::search) watch: Watch<'a, W>,
    /// The open children of the nodes on the way from the root, one node's after another's.
    pub(in crate::search) children: Vec<Child<W>>,
    /// The sketches of those nodes, likewise.
    pub(in crate::search) sketches: Vec<Sketch>,
    pub(in crate::search) reducer: Reducer<W>,
    /// The moves that won at once.
    pub(in crate::search) killers: Killers,
    /// The moves that won after a search or a simulation.
    pub(in crate::search) replies: Killers,
    /// The answers that a simulation did not refute.
    pub(in crate::search) countermoves: Killers,
}

impl<'a, W: Word> Expander<'a, W> {
    pub(in crate::search) fn new(watch: Watch<'a, W>) -> Self {
        Self {
            watch,
            children: Vec::with_capacity(1 << 12),
            sketches: Vec::with_capacity(1 << 12),
            reducer: Reducer::default(),
            killers: Killers::default(),
            replies: Killers::default(),
            countermoves: Killers::default(),
        }
    }

    /// Reduces squares with a net integer.
    #[inline]
    pub(in crate::search) fn reduce(
        &mut self,
        squares: RegionSquares<W>,
        spare: i32,
    ) -> Reduced<W> {
        let Shared { data, table, .. } = *self.watch.shared;
        self.reducer.reduce(data, table, squares, spare)
    }

    /// What the table has proved of a node.
    pub(in crate::search) fn verdict(&self, node: &Node<W>) -> Option<Outcome> {
        let Node { sum, key } = *node;
        self.watch.shared.table.probe(key, sum.spare).bounds.verdict(sum.spare)
    }

    /// Stores the numbers of a node.
    #[inline]
    pub(in crate::search) fn store(&self, node: &Node<W>, numbers: Numbers, effort: u8) {
        let Shared { table, noted, .. } = *self.watch.shared;
        table.store(node.key, node.sum.spare, numbers, effort);
        noted.note(node.key, node.sum.spare, effort);
    }

    /// Pushes the position after a spare move is spent, if there is one; true if it is lost for its
    /// mover.
    #[inline]
    pub(in crate::search) fn spend(&mut self, node: &Node<W>) -> bool {
        let spare = i32::from(node.sum.spare);
        spare > 0 && self.push(node.sum.squares().swapped(), 1 - spare, None)
    }

    /// Whether a move is legal on the squares of a sum.
    #[inline(always)]
    pub(in crate::search) fn is_legal(&self, sum: &Sum<W>, played: IndexedMove) -> bool {
        let BoardData { rules, kings, .. } = self.watch.shared.data;
        rules.check(&sum.squares().position(kings.all()), played).is_ok()
    }

    /// Pushes the position after a move if it stays open; true if it is lost for its mover.
    #[inline(always)]
    pub(in crate::search) fn push_move(&mut self, sum: &Sum<W>, step: IndexedMove) -> bool {
        let wins = self.push(played(sum, step), -i32::from(sum.spare), Some(step));
        if wins {
            self.killers.won(self.watch.ply(), step);
        }
        wins
    }

    #[inline(always)]
    pub(in crate::search) fn push(
        &mut self,
        squares: RegionSquares<W>,
        spare: i32,
        played: Option<IndexedMove>,
    ) -> bool {
        match self.reduce(squares, spare) {
            Reduced::Decided(outcome) => outcome == Outcome::Loss,
            Reduced::Open { sum, key, upper_bound } => {
                let numbers = Numbers { proof: 1, disproof: 1 };
                self.children.push(Child {
                    node: Node { sum, key },
                    numbers,
                    played,
                    upper_bound,
                    busy: 0,
                });
                false
            }
        }
    }

    /// Fills in the numbers of a child, from the table or by evaluating it.
    #[inline]
    pub(in crate::search) fn look_up(&mut self, child: &mut Child<W>) {
        let Node { sum, key } = child.node;
        let found = self.watch.shared.table.probe(key, sum.spare);
        if self.watch.shared.parallel {
            child.busy = self.watch.shared.busy.count(key);
        }
        if let Some(outcome) = found.bounds.verdict(sum.spare) {
            child.numbers = Numbers::solved(outcome);
        } else if let Some(numbers) = found.numbers {
            child.numbers = numbers;
        } else {
            child.numbers = self.evaluate(&sum, child.upper_bound);
            self.watch.shared.table.store(key, sum.spare, child.numbers, 0);
        }
    }

    /// The numbers that a position starts with.
    #[inline]
    pub(in crate::search) fn evaluate(&mut self, sum: &Sum<W>, upper_bound: i32) -> Numbers {
        self.watch.count_evaluated();
        if let Some(outcome) =
            self.watch.shared.oracle.and_then(|oracle| ask(oracle, self.watch.shared.data, sum))
        {
            return Numbers::solved(outcome);
        }
        let evaluation = evaluate(self.watch.shared.data, sum);
        if evaluation.steps == 0 && sum.spare <= 0 {
            return Numbers::solved(Outcome::Loss);
        }
        let numbers = Numbers::initial(evaluation, upper_bound, sum.empty.len());
        match self.watch.shared.jitter {
            None => numbers,
            Some(seed) => jittered(numbers, sum, seed),
        }
    }

    /// Remembers the move to a child that the search has found to be lost.
    pub(in crate::search) fn won_by(&mut self, at: usize) {
        if let Some(played) = self.children[at].played {
            self.replies.won(self.watch.ply(), played);
        }
    }

    /// Looks a child up again; whether it is solved by now, or threads have come or gone.
    ///
    /// If it is unsolved, its numbers stay those that this thread last saw. Each visit of the
    /// thread changes them, so the thread never repeats the same choice for ever; with the numbers
    /// of other threads two of them could undo each other's work without end.
    #[inline]
    pub(in crate::search) fn has_changed(&mut self, at: usize) -> bool {
        let child = &mut self.children[at];
        let Node { sum, key } = child.node;
        let busy = std::mem::replace(&mut child.busy, self.watch.shared.busy.count(key));
        let verdict = self.watch.shared.table.probe(key, sum.spare).bounds.verdict(sum.spare);
        child.numbers = verdict.map_or(child.numbers, Numbers::solved);
        verdict.is_some() || busy != child.busy
    }

    /// Looks all children up again; true if one of them is lost by now. Drops those that are won.
    pub(in crate::search) fn refresh(&mut self, first: usize) -> bool {
        let mut at = first;
        while at < self.children.len() {
            let Node { sum, key } = self.children[at].node;
            let found = self.watch.shared.table.probe(key, sum.spare);
            match found.bounds.verdict(sum.spare) {
                Some(Outcome::Loss) => return true,
                Some(Outcome::Win) => {
                    self.children.swap_remove(at);
                    continue;
                }
                None => {}
            }
            let child = &mut self.children[at];
            child.numbers = found.numbers.unwrap_or(child.numbers);
            child.busy = self.watch.shared.busy.count(key);
            at += 1;
        }
        false
    }
}
