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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Threshold};
    use crate::knowledge::{Basis, Finding};

    #[test]
    fn what_was_known_before_is_no_more_than_that() {
        let start = Position::start("4x4".parse().unwrap()).unwrap();
        let mut finding = Finding::of_moves(start.board(), start.indexed_moves());
        finding.tell_value(Outcome::Loss, &Basis::Bounds).unwrap();
        let known = Margins::of_finding(&finding, start.empty_squares());
        let found = |range| FoundMargin { range: Some(range), ..FoundMargin::default() };
        assert!(!FoundMargin::default().tells_more_than(&known));
        assert!(!found(known.position()).tells_more_than(&known));
        assert!(found(Threshold::new(1).into()).tells_more_than(&known));
        let of_spare = |spare, outcome| FoundMargin {
            spare: Some(spare),
            outcome: Some(outcome),
            ..FoundMargin::default()
        };
        assert!(!of_spare(0, Outcome::Loss).tells_more_than(&known));
        assert!(of_spare(1, Outcome::Win).tells_more_than(&known));
    }
}
