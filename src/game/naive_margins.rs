//! The naive solver of margins: memoised negamax over positions with spare moves.
//!
//! As [`super::naive`], it is the oracle that whatever says margins is held against. It follows the
//! definition in [`super::margin`] word for word.

use std::collections::HashMap;

use crate::game::board::Word;
use crate::game::margin::Threshold;
use crate::game::rules::{Bitboards, Rules};

/// A memoised negamax solver of margins for one board.
#[derive(Debug)]
pub struct NaiveMargins<W: Word = u64> {
    rules: Rules<W>,
    known: HashMap<(Bitboards<W>, i16), bool>,
}

impl<W: Word> NaiveMargins<W> {
    /// A solver that knows nothing yet.
    pub fn new(rules: Rules<W>) -> Self {
        Self { rules, known: HashMap::new() }
    }

    /// Whether the side to move wins with `spare` spare moves more than the other side.
    pub fn wins(&mut self, position: &Bitboards<W>, spare: i16) -> bool {
        if let Some(&wins) = self.known.get(&(*position, spare)) {
            return wins;
        }
        let moves = self.rules.moves(position);
        let wins = moves
            .iter()
            .any(|&m| !self.wins(&self.rules.play_unchecked(position, m), spare.saturating_neg()))
            || (spare > 0 && !self.wins(&position.swapped(), 1 - spare));
        self.known.insert((*position, spare), wins);
        wins
    }

    /// The least number of spare moves with which the side to move wins.
    pub fn threshold(&mut self, position: &Bitboards<W>) -> Threshold {
        // No side makes more moves than there are empty squares, so with one more spare move than
        // that a side has the last move, and both of these walks end.
        let mut least = 0;
        if self.wins(position, least) {
            while self.wins(position, least - 1) {
                least -= 1;
            }
        } else {
            while !self.wins(position, least) {
                least += 1;
            }
        }
        Threshold::new(least)
    }
}
