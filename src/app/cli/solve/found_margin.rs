//! What a search has found about spare moves.

use crate::game::rules::IndexedMove;
use crate::game::{Outcome, ThresholdRange};
use crate::knowledge::Margins;

/// What a search has found about spare moves.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundMargin {
    /// The number of spare moves that was asked about, if one was.
    pub(super) spare: Option<i16>,
    /// What the side to move reaches with them.
    pub(super) outcome: Option<Outcome>,
    /// A move that wins by most, or loses by least; with a number of spare moves one that wins.
    pub(super) best: Option<IndexedMove>,
    /// Whether it wins by spending a spare move, as far as is known.
    pub(super) spends_spare: bool,
    /// Between what the threshold lies, if that was asked for.
    pub(super) range: Option<ThresholdRange>,
    /// The same of every move, if that was asked for.
    pub(super) moves: Option<Vec<(IndexedMove, ThresholdRange)>>,
    /// Whether all is known that was asked for.
    pub(super) is_complete: bool,
}

impl FoundMargin {
    /// Whether this is more than what was known.
    pub(super) fn tells_more_than(&self, known: &Margins) -> bool {
        let position = known.position();
        let of_spare = |spare| self.outcome != position.outcome_with(spare);
        self.spare.is_some_and(of_spare)
            || self.range.is_some_and(|range| range != position)
            || self.moves.as_ref().is_some_and(|moves| moves != known.moves())
            || self.best.is_some_and(|best| !known.best().contains(&best))
    }
}
