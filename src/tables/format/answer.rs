//! What a table says of a position with colours and of each of its moves.
//!
//! A table of 4x5 also answers 5x4: the two are one board, seen from two sides. Such a position is
//! turned on the way in and its moves on the way out.

use super::{Table, TableError};
use crate::game::board::{Bitboard, Board};
use crate::game::rules::{Bitboards, IndexedMove, Position, Rules};
use crate::game::{Move, Outcome};
use crate::tables::index::{Location, Placement};

/// The value of a position and of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What the side to move reaches.
    pub outcome: Outcome,
    /// Every legal move, and what its maker reaches by it; in the order of [`Rules::moves`].
    pub moves: Vec<(IndexedMove, Outcome)>,
}

impl Answer {
    /// The moves that win.
    pub fn winning(&self) -> impl Iterator<Item = IndexedMove> + '_ {
        self.moves.iter().filter(|(_, outcome)| outcome.is_win()).map(|&(played, _)| played)
    }
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

    /// Every position with so many burned squares, and what its side to move reaches. Of burned
    /// squares that are each other's image under a symmetry of the board only one set is listed.
    /// The positions are read as the iterator goes on: it holds none of them.
    ///
    /// # Errors
    /// [`TableError::NotStored`] if the table does not store these positions,
    /// [`TableError::Damaged`] if a file is damaged; the iterator ends with no value wrong.
    pub fn tier(
        &self,
        arrows: usize,
    ) -> Result<impl Iterator<Item = Result<(Position, Outcome), TableError>> + '_, TableError>
    {
        let manifest = self.manifest();
        let mut tiers = Vec::new();
        for record in manifest.tiers.iter().filter(|record| record.arrows == arrows) {
            let Some(shape) = manifest.shape(record) else { continue };
            let reader = self.reader(&shape)?.ok_or_else(|| self.not_stored(&shape))?;
            let sets = (0..reader.frames().sets()).filter_map(|rank| reader.set(rank));
            tiers.push(sets.flat_map(move |arrows| {
                let places = (0..shape.rows())
                    .flat_map(move |row| (0..shape.row_bits()).map(move |column| (row, column)));
                places.map(move |(row, column)| {
                    let placement = Placement { row, column };
                    self.listed(&Location { shape, arrows, placement })
                })
            }));
        }
        Ok(tiers.into_iter().flatten())
    }

    /// The position at a location of a stored tier, and its value.
    fn listed(&self, location: &Location) -> Result<(Position, Outcome), TableError> {
        let position = self.index().position(location).expect("a location of the tier");
        let turn = self.manifest().turn(&location.shape);
        let outcome = self.value_of(&position)?;
        let position = Position::new(self.board(), &position, turn);
        Ok((position.expect("every location has a legal position"), outcome))
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
    pub(super) fn turned(&self, coloured: &Position) -> Option<Bitboards<u64>> {
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
