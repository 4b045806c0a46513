//! The top of a proof as a graph.
//!
//! A node is a position as the reduction leaves it, with its net integer: the key of the search's
//! table, which is the position itself, so nothing is ever taken for something else. Positions that
//! are reached in several ways are one node, and what is found of it counts for all its parents. A
//! node without children is a leaf, which ranks search.
//!
//! There are no cycles, because the game is finite: a move burns a square, and between two moves on
//! the board at most one spare move is spent, by the side that has more of them. A reduction never
//! adds squares.
//!
//! The numbers of a node are those of the search ([`Numbers`]). Ranks at work are steered apart as
//! its threads are: each raises the disproof numbers on its way for the others, and a leaf at work
//! is not given to a second rank.

use std::collections::{BinaryHeap, HashMap, HashSet};

use crate::game::Outcome;
use crate::search::dfpn::expansion::Node;
use crate::search::dfpn::{child_threshold, likely_won, virtual_loss};
use crate::search::solver::Solver;
use crate::search::sum::key::Key;
use crate::search::sum::numbers::{INFINITE, Numbers};
use crate::search::sum::reduction::Sum;
use crate::search::table::Entry;

/// A position with its net integer.
pub(super) type Place = (Key, i8);

/// A position is begun with if at least this share of all work is below it, as a logarithm.
const WORTH_BEGINNING: u8 = 10;

/// A position of the graph.
#[derive(Clone, Debug)]
struct TopNode {
    place: Place,
    numbers: Numbers,
    /// Positions that ranks have evaluated on their ways through it.
    work: u64,
    children: Vec<usize>,
    parents: Vec<usize>,
    /// Ranks at work at or below it.
    busy: u32,
    /// Whether this leaf is at work.
    taken: bool,
}

/// The way to a leaf, and how far its numbers may rise.
#[derive(Clone, Debug)]
pub(super) struct Way {
    nodes: Vec<usize>,
    pub(super) thresholds: Numbers,
}

impl Way {
    fn leaf(&self) -> usize {
        self.nodes[self.nodes.len() - 1]
    }
}

/// The positions, of which the first is the one to be proved.
#[derive(Debug)]
pub(super) struct Graph {
    nodes: Vec<TopNode>,
    places: HashMap<Place, usize>,
    /// Nodes whose numbers have changed since somebody asked.
    changed: HashSet<usize>,
}

/// A position of a board, from its key.
pub(super) fn node_of(solver: &Solver<'_>, (key, spare): Place) -> Node {
    Node { sum: Sum::new(solver.data.scrambler.squares(key), spare), key }
}

impl Graph {
    /// A position alone.
    pub(super) fn new(root: Place) -> Self {
        let mut graph = Self { nodes: Vec::new(), places: HashMap::new(), changed: HashSet::new() };
        // The numbers of a leaf that is alone are never compared.
        graph.find_or_add(root, Numbers { proof: 1, disproof: 1 }, None);
        graph
    }

    /// Adds what a solver knows: the moves of the root, and those of positions below which much of
    /// its work was done, up to about so many positions.
    pub(super) fn grow(&mut self, solver: &Solver<'_>, most: usize) {
        let effort = |place: Place| solver.table.probe(place.0, place.1).effort;
        let least = effort(self.nodes[0].place).saturating_sub(WORTH_BEGINNING).max(1);
        let mut open = BinaryHeap::from([(u8::MAX, 0)]);
        while let Some((_, at)) = open.pop().filter(|&(_, at)| at == 0 || self.nodes.len() < most) {
            if !self.is_leaf(at) || self.verdict(at).is_some() {
                continue;
            }
            match solver.children(&node_of(solver, self.nodes[at].place)) {
                Err(outcome) => self.set(at, Numbers::solved(outcome)),
                Ok(children) => {
                    let place = |(node, numbers): (Node, _)| ((node.key, node.sum.spare), numbers);
                    self.expand(at, children.into_iter().map(place));
                }
            }
            let below = self.nodes[at].children.iter();
            let costs = below.map(|&child| (effort(self.nodes[child].place), child));
            open.extend(costs.filter(|&(effort, _)| effort >= least));
        }
    }

    /// How many positions there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The numbers of the root.
    pub(super) fn numbers(&self) -> Numbers {
        self.nodes[0].numbers
    }

