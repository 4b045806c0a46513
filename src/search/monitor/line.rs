//! The line that a search is at work on, as moves.
//!
//! The search knows positions only by what the reduction leaves of them, in a canonical place. So
//! the moves are found again from the start: at each ply the first move that leads to the next key.
//! What a reduction drops may depend on proofs in the table; without the table the line may end
//! early.

use std::sync::Arc;

use super::Monitor;
use crate::game::board::Word;
use crate::game::rules::{Bitboards, IndexedMove};
use crate::search::sum::board_data::BoardData;
use crate::search::sum::canonical::RegionSquares;
use crate::search::sum::key::Key;
use crate::search::sum::reduction::{Bounds, Proofs, Reduced, Reducer};

/// Follows a running search from another thread.
#[derive(Debug)]
pub struct Follower<W: Word = u64> {
    data: Arc<BoardData<W>>,
    monitor: Arc<Monitor>,
    position: Bitboards<W>,
}

/// Knows no proofs.
pub(in crate::search) struct NoProofs;

impl Proofs for NoProofs {
    fn bounds(&self, _: Key) -> Bounds {
        Bounds::NONE
    }
}

impl<W: Word> Follower<W> {
    pub(in crate::search) fn new(
        data: Arc<BoardData<W>>,
        monitor: Arc<Monitor>,
        position: Bitboards<W>,
    ) -> Self {
        Self { data, monitor, position }
    }

    /// The first moves to where the search is at work.
    pub fn line(&self) -> Vec<IndexedMove> {
        let (path, spare) = (self.monitor.path(), self.monitor.spare());
        moves(&self.data, &NoProofs, &path, &self.position, spare)
    }
}

/// The moves from `position` through the positions with the keys of `path`, whose first is
/// `position` itself or the one after its first move; that one is searched with so many spare moves
/// of its side to move. The line ends before a spare move.
pub(in crate::search) fn moves<W: Word>(
    data: &BoardData<W>,
    proofs: &impl Proofs,
    path: &[Key],
    position: &Bitboards<W>,
    mut spare: i16,
) -> Vec<IndexedMove> {
    let (rules, mut reducer) = (data.rules(), Reducer::default());
    let (mut at, mut line) = (*position, Vec::new());
    let mut is_at = |position: &Bitboards<W>, spare: i16, next: Key| {
        let squares = RegionSquares::of(data.board(), position);
        let reduced = reducer.reduce(data, proofs, squares, spare.into());
        matches!(reduced, Reduced::Open { key, .. } if key == next)
    };
    let begins_here = path.first().is_some_and(|&first| is_at(position, spare, first));
    if begins_here {
        spare = -spare;
    }
    for &next in path.iter().skip(usize::from(begins_here)) {
        let leads = |played: &IndexedMove| is_at(&rules.play_unchecked(&at, *played), spare, next);
        let Some(played) = rules.moves(&at).into_iter().find(leads) else { break };
        at = rules.play_unchecked(&at, played);
        spare = -spare;
        line.push(played);
    }
    line
}
