//! The naive solver: memoised negamax over whole positions, twenty lines that anyone can check by
//! eye.
//!
//! It is the oracle that every fast path is held against. It uses the rules and nothing else: no
//! symmetry, no bound, no evaluation. Cost: one hash-map entry for each position reached, so it
//! suits positions with up to about eight empty squares. (Small positions in certificates are
//! judged by [`crate::proof::leaf`], the same negamax made faster.)

use std::collections::HashMap;

use crate::game::Outcome;
use crate::game::board::Word;
use crate::game::rules::{Bitboards, Rules};

/// A memoised negamax solver for one board.
#[derive(Debug)]
pub struct NaiveSolver<W: Word = u64> {
    rules: Rules<W>,
    known: HashMap<Bitboards<W>, Outcome>,
}

impl<W: Word> NaiveSolver<W> {
    /// A solver that knows nothing yet.
    pub fn new(rules: Rules<W>) -> Self {
        Self { rules, known: HashMap::new() }
    }

    /// What the side to move reaches.
    pub fn outcome(&mut self, position: &Bitboards<W>) -> Outcome {
        if let Some(&outcome) = self.known.get(position) {
            return outcome;
        }
        let moves = self.rules.moves(position);
        let wins = |&m| self.outcome(&self.rules.play_unchecked(position, m)) == Outcome::Loss;
        let outcome = Outcome::win_if(moves.iter().any(wins));
        self.known.insert(*position, outcome);
        outcome
    }

    /// How many positions are remembered.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Forgets everything, to bound memory between unrelated positions.
    pub fn clear(&mut self) {
        self.known.clear();
    }
}
