//! What was proved since the program began.

use std::collections::HashMap;

use dashmap::DashMap;

use super::basis::Basis;
use super::error::SourceError;
use super::finding::Finding;
use super::margins::Margins;
use super::source::Source;
use crate::game::rules::{IndexedMove, Position};
use crate::game::{Outcome, ThresholdRange};

/// Positions that are remembered at the most, with their moves a few kilobytes each.
const MOST: usize = 2048;

/// Values of positions and moves that searches have proved.
#[derive(Debug, Default)]
pub struct Proofs(DashMap<Position, Proved>);

/// What was proved of a position.
#[derive(Clone, Debug)]
struct Proved {
    value: Option<Outcome>,
    moves: Vec<(IndexedMove, Outcome)>,
    /// Between what the threshold lies, and those of moves, if margins were searched.
    margin: Option<ThresholdRange>,
    margins: Vec<(IndexedMove, ThresholdRange)>,
}

/// Nothing.
const NOTHING: Proved =
    Proved { value: None, moves: Vec::new(), margin: None, margins: Vec::new() };

impl Proofs {
    /// Remembers what a search has proved of a position, and of its moves. What was known of it
    /// before and is not known now stays known. When there are too many positions, all are
    /// forgotten.
    pub fn remember(
        &self,
        position: &Position,
        value: Option<Outcome>,
        moves: impl IntoIterator<Item = (IndexedMove, Outcome)>,
    ) {
        let moves: Vec<_> = moves.into_iter().collect();
        if value.is_none() && moves.is_empty() {
            return;
        }
        self.forget_before(position);
        let mut known = self.0.entry(*position).or_insert(NOTHING);
        known.value = known.value.or(value);
        known.moves.extend(moves);
        known.moves.sort_unstable();
        known.moves.dedup();
    }
}

impl Proofs {
    /// Remembers between what a search has proved that the threshold of a position lies, and those
    /// of its moves. What was known of them before stays known.
    pub fn remember_margins(
        &self,
        position: &Position,
        margin: ThresholdRange,
        margins: impl IntoIterator<Item = (IndexedMove, ThresholdRange)>,
    ) {
        self.forget_before(position);
        let mut known = self.0.entry(*position).or_insert(NOTHING);
        let both = |new: ThresholdRange, old: Option<ThresholdRange>| {
            old.and_then(|old| old.and(new)).unwrap_or(new)
        };
        known.margin = Some(both(margin, known.margin));
        let mut old: HashMap<_, _> = known.margins.drain(..).collect();
        let merged =
            margins.into_iter().map(|(played, new)| (played, both(new, old.remove(&played))));
        let mut merged: Vec<_> = merged.collect();
        merged.extend(old);
        known.margins = merged;
    }

    /// Forgets everything if another position would be one too many.
    fn forget_before(&self, position: &Position) {
        if self.0.len() >= MOST && !self.0.contains_key(position) {
            self.0.clear();
        }
    }
}

impl Source for Proofs {
    fn tell_margins(&self, position: &Position, margins: &mut Margins) -> Result<(), SourceError> {
        let Some(known) = self.0.get(position).map(|known| known.clone()) else { return Ok(()) };
        for (played, range) in known.margins {
            margins.tell_move(played, range)?;
        }
        known.margin.map_or(Ok(()), |range| margins.tell(range))
    }

    fn tell(&self, position: &Position, finding: &mut Finding) -> Result<(), SourceError> {
        let Some(known) = self.0.get(position).map(|known| known.clone()) else { return Ok(()) };
        for (played, value) in known.moves {
            finding.tell_move(played, value, &Basis::Proof)?;
        }
        known.value.map_or(Ok(()), |value| finding.tell_value(value, &Basis::Proof))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_proved_is_known_and_little_is_kept() {
        let proofs = Proofs::default();
        let start = Position::start("4x4".parse().unwrap()).unwrap();
        let moves = start.indexed_moves();
        let known = |position: &Position| {
            let mut finding = Finding::of_moves(position.indexed_moves());
            proofs.tell(position, &mut finding).unwrap();
            finding
        };
        assert_eq!(known(&start).value(), None);
        proofs.remember(&start, None, [(moves[0], Outcome::Loss)]);
        proofs.remember(&start, None, [(moves[0], Outcome::Loss), (moves[1], Outcome::Loss)]);
        assert_eq!(known(&start).of_value(Some(Outcome::Loss)).count(), 2);
        proofs.remember(&start, Some(Outcome::Loss), []);
        assert!(known(&start).is_complete());
        assert_eq!(known(&start).basis(), Some(&Basis::Proof));
        let mut others = 0;
        for first in &moves {
            let after = start.play_indexed(*first).unwrap();
            for second in after.indexed_moves() {
                proofs.remember(&after.play_indexed(second).unwrap(), Some(Outcome::Win), []);
                others += 1;
                assert!(proofs.0.len() <= MOST);
            }
        }
        assert!(others > MOST);
    }
}
