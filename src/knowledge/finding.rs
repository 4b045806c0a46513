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
    board: Board,
    value: Option<Outcome>,
    /// What the value rests on.
    basis: Option<Basis>,
    moves: Vec<(M, Option<Outcome>)>,
    /// What is known of the moves that win rests on.
    of_wins: Option<Basis>,
    /// What is known of the moves that lose rests on.
    of_losses: Option<Basis>,
}

impl Finding {
    /// The moves by name, as [`Self::moves`] has them.
    ///
    /// # Panics
    /// If it was made of moves that are none of its board.
    pub fn named_moves(&self) -> Vec<(Move, Option<Outcome>)> {
        let named = |played| Move::of(self.board, played).expect("a move of the board");
        self.moves.iter().map(|&(played, value)| (named(played), value)).collect()
    }
}

impl<M: Copy + Ord> Finding<M> {
    /// Nothing is known yet of a position of a board with these moves.
    pub fn of_moves(board: Board, mut moves: Vec<M>) -> Self {
        moves.sort_unstable();
        let moves = moves.into_iter().map(|played| (played, None)).collect();
        Self { board, value: None, basis: None, moves, of_wins: None, of_losses: None }
    }

    /// What the side to move reaches, if that is known.
    pub fn value(&self) -> Option<Outcome> {
        self.value
    }

    /// What the value rests on: the first source that knew it, and all that knew of moves where it
    /// follows from these alone. `None` where it is not known.
    pub fn basis(&self) -> Option<&Basis> {
        self.basis.as_ref()
    }

    /// What the value and all that is known of moves that win rest on.
    pub fn basis_of_wins(&self) -> Option<Basis> {
        Basis::joined(self.basis.as_ref(), self.of_wins.as_ref())
    }

    /// What the value and all that is known of moves rest on.
    pub fn basis_of_all(&self) -> Option<Basis> {
        Basis::joined(self.basis_of_wins().as_ref(), self.of_losses.as_ref())
    }

    /// What is known of the moves of this value rests on.
    pub fn basis_of(&self, value: Outcome) -> Option<&Basis> {
        match value {
            Outcome::Win => self.of_wins.as_ref(),
            Outcome::Loss => self.of_losses.as_ref(),
        }
    }

