//! What is known of a position and of each of its moves.

use super::basis::Basis;
use super::error::SourceError;
use crate::game::board::Board;
use crate::game::rules::IndexedMove;
use crate::game::{Move, Outcome};

/// What is known of a position and of each of its moves, and by what.
///
/// Sources tell it what they know, one after the other ([`Self::tell_value`],
/// [`Self::tell_move`]). One that contradicts another is an error, whichever is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<M = IndexedMove> {
    value: Option<Outcome>,
    /// What the value rests on.
    basis: Option<Basis>,
    moves: Vec<(M, Option<Outcome>)>,
    /// The last source that knew of a move what those before it did not.
    of_moves: Option<Basis>,
}

impl<M: Copy + Ord> Finding<M> {
    /// Nothing is known yet of a position with these moves.
    pub fn of_moves(mut moves: Vec<M>) -> Self {
        moves.sort_unstable();
        let moves = moves.into_iter().map(|played| (played, None)).collect();
        Self { value: None, basis: None, moves, of_moves: None }
    }

    /// What the side to move reaches, if that is known.
    pub fn value(&self) -> Option<Outcome> {
        self.value
    }

    /// What the value rests on: the first source that knew it. Where it is not known, the last one
    /// that knew of a move what those before it did not.
    pub fn basis(&self) -> Option<&Basis> {
        self.basis.as_ref().or(self.of_moves.as_ref())
    }

    /// What the value and all that is known of moves rest on.
    pub fn basis_of_all(&self) -> Option<Basis> {
        let (value, moves) = (self.basis.as_ref(), self.of_moves.as_ref());
        value.map_or_else(|| moves.cloned(), |value| Some(value.and(moves)))
    }

    /// Every move in increasing order, and what its maker reaches by it, if that is known.
    pub fn moves(&self) -> &[(M, Option<Outcome>)] {
        &self.moves
    }

    /// The moves by name, as [`Self::moves`] has them.
    ///
    /// # Panics
    /// If the finding is of another board, and a move has a square that this one lacks.
    pub fn named_moves(&self, board: Board) -> Vec<(Move, Option<Outcome>)>
    where
        M: Into<IndexedMove>,
    {
        let named = |played: M| Move::of(board, played.into()).expect("a move of the board");
        self.moves.iter().map(|&(played, value)| (named(played), value)).collect()
    }

    /// The moves of a value, or those whose value is not known, in increasing order.
    pub fn of_value(&self, value: Option<Outcome>) -> impl Iterator<Item = M> {
        self.moves.iter().filter(move |&&(_, known)| known == value).map(|&(played, _)| played)
    }

    /// Whether the value of the position and those of all its moves are known.
    pub fn is_complete(&self) -> bool {
        self.value.is_some() && self.moves.iter().all(|(_, known)| known.is_some())
    }

    /// The side to move reaches this. Where it loses, all its moves lose.
    ///
    /// # Errors
    /// If something else was told before.
    pub fn tell_value(&mut self, value: Outcome, basis: &Basis) -> Result<(), SourceError> {
        match self.value {
            None => (self.value, self.basis) = (Some(value), Some(basis.clone())),
            Some(before) if before == value => {}
            Some(_) => return Err(self.contradiction(basis)),
        }
        if value == Outcome::Loss {
            for at in 0..self.moves.len() {
                self.tell(at, value, basis)?;
            }
        }
        Ok(())
    }

    /// The maker of a move reaches this by it. A move that wins makes the position won, and where
    /// all moves lose it is lost.
    ///
    /// # Errors
    /// If something else was told before, or there is no such move.
    pub fn tell_move(
        &mut self,
        played: M,
        value: Outcome,
        basis: &Basis,
    ) -> Result<(), SourceError> {
        let at = self.moves.binary_search_by_key(&played, |&(played, _)| played);
        let at = at.map_err(|_| SourceError::NoSuchMove { basis: basis.clone() })?;
        self.tell(at, value, basis)?;
        match value {
            Outcome::Win => self.tell_value(Outcome::Win, basis),
            Outcome::Loss if self.moves.iter().all(|&(_, known)| known == Some(Outcome::Loss)) => {
                self.tell_value(Outcome::Loss, basis)
            }
            Outcome::Loss => Ok(()),
        }
    }

    fn tell(&mut self, at: usize, value: Outcome, basis: &Basis) -> Result<(), SourceError> {
        match self.moves[at].1 {
            None => {
                self.moves[at].1 = Some(value);
                if self.of_moves.as_ref() != Some(basis) {
                    self.of_moves = Some(basis.clone());
                }
                Ok(())
            }
            Some(before) if before == value => Ok(()),
            Some(_) => Err(self.contradiction(basis)),
        }
    }

    fn contradiction(&self, basis: &Basis) -> SourceError {
        let before = self.basis().cloned().unwrap_or(Basis::Rules);
        SourceError::Contradiction { before, now: basis.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: Outcome = Outcome::Win;
    const LOSS: Outcome = Outcome::Loss;

    fn table() -> Basis {
        Basis::Table { name: "4x4 4v4".into() }
    }

    #[test]
    fn a_winning_move_wins_and_losing_moves_alone_lose() {
        let mut finding = Finding::of_moves(vec![3, 1, 2]);
        assert_eq!(finding.moves(), [(1, None), (2, None), (3, None)]);
        finding.tell_move(1, LOSS, &Basis::Bounds).unwrap();
        finding.tell_move(3, LOSS, &Basis::Bounds).unwrap();
        assert_eq!((finding.value(), finding.is_complete()), (None, false));
        let mut lost = finding.clone();
        lost.tell_move(2, LOSS, &Basis::Proof).unwrap();
        assert_eq!((lost.value(), lost.basis()), (Some(LOSS), Some(&Basis::Proof)));
        finding.tell_move(2, WIN, &table()).unwrap();
        assert_eq!((finding.value(), finding.basis()), (Some(WIN), Some(&table())));
        assert!(finding.is_complete() && lost.is_complete());
        assert_eq!(finding.of_value(Some(WIN)).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn a_lost_position_has_losing_moves_only() {
        let mut finding = Finding::of_moves(vec![1, 2]);
        finding.tell_value(LOSS, &Basis::Bounds).unwrap();
        assert_eq!(finding.of_value(Some(LOSS)).count(), 2);
        // What adds nothing names nothing.
        finding.tell_value(LOSS, &table()).unwrap();
        assert_eq!(finding.basis(), Some(&Basis::Bounds));
        let mut over = Finding::<u8>::of_moves(Vec::new());
        over.tell_value(LOSS, &Basis::Rules).unwrap();
        assert!(over.is_complete());
    }

    #[test]
    fn sources_that_contradict_each_other_are_refused() {
        let mut finding = Finding::of_moves(vec![1, 2]);
        finding.tell_move(1, WIN, &table()).unwrap();
        let refused = finding.tell_move(1, LOSS, &Basis::Proof).unwrap_err().to_string();
        assert!(refused.contains("by the table of 4x4 4v4") && refused.contains("by proof"));
        assert!(finding.tell_value(LOSS, &Basis::Proof).is_err());
        assert!(finding.tell_move(7, WIN, &table()).is_err(), "no such move");
        let mut lost = Finding::of_moves(vec![1, 2]);
        lost.tell_value(LOSS, &table()).unwrap();
        assert!(lost.tell_move(2, WIN, &Basis::Proof).is_err());
    }
}
