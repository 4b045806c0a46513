//! What a table says of a position with colours and of each of its moves.
//!
//! A table of 4x5 also answers 5x4: the two are one board, seen from two sides. Such a position is
//! turned on the way in and its moves on the way out.

use super::{Table, TableError};
use crate::game::board::{Bitboard, Board};
use crate::game::rules::{Bitboards, IndexedMove, Position, Rules};
use crate::game::{Move, Outcome};

/// The value of a position and of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What the side to move reaches.
    pub outcome: Outcome,
    /// Every legal move, and what its maker reaches by it; in the order of [`Rules::moves`].
    pub moves: Vec<(IndexedMove, Outcome)>,
}

impl Table {
    /// Whether the table is about this position: board, either way round, and amazons.
    pub fn answers(&self, position: &Position) -> bool {
        self.turned(position).is_some_and(|position| self.covers(&position))
    }

    /// The value of a position and of each of its moves.
    ///
    /// # Errors
    /// [`TableError::OtherGame`] if the table is about another board or other amazons, and those of
    /// [`Table::value`].
    pub fn answer(&self, coloured: &Position) -> Result<Answer, TableError> {
        let (Some(position), Some(turned)) = (coloured.bitboards::<u64>(), self.turned(coloured))
        else {
            return Err(self.other_board(coloured));
        };
        let outcome = self.value_of(&turned)?;
        let board = coloured.board();
        let rules = Rules::<u64>::new(board).map_err(|_| self.other_board(coloured))?;
        let value = |played: IndexedMove| -> Result<(IndexedMove, Outcome), TableError> {
            let child = self.lay(board, &rules.play_unchecked(&position, played));
            Ok((played, !self.value_of(&child)?))
        };
        let moves = rules.moves(&position).into_iter().map(value).collect::<Result<_, _>>()?;
        Ok(Answer { outcome, moves })
    }

    /// What the side to move reaches.
    ///
    /// # Errors
    /// [`TableError::OtherGame`] if the table is about another board or other amazons,
    /// [`TableError::NotStored`] if neither the position's tier nor the next one is stored,
    /// [`TableError::Damaged`] if a file is damaged.
    pub fn value(&self, position: &Position) -> Result<Outcome, TableError> {
        self.value_of(&self.turned(position).ok_or_else(|| self.other_board(position))?)
    }

    /// Every legal move in increasing order, and what its maker reaches by it.
    ///
    /// # Errors
    /// As [`Self::answer`].
    pub fn moves(&self, position: &Position) -> Result<Vec<(Move, Outcome)>, TableError> {
        let outcomes = self.answer(position)?.moves.into_iter().map(|(_, outcome)| outcome);
        Ok(position.moves().zip(outcomes).collect())
    }

    /// As [`Self::value`]; `None` if the table holds another board or other amazons, or neither the
    /// position's tier nor the next.
    ///
    /// # Errors
    /// [`TableError::Damaged`] or [`TableError::Io`] if a file cannot be read.
    pub fn known(&self, position: &Position) -> Result<Option<Outcome>, TableError> {
        let Some(turned) = self.turned(position).filter(|turned| self.covers(turned)) else {
            return Ok(None);
        };
        match self.value_of(&turned) {
            Err(TableError::NotStored { .. }) => Ok(None),
            value => value.map(Some),
        }
    }

    /// The position as it lies on the table's board; `None` if that is another one.
    fn turned(&self, coloured: &Position) -> Option<Bitboards<u64>> {
        let board = coloured.board();
        let same = board == self.board() || board.transposed() == self.board();
        coloured.bitboards().filter(|_| same).map(|position| self.lay(board, &position))
    }

    /// The position as it lies on the table's board: files and ranks exchanged if `board` is not
    /// that one.
    pub(crate) fn lay(&self, board: Board, position: &Bitboards<u64>) -> Bitboards<u64> {
        if board == self.board() {
            return *position;
        }
        let set = |set: Bitboard<u64>| board.transpose(set);
        Bitboards {
            mover: set(position.mover),
            opponent: set(position.opponent),
            arrows: set(position.arrows),
        }
    }

    fn other_board(&self, position: &Position) -> TableError {
        let manifest = self.manifest();
        TableError::OtherGame {
            path: self.directory().to_path_buf(),
            holds: format!("{} {}", manifest.board, manifest.amazons),
            wanted: format!("on {}", position.board()),
        }
    }
}