    /// What is proved of the root.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.verdict(0)
    }

    fn verdict(&self, at: usize) -> Option<Outcome> {
        self.nodes[at].numbers.verdict()
    }

    fn is_leaf(&self, at: usize) -> bool {
        self.nodes[at].children.is_empty()
    }

    /// The leaf of a way.
    pub(super) fn leaf(&self, way: &Way) -> Place {
        self.nodes[way.leaf()].place
    }

    /// Positions that have been evaluated for the leaf of a way.
    pub(super) fn work(&self, way: &Way) -> u64 {
        self.nodes[way.leaf()].work
    }

    /// The leaf to search next, which from now on is at work; `None` if all that matter are.
    pub(super) fn take_leaf(&mut self) -> Option<Way> {
        let (mut nodes, mut full) = (Vec::new(), HashSet::new());
        let thresholds = self.descend(0, Numbers::UNREACHED, &mut nodes, &mut full)?;
        nodes.iter().for_each(|&at| self.nodes[at].busy += 1);
        let way = Way { nodes, thresholds };
        self.nodes[way.leaf()].taken = true;
        Some(way)
    }

    /// Follows the best children to a leaf, as the search does ([`crate::search::dfpn`]). Where all
    /// below the best one are at work it turns to the next; `full` has the nodes that it has left
    /// so.
    fn descend(
        &self,
        at: usize,
        thresholds: Numbers,
        way: &mut Vec<usize>,
        full: &mut HashSet<usize>,
    ) -> Option<Numbers> {
        let node = &self.nodes[at];
        if node.numbers.verdict().is_some() || node.taken || full.contains(&at) {
            return None;
        }
        way.push(at);
        if node.children.is_empty() {
            return Some(thresholds);
        }
        let open = || node.children.iter().filter(|&&child| self.verdict(child).is_none());
        let likely_won = likely_won(open().map(|&child| self.nodes[child].numbers));
        let mut order: Vec<(u32, u32, usize)> = open()
            .map(|&child| {
                let TopNode { numbers: Numbers { proof, disproof }, busy, .. } = self.nodes[child];
                (disproof + busy * virtual_loss(disproof, likely_won), proof, child)
            })
            .collect();
        order.sort_unstable();
        for (place, &(_, _, child)) in order.iter().enumerate() {
            let second = order.get(place + 1).map_or(INFINITE, |&(shown, ..)| shown);
            let thresholds = self.thresholds(at, thresholds, child, second);
            if let Some(found) = self.descend(child, thresholds, way, full) {
                return Some(found);
            }
        }
        way.pop();
        full.insert(at);
        None
    }

    /// How far the numbers of a child may rise, from how far those of its parent may.
    fn thresholds(&self, parent: usize, of: Numbers, child: usize, second: u32) -> Numbers {
        let (above, old) = (self.nodes[parent].numbers, self.nodes[child].numbers);
        let disproof = child_threshold(of.proof, second, old.disproof);
        // A child that is not the best may have less than the parent's threshold leaves to it.
        let room = of.disproof.saturating_sub(above.disproof).max(1);
        Numbers { proof: old.proof.saturating_add(room).min(INFINITE), disproof }
    }

    /// The leaf of a way is no longer at work, after so many positions.
    pub(super) fn give_back(&mut self, way: &Way, positions: u64) {
        self.nodes[way.leaf()].taken = false;
        for &at in &way.nodes {
            let node = &mut self.nodes[at];
            node.work = node.work.saturating_add(positions);
            node.busy -= 1;
        }
    }

    /// What was found of the leaf of a way, and the children that it is to have from now on.
    pub(super) fn record(&mut self, way: &Way, numbers: Numbers, children: Vec<(Place, Numbers)>) {
        let leaf = way.leaf();
        if self.verdict(leaf).is_some() {
            return;
        }
        if !children.is_empty() && self.is_leaf(leaf) && numbers.verdict().is_none() {
            self.expand(leaf, children.into_iter());
        } else {
            self.set(leaf, numbers);
        }
    }

    /// Takes note that a position is solved, if it is one of the graph.
    pub(super) fn learn(&mut self, place: Place, outcome: Outcome) {
        if let Some(&at) = self.places.get(&place) {
            self.set(at, Numbers::solved(outcome));
        }
    }

    /// What the graph has found since it was asked last, for the table of a search.
    pub(super) fn news(&mut self) -> Vec<(Key, Entry)> {
        let mut changed: Vec<usize> = std::mem::take(&mut self.changed).into_iter().collect();
        // The order of a set is another one in each run.
        changed.sort_unstable();
        let entry = |at| {
            let TopNode { place: (key, spare), numbers, work, .. } = self.nodes[at];
            (key, Entry::new(spare, numbers, (work + 2).ilog2() as u8))
        };
        changed.into_iter().map(entry).collect()
    }

    /// Gives a leaf its children.
    fn expand(&mut self, at: usize, children: impl Iterator<Item = (Place, Numbers)>) {
        let mut places: Vec<usize> =
            children.map(|(place, numbers)| self.find_or_add(place, numbers, Some(at))).collect();
        places.sort_unstable();
        places.dedup();
        for &child in &places {
            self.nodes[child].parents.push(at);
        }
        self.nodes[at].children = places;
        self.update(at);
    }

    /// The node of a position; a new one has these numbers. If they solve one that is there, that
    /// counts too, for all its parents.
    fn find_or_add(&mut self, place: Place, numbers: Numbers, parent: Option<usize>) -> usize {
        if let Some(&at) = self.places.get(&place) {
            debug_assert!(parent != Some(at), "no position is its own child");
            if numbers.verdict().is_some() {
                self.set(at, numbers);
            }
            return at;
        }
        let at = self.nodes.len();
        self.nodes.push(TopNode {
            place,
            numbers,
            work: 0,
            children: Vec::new(),
            parents: Vec::new(),
            busy: 0,
            taken: false,
        });
        self.places.insert(place, at);
        at
    }

    /// Gives a node its numbers, and all above it what follows. What is solved stays solved.
    fn set(&mut self, at: usize, numbers: Numbers) {
        let mut later = Vec::new();
        self.replace(at, numbers, &mut later);
        // A parent may be reached again by a longer way, so it is asked what its children say when
        // it is its turn.
        while let Some(at) = later.pop() {
            self.replace(at, self.said_by_children(at), &mut later);
        }
    }

    /// Gives a node its numbers; if they are new, its parents are to be looked at `later`.
    fn replace(&mut self, at: usize, numbers: Numbers, later: &mut Vec<usize>) {
        if self.verdict(at).is_none() && self.nodes[at].numbers != numbers {
            self.nodes[at].numbers = numbers;
            self.changed.insert(at);
            later.extend_from_slice(&self.nodes[at].parents);
        }
    }

    /// Gives a node the numbers that its children say.
    fn update(&mut self, at: usize) {
        self.set(at, self.said_by_children(at));
    }

    fn said_by_children(&self, at: usize) -> Numbers {
        Numbers::of_parent(self.nodes[at].children.iter().map(|&child| self.nodes[child].numbers))
    }
}
