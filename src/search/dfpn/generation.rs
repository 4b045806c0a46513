//! All children of a node at once.
//!
//! They go on the stack in the order of their keys; equal ones are kept once. A child that is lost
//! for its mover decides its node at once. A child that is won is dropped. Killer moves are tried
//! first ([`killers`](super::killers)), then replies ([`simulation`](super::simulation)). Where a
//! node looks won, most of this waits until a child is chosen ([`sketch`](super::sketch)).

use super::expansion::{Child, Expander, Expansion, Node, any_move};
use crate::game::Outcome;
use crate::game::board::Word;
use crate::search::sum::reduction::Sum;

impl<W: Word> Expander<'_, W> {
    /// Puts the open children of a node on the stack.
    pub(in crate::search) fn expand(&mut self, node: &Node<W>) -> Expansion {
        let first = self.children.len();
        if self.generate(node) {
            return Expansion::Solved(Outcome::Win);
        }
        for child in &self.children[first..] {
            self.watch.shared.table.prefetch(child.node.key);
        }
        let order = |child: &Child<W>| (child.node.key, child.node.sum.spare);
        self.children[first..].sort_unstable_by_key(order);
        let mut kept = first;
        for at in first..self.children.len() {
            let mut child = self.children[at];
            if kept > first && order(&child) == order(&self.children[kept - 1]) {
                continue;
            }
            self.look_up(&mut child);
            if child.numbers.disproof == 0 {
                return Expansion::Solved(Outcome::Win);
            }
            self.children[kept] = child;
            kept += 1;
        }
        self.children.truncate(kept);
        let mut at = first;
        while at < self.children.len() {
            if self.children[at].numbers.proof == 0 {
                self.children.swap_remove(at);
            } else {
                at += 1;
            }
        }
        if self.children.len() == first {
            Expansion::Solved(Outcome::Loss)
        } else {
            Expansion::Open
        }
    }

    /// Reduces the position after every move and pushes those that stay open; true if one is lost
    /// for its mover.
    #[inline]
    fn generate(&mut self, node: &Node<W>) -> bool {
        let data = self.watch.shared.data;
        self.spend(node)
            || self.remembered_wins(node)
            || any_move(data, &node.sum, |step| self.push_move(&node.sum, step))
    }

    /// Whether a move that is remembered wins: a killer at once, a reply by simulation. Killer
    /// moves that do not win are pushed.
    #[inline]
    pub(in crate::search) fn remembered_wins(&mut self, node: &Node<W>) -> bool {
        self.killer_wins(&node.sum) || self.is_new(node) && self.reply_wins(&node.sum)
    }

    /// Pushes the positions after the moves that won at this ply before; true if one is lost for
    /// its mover.
    #[inline]
    fn killer_wins(&mut self, sum: &Sum<W>) -> bool {
        let killers = self.killers.at(self.watch.ply());
        killers.into_iter().any(|killer| self.is_legal(sum, killer) && self.push_move(sum, killer))
    }

    /// Whether the table knows of no search that has left this position with its net integer.
    fn is_new(&self, node: &Node<W>) -> bool {
        self.watch.shared.table.probe(node.key, node.sum.spare).effort == 0
    }
}
