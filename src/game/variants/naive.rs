//! The naive solver for any rules: memoised negamax, which everything fast is held against.

use std::collections::HashMap;

use super::generate::VariantRules;
use super::state::State;
use crate::game::Outcome;

/// A memoised negamax solver for one game on one board.
#[derive(Debug)]
pub struct NaiveVariantSolver {
    rules: VariantRules,
    known: HashMap<State, Outcome>,
}

impl NaiveVariantSolver {
    /// A solver that knows nothing yet.
    pub fn new(rules: VariantRules) -> Self {
        Self { rules, known: HashMap::new() }
    }

    /// What the side to move reaches.
    pub fn outcome(&mut self, state: &State) -> Outcome {
        if let Some(&outcome) = self.known.get(state) {
            return outcome;
        }
        let moves = self.rules.moves(state);
        let wins = |&played| {
            let after = self.rules.play_unchecked(state, played);
            after.outcome_of_move(self.outcome(&after)) == Outcome::Win
        };
        let outcome = Outcome::win_if(moves.iter().any(wins));
        self.known.insert(*state, outcome);
        outcome
    }
}
