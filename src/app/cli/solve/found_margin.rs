//! What a search has found about spare moves.

use crate::game::rules::IndexedMove;
use crate::game::{Outcome, ThresholdRange};

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
