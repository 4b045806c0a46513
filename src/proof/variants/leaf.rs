//! Who wins a position with little room: the judge of the leaves of another game's certificate.
//!
//! The same negamax as the naive solver's ([`crate::game::variants::naive`]), but for its memory,
//! which is an array of fixed size: a position overwrites another one that has the same place, and
//! whole positions are compared. So a hostile file can make it slow and not large, and the stop
//! flag is looked at before every position.

use std::hash::{Hash as _, Hasher as _};

use crate::game::Outcome;
use crate::game::variants::{State, VariantRules};
use crate::machine::hash::Mix;
use crate::machine::progress::StopFlag;

/// Logarithm of the number of positions remembered.
const PLACES: u32 = 14;

/// A solver for positions with little room.
#[derive(Debug)]
pub(super) struct VariantLeafSolver<'a> {
    rules: &'a VariantRules,
    stop: &'a StopFlag,
    known: Box<[Option<(State, Outcome)>]>,
}

impl<'a> VariantLeafSolver<'a> {
    /// Bytes of memory of one.
    pub(super) const BYTES: u64 = size_of::<Option<(State, Outcome)>>() as u64 * (1 << PLACES);

    /// A solver that knows nothing yet. It gives up when `stop` is set.
    pub(super) fn new(rules: &'a VariantRules, stop: &'a StopFlag) -> Self {
        Self { rules, stop, known: vec![None; 1 << PLACES].into() }
    }

    /// What the side to move reaches; `None` if the solver gave up.
    pub(super) fn outcome(&mut self, state: &State) -> Option<Outcome> {
        let place = place(state);
        match self.known[place] {
            Some((known, outcome)) if known == *state => return Some(outcome),
            _ if self.stop.is_set() => return None,
            _ => {}
        }
        let mut outcome = Outcome::Loss;
        for played in self.rules.moves(state) {
            let after = self.rules.play_unchecked(state, played);
            if after.outcome_of_move(self.outcome(&after)?) == Outcome::Win {
                outcome = Outcome::Win;
                break;
            }
        }
        self.known[place] = Some((*state, outcome));
        Some(outcome)
    }
}

/// Where a position is remembered.
fn place(state: &State) -> usize {
    let mut hasher = Mix::default();
    state.hash(&mut hasher);
    (hasher.finish() >> (64 - PLACES)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Board;
    use crate::game::variants::naive::NaiveVariantSolver;
    use crate::game::variants::{RuleSet, VariantPosition};

    #[test]
    fn positions_are_judged_as_by_the_naive_solver() {
        for (_, rules) in RuleSet::NAMED {
            let board: Board = if rules.burns() { "3x4" } else { "2x3" }.parse().unwrap();
            let amazons = Some("1v1".parse().unwrap());
            let start = VariantPosition::start(rules, board, amazons).unwrap().state().unwrap();
            let game = VariantRules::new(board, rules).unwrap();
            let stop = StopFlag::new();
            let mut leaf = VariantLeafSolver::new(&game, &stop);
            let mut naive = NaiveVariantSolver::new(game.clone());
            for played in game.moves(&start) {
                let after = game.play_unchecked(&start, played);
                assert_eq!(leaf.outcome(&after), Some(naive.outcome(&after)), "{rules}");
            }
            assert_eq!(leaf.outcome(&start), Some(naive.outcome(&start)), "{rules}");
        }
    }

    #[test]
    fn a_stopped_solver_gives_up() {
        let board: Board = "4x4".parse().unwrap();
        let start = VariantPosition::start(RuleSet::KILLER, board, None).unwrap();
        let (start, rules) =
            (start.state().unwrap(), VariantRules::new(board, start.rules()).unwrap());
        let stop = StopFlag::new();
        stop.stop();
        assert_eq!(VariantLeafSolver::new(&rules, &stop).outcome(&start), None);
    }
}
