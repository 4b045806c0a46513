//! Sketches: the children of a position that looks won, before they are worth a look.
//!
//! One winning move is enough, and the evaluation mostly finds it among the first. So at a position
//! that looks won ([`Numbers::look_won`]) a child is only *sketched*: the bound of the side that
//! moved is asked, since it may decide, and the child is evaluated where it stands. It is reduced,
//! looked up and searched when its disproof number is the least of all. Until then it costs no
//! place in the table.
//!
//! What a sketch leaves out changes numbers, never verdicts. A position is lost only if every child
//! was drawn from its sketches and found to be won.
//!
//! *A search does not stand still.* A searched child may have a smaller disproof number than its
//! sketch, and then the position looks harder to win than it is stored. Two visits could undo each
//! other's numbers for ever, one with sketches, one without. Therefore a position that a search has
//! left before draws all its children, unless those that it has drawn reach the proof number that
//! was stored. Let `(p, d)` be the numbers at the beginning of a visit with sketches, and `(q, e)`
//! of one without, with nothing learnt in between; a child that is drawn has the same numbers in
//! both. Then `q <= p`, since `q` is the minimum over all children. If the visit without was the
//! first, `(q, e)` is stored, so `p <= q`, by the rule. A visit makes no progress only if it begins
//! at a threshold, and its thresholds are above what is stored. For the one with sketches that is
//! `d > e`, since `p <= q`. For the one without after it, it would be `q > p` or `e > d`. Neither
//! is possible, so at least every other visit goes on. That is proved for one thread, and for a
//! table that forgets neither visit. With more threads, or a table that forgets, it is only tested.

use super::expansion::{Expander, Expansion, Node, Sketch, any_move, played};
use crate::game::Outcome;
use crate::game::board::Word;
use crate::search::sum::canonical::RegionSquares;
use crate::search::sum::numbers::Numbers;
use crate::search::sum::reduction::{Sketched, Sum};

