//! Reply simulation: a move that won after a search at this ply is tried before all others
//! (Kawano, *Using similar positions to search game trees*, 1996).
//!
//! Positions that are siblings are mostly won by the same moves, also where that takes a search. So
//! of a position that is entered for the first time, the last moves that won a sibling, the
//! *replies*, are made first. A reply wins if each answer to it, the spending of a spare move
//! included, leaves a position that is known to be won: by its bounds, by the table, or because a
//! killer move leaves a position there that is lost by its bounds. Nothing is searched and nothing
//! evaluated. Every answer is looked at, so the proof is a proof, whatever is remembered.
//!
//! The first answer that is not refuted ends a simulation. It is a *countermove*, and the next
//! simulation at this ply looks at it first. The proofs do not depend on replies and countermoves;
//! only the time does, and how many simulations succeed.

use super::expansion::{Expander, Node, any_move, played};
use crate::game::Outcome;
use crate::game::board::Word;
use crate::search::sum::canonical::RegionSquares;
use crate::search::sum::numbers::Numbers;
use crate::search::sum::reduction::{Reduced, Sum};

/// Replies that are simulated at a position.
const REPLIES: usize = 4;
/// Countermoves that are looked at first.
const COUNTERMOVES: usize = 2;
/// Killer moves that may refute an answer.
const REFUTATIONS: usize = 4;

impl<W: Word> Expander<'_, W> {
    /// Whether a reply wins by simulation.
    pub(in crate::search) fn reply_wins(&mut self, sum: &Sum<W>) -> bool {
        let ply = self.watch.ply();
        for reply in self.replies.at(ply).into_iter().take(REPLIES) {
            if self.is_legal(sum, reply) && self.is_lost(played(sum, reply), -i32::from(sum.spare))
            {
                self.replies.won(ply, reply);
                return true;
            }
        }
        false
    }

    /// Whether the position after a reply is known to be lost, or each answer is refuted.
    fn is_lost(&mut self, squares: RegionSquares<W>, spare: i32) -> bool {
        let node = match self.reduce(squares, spare) {
            Reduced::Decided(outcome) => return outcome == Outcome::Loss,
            Reduced::Open { sum, key, .. } => Node { sum, key },
        };
        if let Some(outcome) = self.verdict(&node) {
            return outcome == Outcome::Loss;
        }
        let lost = self.all_refuted(&node.sum);
        if lost {
            self.store(&node, Numbers::solved(Outcome::Loss), 1);
        }
        lost
    }

    /// Whether every move of the side to move is refuted.
    fn all_refuted(&mut self, sum: &Sum<W>) -> bool {
        let (ply, spare) = (self.watch.ply() + 1, i32::from(sum.spare));
        if spare > 0 && !self.is_won(sum.squares().swapped(), 1 - spare, ply + 1) {
            return false;
        }
        for counter in self.countermoves.at(ply).into_iter().take(COUNTERMOVES) {
            if self.is_legal(sum, counter) && !self.is_won(played(sum, counter), -spare, ply + 1) {
                return false;
            }
        }
        let data = self.watch.shared.data;
        !any_move(data, sum, |answer| {
            let refuted = self.is_won(played(sum, answer), -spare, ply + 1);
            if !refuted {
                self.countermoves.won(ply, answer);
            }
            !refuted
        })
    }

    /// Whether a position at `ply` is known to be won, or a killer move wins it at once.
    #[inline(always)]
    fn is_won(&mut self, squares: RegionSquares<W>, spare: i32, ply: usize) -> bool {
        let node = match self.reduce(squares, spare) {
            Reduced::Decided(outcome) => return outcome == Outcome::Win,
            Reduced::Open { sum, key, .. } => Node { sum, key },
        };
        if let Some(outcome) = self.verdict(&node) {
            return outcome == Outcome::Win;
        }
        let (sum, lost) = (&node.sum, Reduced::Decided(Outcome::Loss));
        self.killers.at(ply).into_iter().take(REFUTATIONS).any(|killer| {
            self.is_legal(sum, killer)
                && self.reduce(played(sum, killer), -i32::from(sum.spare)) == lost
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tests::on_random_sums;
    use rand::Rng;
    use rand::seq::SliceRandom;

    /// Simulations with random killers and countermoves, held against the rules.
    #[test]
    fn what_a_simulation_says_is_lost_is_lost() {
        let positions = if crate::machine::long::long_tests() { 1500 } else { 250 };
        let (mut simulated, mut spent) = (0, 0);
        on_random_sums(positions, -4..=1, |expander, node, mut beside| {
            let (sum, shared) = (node.sum, expander.watch.shared);
            let board = beside.board;
            let position = sum.squares().position(board.all());
            let rules = &shared.data.rules;
            let mut moves = rules.moves(&position);
            moves.shuffle(beside.random);
            // The table knows something that is true.
            for &reply in moves.iter().take(2) {
                let left = rules.play(&position, reply).unwrap();
                for answer in rules.moves(&left).into_iter().step_by(3) {
                    let left = RegionSquares::of(board, &rules.play(&left, answer).unwrap());
                    beside.tell(expander, left, i32::from(sum.spare));
                }
            }
            for reply in moves.iter().copied() {
                let known = shared.table.len();
                for _ in 0..REFUTATIONS {
                    let at = beside.random.random_range(0..moves.len());
                    expander.killers.won(2, moves[at]);
                }
                let after = played(&sum, reply);
                if !expander.is_lost(after, -i32::from(sum.spare)) {
                    continue;
                }
                let left = rules.play(&position, reply).unwrap();
                assert!(!beside.naive.wins(&left, -i16::from(sum.spare)), "{node:?}: {reply:?}");
                if shared.table.len() > known {
                    simulated += 1;
                    spent += u32::from(sum.spare < 0);
                }
            }
        });
        assert!(simulated > 100 && spent > 10, "{simulated}, {spent}");
    }
}
