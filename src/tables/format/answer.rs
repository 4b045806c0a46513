//! What a table says of a position.

use crate::game::Outcome;
use crate::game::rules::IndexedMove;

/// The value of a position and of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What the side to move reaches.
    pub outcome: Outcome,
    /// Every legal move, and what its maker reaches by it; in the order of
    /// [`Rules::moves`](crate::game::rules::Rules::moves).
    pub moves: Vec<(IndexedMove, Outcome)>,
}

impl Answer {
    /// The moves that win.
    pub fn winning(&self) -> impl Iterator<Item = IndexedMove> + '_ {
        self.moves.iter().filter(|(_, outcome)| outcome.is_win()).map(|&(played, _)| played)
    }
}