impl<W: Word> Expander<'_, W> {
    /// Puts the sketches of a node on their stack, the least disproof number on top. Spending a
    /// spare move leads to a child that is looked up at once. A node without child and sketch is
    /// lost; whoever chooses a child sees that.
    pub(in crate::search) fn sketch(&mut self, node: &Node<W>) -> Expansion {
        let (first, lowest) = (self.children.len(), self.sketches.len());
        if self.spend(node) || self.settle(first) {
            return Expansion::Solved(Outcome::Win);
        }
        let spent = self.children.len();
        let wins = self.remembered_wins(node);
        // Killer moves that did not win are sketched with the others.
        self.children.truncate(spent);
        if wins || self.sketch_moves(&node.sum) {
            return Expansion::Solved(Outcome::Win);
        }
        let sketches = &mut self.sketches[lowest..];
        sketches.sort_unstable_by_key(|Sketch { numbers: Numbers { proof, disproof }, .. }| {
            std::cmp::Reverse((*disproof, *proof))
        });
        let mut greatest = 0;
        for sketch in sketches {
            greatest = greatest.max(sketch.numbers.proof);
            sketch.greatest = greatest;
        }
        Expansion::Open
    }

    /// Sketches the position after every move; true if one is lost for its mover.
    fn sketch_moves(&mut self, sum: &Sum<W>) -> bool {
        let data = self.watch.shared.data;
        any_move(data, sum, |step| {
            let numbers = self.sketch_of(played(sum, step), -i32::from(sum.spare));
            match numbers.verdict() {
                Some(Outcome::Loss) => {
                    self.killers.won(self.watch.ply(), step);
                    return true;
                }
                Some(Outcome::Win) => {}
                None => self.sketches.push(Sketch { played: step, numbers, greatest: 0 }),
            }
            false
        })
    }

    /// The numbers of a position by the bound of the side that moved, or where it starts.
    #[inline(always)]
    fn sketch_of(&mut self, squares: RegionSquares<W>, spare: i32) -> Numbers {
        match self.reducer.sketch(self.watch.shared.data, squares, spare) {
            Sketched::Decided(outcome) => Numbers::solved(outcome),
            Sketched::Open { sum, upper_bound } => self.evaluate(&sum, upper_bound),
        }
    }

    /// Draws the child with the least disproof number of the sketches of a node: reduces it and
    /// looks it up. True if it is lost for its mover; if it is won it is dropped.
    pub(in crate::search) fn draw(&mut self, node: &Node<W>) -> bool {
        let Some(Sketch { played: step, .. }) = self.sketches.pop() else { return false };
        let at = self.children.len();
        let spare = -i32::from(node.sum.spare);
        self.push(played(&node.sum, step), spare, Some(step)) || self.settle(at)
    }

    /// Looks up the child on top of the stack if it lies at `at`: true if it is lost for its mover;
    /// if it is won it is dropped.
    fn settle(&mut self, at: usize) -> bool {
        let Some(mut child) = self.children.get(at).copied() else { return false };
        self.look_up(&mut child);
        match child.numbers.verdict() {
            Some(Outcome::Loss) => {
                self.won_by(at);
                return true;
            }
            Some(Outcome::Win) => self.children.truncate(at),
            None => self.children[at] = child,
        }
        false
    }

    /// Draws all children of a node, whose sketches lie from `lowest` on; true if one of them is
    /// lost for its mover.
    pub(in crate::search) fn draw_all(&mut self, node: &Node<W>, lowest: usize) -> bool {
        while self.sketches.len() > lowest {
            if self.draw(node) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::dfpn::expansion::Child;
    use crate::search::tests::on_random_sums;
    use rand::Rng;

    /// The children on the stack, in an order that does not depend on how they were found.
    fn children(expander: &mut Expander<'_>) -> Vec<String> {
        let mut children: Vec<String> = expander
            .children
            .drain(..)
            .map(|Child { node: Node { sum, key }, numbers, .. }| {
                format!("{key:?} {} {numbers:?}", sum.spare)
            })
            .collect();
        children.sort();
        children.dedup();
        children
    }

    /// What is drawn from the sketches are the children that are looked up without sketches, with
    /// the same numbers; and what either decides at once is true by the rules.
    #[test]
    fn all_that_is_drawn_is_all_that_is_expanded() {
        let positions = if crate::machine::long::long_tests() { 20_000 } else { 300 };
        let (mut open, mut won, mut lost) = (0, 0, 0);
        on_random_sums(positions, -4..=2, |expander, node, mut beside| {
            let (sum, data) = (node.sum, expander.watch.shared.data);
            let position = sum.squares().position(data.kings.all());
            let wins = beside.naive.wins(&position, sum.spare.into());
            // The table knows something that is true, of children and of their components.
            for step in data.rules.moves(&position) {
                let child = played(&sum, step);
                if beside.random.random_ratio(1, 16) {
                    beside.tell(expander, child, -i32::from(sum.spare));
                }
                let all = child.mover | child.opponent;
                let components: Vec<_> = data.kings.components(all, child.cells()).collect();
                for &component in components.iter().filter(|_| components.len() > 1) {
                    let spare = beside.random.random_range(-2..=2);
                    beside.tell(expander, child.within(component), spare);
                }
            }
            let drawn = match expander.sketch(node) {
                Expansion::Solved(outcome) => Some(outcome),
                Expansion::Open if expander.draw_all(node, 0) => Some(Outcome::Win),
                Expansion::Open if expander.children.is_empty() => Some(Outcome::Loss),
                Expansion::Open => None,
            };
            let from_sketches = children(expander);
            expander.sketches.clear();
            let expanded = match expander.expand(node) {
                Expansion::Solved(outcome) => Some(outcome),
                Expansion::Open => None,
            };
            assert_eq!(drawn, expanded, "{node:?}");
            match drawn {
                Some(outcome) => {
                    assert_eq!(outcome.is_win(), wins, "{node:?}");
                    *if wins { &mut won } else { &mut lost } += 1;
                }
                None => {
                    assert_eq!(from_sketches, children(expander), "{node:?}");
                    open += 1;
                }
            }
        });
        assert!(open > 70 && won > 70 && lost > 10, "{open}, {won}, {lost}");
    }
}
