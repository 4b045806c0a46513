//! What is known of the margins of a position and of each of its moves.

use super::basis::Basis;
use super::error::SourceError;
use super::finding::Finding;
use crate::game::rules::IndexedMove;
use crate::game::{Outcome, ThresholdRange};

/// Between what the threshold of a position and that of each of its moves lie.
///
/// It begins with what a [`Finding`] says of who wins. Sources narrow it
/// ([`Source::tell_margins`](super::Source::tell_margins)).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Margins {
    position: ThresholdRange,
    /// What its range rests on.
    of_position: Option<Basis>,
    /// What the ranges of the moves rest on beside it.
    of_moves: Option<Basis>,
    /// In increasing order of the moves; each range is its maker's.
    moves: Vec<(IndexedMove, ThresholdRange)>,
    /// That of the position with the other side to move, where it was asked for.
    passed: Option<ThresholdRange>,
}

impl Margins {
    /// What follows from who wins a position with so many empty squares, and each of its moves.
    pub fn of_finding(finding: &Finding, empty: usize) -> Self {
        let all = ThresholdRange::of_empty(empty);
        let after = ThresholdRange::of_any_move(empty);
        let with = |range: ThresholdRange, value: Option<Outcome>| {
            value.and_then(|value| range.with(0, value)).unwrap_or(range)
        };
        let of_move = |&(played, value): &(IndexedMove, _)| (played, with(after, value));
        let moves = finding.moves().iter().map(of_move).collect();
        let (of_position, of_moves) = (finding.basis().cloned(), finding.basis_of_all());
        Self { position: with(all, finding.value()), of_position, of_moves, moves, passed: None }
    }

    /// What all that is known rests on: the sources that knew more than those before them.
    pub fn basis(&self) -> Option<Basis> {
        Basis::joined(self.of_position.as_ref(), self.of_moves.as_ref())
    }

    /// What is known of the position itself rests on.
    pub fn basis_of_position(&self) -> Option<&Basis> {
        self.of_position.as_ref()
    }

    /// Between what the threshold of the position lies.
    pub fn position(&self) -> ThresholdRange {
        self.position
    }

    /// Every move in increasing order, and between what its maker's threshold lies.
    pub fn moves(&self) -> &[(IndexedMove, ThresholdRange)] {
        &self.moves
    }

    /// What is known of a move; `None` if there is none such.
    pub fn of_move(&self, played: IndexedMove) -> Option<ThresholdRange> {
        let at = self.moves.binary_search_by_key(&played, |&(played, _)| played);
        at.ok().map(|at| self.moves[at].1)
    }

    /// Whether the threshold of the position and those of all its moves are known.
    pub fn is_complete(&self) -> bool {
        let moves = self.moves.iter().map(|&(_, range)| range);
        moves.chain([self.position]).all(|range| range.exact().is_some())
    }

    /// The threshold of the position lies in this range. No move is worth more than the position.
    ///
    /// # Errors
    /// If that contradicts what was told before.
    pub fn tell(&mut self, range: ThresholdRange, basis: &Basis) -> Result<(), SourceError> {
        let known = self.position.and(range).ok_or_else(|| self.contradiction(basis))?;
        if known != self.position {
            self.position = known;
            self.of_position = Basis::joined(self.of_position.as_ref(), Some(basis));
        }
        let too_few = known.least().spare().saturating_sub(1);
        for at in 0..self.moves.len() {
            let narrowed = self.moves[at].1.with(too_few, Outcome::Loss);
            self.moves[at].1 = narrowed.ok_or_else(|| self.contradiction(basis))?;
        }
        Ok(())
    }

    /// With the other side to move the threshold lies in this range
    /// ([`ThresholdRange::with_other_side`]).
    ///
    /// # Errors
    /// As [`Self::tell`].
    pub(super) fn tell_passed(
        &mut self,
        range: ThresholdRange,
        basis: Option<&Basis>,
    ) -> Result<(), SourceError> {
        self.passed = Some(range);
        let basis = basis.unwrap_or(&Basis::Rules);
        let bounded = self.position.with_other_side(range);
        self.tell(bounded.ok_or_else(|| self.contradiction(basis))?, basis)
    }

    /// Whether it is known that with so many spare moves the side to move wins by spending one.
    pub fn wins_by_spending(&self, spare: i16) -> bool {
        let other = self.passed.filter(|_| spare > 0);
        other.is_some_and(|other| other.outcome_with(1 - spare) == Some(Outcome::Loss))
    }

