//! One thread that searches positions of its own on the shared table.
//!
//! Where many small positions are to be proved, threads do not share one search: each takes
//! positions of its own. What one thread proves, the others find in the table. No thread may grow
//! the table or free entries while others are at work. So when the table is nearly full all threads
//! stop, and their caller makes room.

use super::Worker;
use super::expansion::Node;
use super::shared::Shared;
use super::watch::Visibility;
use crate::game::Outcome;
use crate::game::board::Word;
use crate::game::rules::Bitboards;
use crate::search::sum::board_data::BoardData;
use crate::search::sum::canonical::RegionSquares;
use crate::search::sum::reduction::{Reduced, Sum};

/// Searches positions for one thread.
#[derive(Debug)]
pub(in crate::search) struct Searcher<'a, W: Word = u64> {
    shared: &'a Shared<'a, W>,
    worker: Worker<'a, W>,
}

impl<'a, W: Word> Searcher<'a, W> {
    /// On the table of `shared`.
    pub(in crate::search) fn new(shared: &'a Shared<'a, W>, visibility: Visibility) -> Self {
        Self { shared, worker: Worker::new(shared, visibility) }
    }

    /// The board and its rules.
    pub(in crate::search) fn board_data(&self) -> &'a BoardData<W> {
        self.shared.data
    }

    /// Whether all threads are to stop.
    pub(in crate::search) fn is_paused(&self) -> bool {
        self.shared.is_paused()
    }

    /// Which of some positions are known to be lost for their mover, by their bounds or in the
    /// table.
    pub(in crate::search) fn lost(&mut self, positions: &[Bitboards<W>]) -> Vec<usize> {
        let Shared { data, table, .. } = *self.shared;
        let reduced: Vec<Reduced<W>> = positions
            .iter()
            .map(|position| {
                let reduced = self.worker.reduce(RegionSquares::of(data.board(), position), 0);
                if let Reduced::Open { key, .. } = reduced {
                    table.prefetch(key);
                }
                reduced
            })
            .collect();
        let is_lost = |reduced: &Reduced<W>| match *reduced {
            Reduced::Decided(outcome) => outcome == Outcome::Loss,
            Reduced::Open { sum, key, .. } => {
                table.probe(key, sum.spare).bounds.verdict(sum.spare) == Some(Outcome::Loss)
            }
        };
        (0..positions.len()).filter(|&at| is_lost(&reduced[at])).collect()
    }

    /// What the side to move reaches, `None` if paused. The position is searched even if its bounds
    /// decide it or the table knows it: afterwards the table has, or the bounds decide, what the
    /// verdict rests on.
    pub(in crate::search) fn prove(&mut self, position: &Bitboards<W>) -> Option<Outcome> {
        let squares = RegionSquares::of(self.board_data().board(), position);
        let node = match self.worker.reduce(squares, 0) {
            Reduced::Open { sum, key, .. } => Node { sum, key },
            Reduced::Decided(_) => {
                let canonical = self.board_data().canonizer.canonical(squares);
                Node {
                    sum: Sum::new(canonical, 0),
                    key: self.board_data().scrambler.key(&canonical),
                }
            }
        };
        self.worker.solve(node)
    }
}