    /// Every move in increasing order, and what its maker reaches by it, if that is known.
    pub fn moves(&self) -> &[(M, Option<Outcome>)] {
        &self.moves
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
                let of_all = self.of_losses.clone().unwrap_or_else(|| basis.clone());
                self.tell_value(Outcome::Loss, &of_all)
            }
            Outcome::Loss => Ok(()),
        }
    }

    /// A move and its image have one value, which rests on what all moves of that value rest on;
    /// nothing is told if that of the move is not known.
    ///
    /// # Errors
    /// As [`Self::tell_move`].
    pub fn tell_image(&mut self, played: M, image: M) -> Result<(), SourceError> {
        let at = self.moves.binary_search_by_key(&played, |&(played, _)| played);
        let value = at.ok().and_then(|at| self.moves[at].1);
        let known = value.and_then(|value| Some((value, self.basis_of(value)?.clone())));
        known.map_or(Ok(()), |(value, basis)| self.tell_move(image, value, &basis))
    }

    fn tell(&mut self, at: usize, value: Outcome, basis: &Basis) -> Result<(), SourceError> {
        match self.moves[at].1 {
            None => {
                self.moves[at].1 = Some(value);
                let of_value = match value {
                    Outcome::Win => &mut self.of_wins,
                    Outcome::Loss => &mut self.of_losses,
                };
                if of_value.as_ref() != Some(basis) {
                    *of_value = Basis::joined(of_value.as_ref(), Some(basis));
                }
                Ok(())
            }
            Some(before) if before == value => Ok(()),
            Some(_) => Err(self.contradiction(basis)),
        }
    }

    fn contradiction(&self, basis: &Basis) -> SourceError {
        let before = self.basis_of_all().unwrap_or(Basis::Rules);
        SourceError::Contradiction { before, now: basis.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: Outcome = Outcome::Win;
    const LOSS: Outcome = Outcome::Loss;

    fn board() -> Board {
        Board::new(4, 4).unwrap()
    }

    fn table() -> Basis {
        Basis::Table { name: "4x4 4v4".into() }
    }

    #[test]
    fn a_winning_move_wins_and_losing_moves_alone_lose() {
        let mut finding = Finding::of_moves(board(), vec![3, 1, 2]);
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
    fn no_basis_is_dropped_and_none_is_named_for_what_it_did_not_tell() {
        let certificate = Basis::Certificate { name: "4x4.proof".into() };
        let both = Basis::proof_given([&table(), &certificate].iter().flat_map(|it| it.sources()));
        // A loss that follows from the moves rests on all of them.
        let mut lost = Finding::of_moves(board(), vec![1, 2, 3]);
        lost.tell_move(1, LOSS, &table()).unwrap();
        lost.tell_move(2, LOSS, &certificate).unwrap();
        assert_eq!((lost.basis(), lost.basis_of_all()), (None, Some(both.clone())));
        lost.tell_move(3, LOSS, &Basis::Bounds).unwrap();
        assert_eq!((lost.value(), lost.basis()), (Some(LOSS), Some(&both)));
        // What the game goes on with is told of the position after it.
        let mut continued = Finding::of_moves(board(), vec![1, 2]);
        continued.tell_move(1, LOSS, &Basis::Bounds).unwrap();
        continued.tell_move(2, LOSS, &Basis::Continuation).unwrap();
        assert_eq!(continued.basis(), Some(&Basis::Continuation));
        // A win rests on what knew it, its winning moves on what knew these.
        let mut won = Finding::of_moves(board(), vec![1, 2, 3]);
        won.tell_move(2, WIN, &certificate).unwrap();
        won.tell_move(1, LOSS, &table()).unwrap();
        assert_eq!(
            (won.basis(), won.basis_of_wins()),
            (Some(&certificate), Some(certificate.clone()))
        );
        assert_eq!(won.basis_of_all().unwrap().sources().len(), 2);
        won.tell_move(3, WIN, &table()).unwrap();
        assert_eq!(won.basis(), Some(&certificate));
        assert_eq!(won.basis_of_wins().unwrap().sources().len(), 2);
    }

    #[test]
    fn a_lost_position_has_losing_moves_only() {
        let mut finding = Finding::of_moves(board(), vec![1, 2]);
        finding.tell_value(LOSS, &Basis::Bounds).unwrap();
        assert_eq!(finding.of_value(Some(LOSS)).count(), 2);
        // What adds nothing names nothing.
        finding.tell_value(LOSS, &table()).unwrap();
        assert_eq!(finding.basis(), Some(&Basis::Bounds));
        let mut over = Finding::<u8>::of_moves(board(), Vec::new());
        over.tell_value(LOSS, &Basis::Rules).unwrap();
        assert!(over.is_complete());
    }

    #[test]
    fn sources_that_contradict_each_other_are_refused() {
        let mut finding = Finding::of_moves(board(), vec![1, 2]);
        finding.tell_move(1, WIN, &table()).unwrap();
        let refused = finding.tell_move(1, LOSS, &Basis::Proof).unwrap_err().to_string();
        assert!(refused.contains("by the table of 4x4 4v4") && refused.contains("by proof"));
        assert!(finding.tell_value(LOSS, &Basis::Proof).is_err());
        assert!(finding.tell_move(7, WIN, &table()).is_err(), "no such move");
        let mut lost = Finding::of_moves(board(), vec![1, 2]);
        lost.tell_value(LOSS, &table()).unwrap();
        assert!(lost.tell_move(2, WIN, &Basis::Proof).is_err());
    }
}
