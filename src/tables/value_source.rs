//! Where the values of positions are looked up: a table, or an opening table.

use std::path::{Path, PathBuf};

use super::format::{Answer, Table, TableError};
use super::opening::Opening;
use crate::game::Outcome;
use crate::game::notation::fen;
use crate::game::rules::Position;

/// A table or an opening table. One answers as the other does; a table knows every position of its
/// board and amazons, an opening table those that its first moves lead to.
#[derive(Debug)]
pub enum ValueSource {
    /// A table.
    Table(Table),
    /// An opening table, and its file.
    Opening(Opening, PathBuf),
}

/// What is known of a position: at the last ply of an opening table its value alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// The value of the position and of each of its moves.
    All(Answer),
    /// What the side to move reaches.
    Outcome(Outcome),
}

impl Known {
    /// What the side to move reaches.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::All(answer) => answer.outcome,
            Self::Outcome(outcome) => *outcome,
        }
    }
}

impl ValueSource {
    /// What is known of a position; `None` if the table is about another board or other amazons,
    /// does not store the position's tier nor the next, or the opening moves do not lead there.
    ///
    /// # Errors
    /// [`TableError::Damaged`] or [`TableError::Io`] if a file of the table cannot be read.
    pub fn known(&self, position: &Position) -> Result<Option<Known>, TableError> {
        match self.look_up(position) {
            Ok(known) => Ok(Some(known)),
            Err(
                TableError::OtherGame { .. }
                | TableError::Location(_)
                | TableError::NotStored { .. },
            ) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What the side to move reaches, `None` where [`Self::known`] is.
    ///
    /// # Errors
    /// As [`Self::known`].
    pub fn outcome(&self, position: &Position) -> Result<Option<Outcome>, TableError> {
        match self {
            Self::Table(table) => table.known(position),
            Self::Opening(opening, _) => Ok(opening.value(position).ok().flatten()),
        }
    }

    /// What the side to move reaches in a position that the source is expected to know.
    ///
    /// # Errors
    /// As [`Self::look_up`].
    pub fn value(&self, position: &Position) -> Result<Outcome, TableError> {
        match self {
            Self::Table(table) => table.value(position),
            Self::Opening(opening, path) => opening
                .value(position)
                .ok()
                .flatten()
                .ok_or_else(|| beyond(opening, path, position)),
        }
    }

    /// As [`Self::value`], of many positions: of a table [`Table::values`].
    pub fn values(&self, positions: &[Position]) -> Vec<Result<Outcome, TableError>> {
        match self {
            Self::Table(table) => table.values(positions),
            Self::Opening(..) => positions.iter().map(|position| self.value(position)).collect(),
        }
    }

    /// What is known of a position that the source is expected to know.
    ///
    /// # Errors
    /// [`TableError::OtherGame`] if it is about other positions, and those of [`Table::answer`].
    pub fn look_up(&self, position: &Position) -> Result<Known, TableError> {
        match self {
            Self::Table(table) => table.answer(position).map(Known::All),
            Self::Opening(opening, path) => {
                let answer = opening.answer(position).ok().flatten();
                let answer = answer.ok_or_else(|| beyond(opening, path, position))?;
                let outcome = answer.outcome;
                let all = |moves| Known::All(Answer { outcome, moves });
                Ok(answer.moves.map_or(Known::Outcome(outcome), all))
            }
        }
    }
}

impl From<Table> for ValueSource {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

fn beyond(opening: &Opening, path: &Path, position: &Position) -> TableError {
    let (plies, start) = (opening.plies().len() - 1, fen(opening.start()));
    TableError::OtherGame {
        path: path.into(),
        holds: format!("what at most {plies} moves from {start} lead to"),
        wanted: fen(position),
    }
}
