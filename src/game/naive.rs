//! The naive solver: memoised negamax over whole positions, twenty lines that anyone can check by
//! eye.
//!
//! It is the oracle that every fast path is held against, and the judge of small positions in
//! certificates. It uses the rules and nothing else: no symmetry, no bound, no evaluation. Cost:
//! one hash-map entry for each position reached, so it suits positions with up to about eight empty
//! squares.

use std::collections::HashMap;

use crate::game::board::Word;
use crate::game::rules::{Bitboards, Rules};

/// A memoised negamax solver for one board.
#[derive(Debug)]
pub struct NaiveSolver<W: Word = u64> {
    rules: Rules<W>,
    known: HashMap<Bitboards<W>, bool>,
}

impl<W: Word> NaiveSolver<W> {
    /// A solver that knows nothing yet.
    pub fn new(rules: Rules<W>) -> Self {
        Self { rules, known: HashMap::new() }
    }

    /// Whether the side to move wins.
    pub fn wins(&mut self, position: &Bitboards<W>) -> bool {
        if let Some(&wins) = self.known.get(position) {
            return wins;
        }
        let moves = self.rules.moves(position);
        let wins = moves.iter().any(|&m| !self.wins(&self.rules.play_unchecked(position, m)));
        self.known.insert(*position, wins);
        wins
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
