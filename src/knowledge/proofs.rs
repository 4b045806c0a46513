//! What was proved since the program began.

use std::collections::HashMap;

use dashmap::{DashMap, DashSet};

use super::basis::Basis;
use super::error::SourceError;
use super::finding::Finding;
use super::margins::Margins;
use super::source::Source;
use crate::game::board::Board;
use crate::game::rules::{IndexedMove, Position};
use crate::game::{Outcome, ThresholdRange};

/// Positions that are remembered at the most, with their moves a few kilobytes each.
const MOST: usize = 2048;
/// Positions after their moves that are remembered at the most, with a few hundred bytes each.
const MOST_AFTER: usize = 1 << 15;

/// Who wins positions and by which moves, and by how much, as searches have proved.
#[derive(Debug, Default)]
pub struct Proofs {
    proved: DashMap<Position, Proved>,
    /// What follows for the positions after moves of those: what the side to move reaches.
    after: DashMap<Position, Value>,
    /// The boards of which anything was ever remembered.
    boards: DashSet<Board>,
}

/// What the side to move reaches, and what that rests on.
#[derive(Clone, Debug)]
struct Value {
    outcome: Outcome,
    basis: Basis,
}

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
        if self.proved.len() >= MOST && !self.proved.contains_key(position) {
            self.proved.clear();
        }
        let nothing = || Proved {
            position: ThresholdRange::of_empty(position.empty_squares()),
            moves: HashMap::new(),
            basis: Basis::Proof,
        };
        self.boards.insert(position.board());
        let narrowed = {
            let mut known = self.proved.entry(*position).or_insert_with(nothing);
            known.narrow(range, moves, basis).map(|()| known.clone())
        };
        match narrowed {
            None => self.forget(position),
            Some(known) => self.remember_after(position, &known),
        }
    }

    /// Forgets a position, and what followed for those after its moves.
    fn forget(&self, position: &Position) {
        self.proved.remove(position);
        for played in position.indexed_moves() {
            if let Ok(after) = position.play_indexed(played) {
                self.after.remove(&after);
            }
        }
    }

    /// Remembers what follows for the positions after the moves of one.
    fn remember_after(&self, position: &Position, known: &Proved) {
        let all_lose = known.position.outcome() == Some(Outcome::Loss);
        for played in position.indexed_moves() {
            let of_move = known.moves.get(&played).and_then(|range| range.outcome());
            let Some(value) = all_lose.then_some(Outcome::Loss).or(of_move) else { continue };
            if self.after.len() >= MOST_AFTER {
                self.after.clear();
            }
            if let Ok(after) = position.play_indexed(played) {
                let (outcome, basis) = (value.reversed(), known.basis.clone());
                self.after.insert(after, Value { outcome, basis });
            }
        }
    }

    /// What was proved of a position.
    fn value(&self, position: &Position) -> Option<Value> {
        let own = self.proved.get(position).and_then(|known| {
            Some(Value { outcome: known.position.outcome()?, basis: known.basis.clone() })
        });
        own.or_else(|| self.after.get(position).map(|known| known.clone()))
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
        let known = self.proved.get(position).map(|known| known.clone());
        let Some(known) = known else { return Ok(()) };
        for (played, range) in known.moves {
            margins.tell_move(played, range, &known.basis)?;
        }
        margins.tell(known.position, &known.basis)
    }

    fn tell(&self, position: &Position, finding: &mut Finding) -> Result<(), SourceError> {
        // To look for what was proved after each of thousands of moves takes long.
        if !self.boards.contains(&position.board()) {
            return Ok(());
        }
        if let Some(known) = self.proved.get(position).map(|known| known.clone()) {
            for (played, range) in known.moves {
                if let Some(value) = range.outcome() {
                    finding.tell_move(played, value, &known.basis)?;
                }
            }
        }
        if let Some(Value { outcome, basis }) = self.value(position) {
            finding.tell_value(outcome, &basis)?;
        }
        for played in finding.of_value(None).collect::<Vec<_>>() {
            let after = position.play_indexed(played).ok();
            if let Some(Value { outcome, basis }) = after.and_then(|after| self.value(&after)) {
                finding.tell_move(played, outcome.reversed(), &basis)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proved_margin_says_who_wins_and_what_contradicts_itself_says_nothing() {
        let proofs = Proofs::default();
        let start = Position::start("4x4".parse().unwrap()).unwrap();
        let other = Position::start("4x5".parse().unwrap()).unwrap();
        proofs.remember(&other, Some(Outcome::Loss), [], &Basis::Proof);
        let played = start.indexed_moves()[0];
        let known = |position: &Position| {
            let mut finding = Finding::of_moves(position.board(), position.indexed_moves());
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
        assert!(known(&start).value().is_none() && known(&start).basis_of_all().is_none());
        assert_eq!(known(&start.play_indexed(played).unwrap()).value(), None);
        assert_eq!(known(&other).value(), Some(Outcome::Loss));
    }

    #[test]
    fn what_was_proved_is_known_and_little_is_kept() {
        let proofs = Proofs::default();
        let start = Position::start("4x4".parse().unwrap()).unwrap();
        let moves = start.indexed_moves();
        let known = |position: &Position| {
            let mut finding = Finding::of_moves(position.board(), position.indexed_moves());
            proofs.tell(position, &mut finding).unwrap();
            finding
        };
        assert_eq!(known(&start).value(), None);
        proofs.remember(&start, None, [(moves[0], Outcome::Loss)], &Basis::Proof);
        proofs.remember(
            &start,
            None,
            [(moves[0], Outcome::Loss), (moves[1], Outcome::Loss)],
            &Basis::Proof,
        );
        assert_eq!(known(&start).of_value(Some(Outcome::Loss)).count(), 2);
        proofs.remember(&start, Some(Outcome::Loss), [], &Basis::Proof);
        assert!(known(&start).is_complete());
        assert_eq!(known(&start).basis(), Some(&Basis::Proof));
        let mut others = 0;
        for first in &moves {
            let after = start.play_indexed(*first).unwrap();
            for second in after.indexed_moves() {
                proofs.remember(
                    &after.play_indexed(second).unwrap(),
                    Some(Outcome::Win),
                    [],
                    &Basis::Proof,
                );
                others += 1;
                assert!(proofs.proved.len() <= MOST);
            }
        }
        assert!(others > MOST);
    }
}
