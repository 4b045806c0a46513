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

/// Who wins positions and by which moves, and by how much, as searches have proved.
#[derive(Debug, Default)]
pub struct Proofs(DashMap<Position, Proved>);

/// What was proved of a position: who wins is a range of thresholds too.
#[derive(Clone, Debug)]
struct Proved {
    position: ThresholdRange,
    /// Each range is the maker's.
    moves: HashMap<IndexedMove, ThresholdRange>,
    /// What all of that rests on.
    basis: Basis,
}

impl Proofs {
    /// Remembers what a search has proved of a position, and of its moves, and what that proof
    /// rests on. What was known of it before and is not known now stays known. When there are too
    /// many positions, all are forgotten.
    pub fn remember(
        &self,
        position: &Position,
        value: Option<Outcome>,
        moves: impl IntoIterator<Item = (IndexedMove, Outcome)>,
        basis: &Basis,
    ) {
        let empty = position.empty_squares();
        let (all, of_move) = (ThresholdRange::of_empty(empty), ThresholdRange::of_any_move(empty));
        let proved = |(played, value)| Some((played, of_move.with(0, value)?));
        let moves: Vec<_> = moves.into_iter().filter_map(proved).collect();
        let value = value.and_then(|value| all.with(0, value));
        if value.is_some() || !moves.is_empty() {
            self.remember_margins(position, value.unwrap_or(all), moves, basis);
        }
    }

    /// Remembers between what a search has proved that the threshold of a position lies, and those
    /// of its moves; what was known of them before stays known. Of a position of which
    /// contradictory things were proved nothing is known any more.
    pub fn remember_margins(
        &self,
        position: &Position,
        range: ThresholdRange,
        moves: impl IntoIterator<Item = (IndexedMove, ThresholdRange)>,
        basis: &Basis,
    ) {
        if self.0.len() >= MOST && !self.0.contains_key(position) {
            self.0.clear();
        }
        let nothing = || Proved {
            position: ThresholdRange::of_empty(position.empty_squares()),
            moves: HashMap::new(),
            basis: Basis::Proof,
        };
        let known = self.0.entry(*position).or_insert_with(nothing).narrow(range, moves, basis);
        if known.is_none() {
            self.0.remove(position);
        }
    }
}

impl Proved {
    /// `None` if that contradicts what was proved before.
    fn narrow(
        &mut self,
        range: ThresholdRange,
        moves: impl IntoIterator<Item = (IndexedMove, ThresholdRange)>,
        basis: &Basis,
    ) -> Option<()> {
        self.basis = self.basis.and(Some(basis));
        self.position = self.position.and(range)?;
        for (played, range) in moves {
            let known = self.moves.entry(played).or_insert(range);
            *known = known.and(range)?;
        }
        Some(())
    }
}

impl Source for Proofs {
    fn tell_margins(&self, position: &Position, margins: &mut Margins) -> Result<(), SourceError> {
        let Some(known) = self.0.get(position).map(|known| known.clone()) else { return Ok(()) };
        for (played, range) in known.moves {
            margins.tell_move(played, range, &known.basis)?;
        }
        margins.tell(known.position, &known.basis)
    }

    fn tell(&self, position: &Position, finding: &mut Finding) -> Result<(), SourceError> {
        let Some(known) = self.0.get(position).map(|known| known.clone()) else { return Ok(()) };
        for (played, range) in known.moves {
            if let Some(value) = range.outcome() {
                finding.tell_move(played, value, &known.basis)?;
            }
        }
        let value = known.position.outcome();
        value.map_or(Ok(()), |value| finding.tell_value(value, &known.basis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proved_margin_says_who_wins_and_what_contradicts_itself_says_nothing() {
        let proofs = Proofs::default();
        let start = Position::start("4x4".parse().unwrap()).unwrap();
        let played = start.indexed_moves()[0];
        let known = |position: &Position| {
            let mut finding = Finding::of_moves(position.indexed_moves());
            proofs.tell(position, &mut finding).unwrap();
            finding
        };
        let range = ThresholdRange::of_empty(start.empty_squares());
        let loses = range.with(2, Outcome::Loss).unwrap();
        proofs.remember_margins(&start, range, [(played, loses)], &Basis::Proof);
        assert_eq!(known(&start).of_value(Some(Outcome::Loss)).collect::<Vec<_>>(), [played]);
        assert_eq!(known(&start).value(), None);
        proofs.remember_margins(&start, range.with(-1, Outcome::Win).unwrap(), [], &Basis::Proof);
        assert_eq!(known(&start).value(), Some(Outcome::Win));
        proofs.remember(&start, None, [(played, Outcome::Win)], &Basis::Proof);
        assert!(known(&start).value().is_none() && known(&start).basis().is_none());
    }

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
        proofs.remember(&start, None, [(moves[0], Outcome::Loss)], &Basis::Proof);
        proofs.remember(&start, None, [(moves[0], Outcome::Loss), (moves[1], Outcome::Loss)], &Basis::Proof);
        assert_eq!(known(&start).of_value(Some(Outcome::Loss)).count(), 2);
        proofs.remember(&start, Some(Outcome::Loss), [], &Basis::Proof);
        assert!(known(&start).is_complete());
        assert_eq!(known(&start).basis(), Some(&Basis::Proof));
        let mut others = 0;
        for first in &moves {
            let after = start.play_indexed(*first).unwrap();
            for second in after.indexed_moves() {
                proofs.remember(&after.play_indexed(second).unwrap(), Some(Outcome::Win), [], &Basis::Proof);
                others += 1;
                assert!(proofs.0.len() <= MOST);
            }
        }
        assert!(others > MOST);
    }
}