    /// The threshold that the maker of a move has by it lies in this range. Nothing is told of a
    /// move that there is not.
    ///
    /// # Errors
    /// As [`Self::tell`].
    pub fn tell_move(
        &mut self,
        played: IndexedMove,
        range: ThresholdRange,
        basis: &Basis,
    ) -> Result<(), SourceError> {
        let at = self.moves.binary_search_by_key(&played, |&(played, _)| played);
        let Ok(at) = at else { return Ok(()) };
        let before = (self.position, self.moves[at].1);
        let of_move = before.1.and(range).ok_or_else(|| self.contradiction(basis))?;
        // A position is worth at least as much as each of its moves.
        let position = before.0.with(range.most().spare(), Outcome::Win);
        let position = position.ok_or_else(|| self.contradiction(basis))?;
        (self.position, self.moves[at].1) = (position, of_move);
        if position != before.0 {
            self.of_position = Basis::joined(self.of_position.as_ref(), Some(basis));
        }
        if of_move != before.1 {
            self.of_moves = Basis::joined(self.of_moves.as_ref(), Some(basis));
        }
        Ok(())
    }

    fn contradiction(&self, basis: &Basis) -> SourceError {
        let before = self.basis().unwrap_or(Basis::Rules);
        SourceError::Margins { before, now: basis.clone() }
    }

    /// The moves that are known to be worth as much to their maker as any other is.
    pub fn best(&self) -> Vec<IndexedMove> {
        let least = self.moves.iter().map(|(_, range)| range.least()).min();
        let best = |range: &ThresholdRange| Some(range.most()) <= least;
        self.moves.iter().filter(|(_, range)| best(range)).map(|&(played, _)| played).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Threshold};
    use crate::knowledge::{Basis, Knowledge};

    fn range(least: i16, most: i16) -> ThresholdRange {
        let all = ThresholdRange::of_empty(20);
        all.with(least - 1, Outcome::Loss).unwrap().with(most, Outcome::Win).unwrap()
    }

    #[test]
    fn what_is_told_narrows_what_follows_from_who_wins() {
        let start = Position::start("4x4".parse().unwrap()).unwrap();
        let mut finding = Finding::of_moves(start.board(), start.indexed_moves());
        finding.tell_value(Outcome::Loss, &Basis::Bounds).unwrap();
        let mut margins = Margins::of_finding(&finding, 8);
        assert_eq!(margins.position().to_string(), "loses by 0 to 8");
        let (first, before) = margins.moves()[0];
        assert_eq!(before.to_string(), "loses by 0 to 6");
        margins.tell_move(first, range(2, 3), &Basis::Proof).unwrap();
        assert_eq!(margins.of_move(first), Some(range(2, 3)));
        assert_eq!(margins.position().to_string(), "loses by 0 to 2");
        assert!(margins.best().is_empty() && !margins.is_complete());
        assert_eq!(margins.basis(), Some(Basis::Proof));
        assert!(margins.tell_move(first, range(4, 5), &Basis::Bounds).is_err());
        margins.tell(Threshold::new(1).into(), &Basis::Bounds).unwrap();
        // It rests on both.
        assert_eq!(margins.basis(), Some(Basis::Proof));
        assert!(margins.tell(Threshold::new(2).into(), &Basis::Proof).is_err());
        let second = margins.moves()[1].0;
        margins.tell_move(second, Threshold::new(1).into(), &Basis::Proof).unwrap();
        assert_eq!(margins.best(), [second]);
    }

    #[test]
    fn a_move_that_is_worth_more_than_the_position_is_refused_in_either_order() {
        let start = Position::start("4x4".parse().unwrap()).unwrap();
        let unknown =
            Margins::of_finding(&Finding::of_moves(start.board(), start.indexed_moves()), 8);
        let (first, loses_by_0) = (unknown.moves()[0].0, Threshold::new(1).into());
        let wins_by_2 = Threshold::new(-2).into();
        let mut position_first = unknown.clone();
        position_first.tell(loses_by_0, &Basis::Bounds).unwrap();
        let refused = position_first.tell_move(first, wins_by_2, &Basis::Proof).unwrap_err();
        let said = refused.to_string();
        assert!(said.contains("by the bounds") && said.contains("by proof"), "{said}");
        let mut move_first = unknown;
        move_first.tell_move(first, wins_by_2, &Basis::Proof).unwrap();
        assert!(move_first.tell(loses_by_0, &Basis::Bounds).is_err());
    }

    #[test]
    fn bounds_tell_the_margins_of_decided_positions() {
        // White has three moves left, Black one, and nothing is contested.
        let knowledge = Knowledge::default();
        for (fen, margin) in [("Q3*q1 w", "wins by 1"), ("Q3*q1 b", "loses by 2")] {
            let position: Position = fen.parse().unwrap();
            let margins = knowledge.margins(&position).unwrap();
            assert_eq!(margins.position().to_string(), margin);
            assert!(margins.is_complete(), "{margins:?}");
        }
    }
}
