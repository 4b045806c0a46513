//! Where the values of positions are looked up: a table, or an opening table.

use std::path::{Path, PathBuf};

use super::format::{Answer, Table, TableError, TableMargin, if_stored};
use super::opening::Opening;
use crate::game::Outcome;
use crate::game::notation::fen;
use crate::game::rules::{IndexedMove, Position};
use crate::game::variants::{SingleMove, VariantPosition};
use crate::machine::progress::StopFlag;

/// A table or an opening table. One answers as the other does; a table knows every position of its
/// board and amazons, an opening table those that its first moves lead to.
#[derive(Debug)]
pub enum ValueSource {
    /// A table.
    Table(Table),
    /// An opening table, and its file.
    Opening(Opening, PathBuf),
}

/// What is known of a position: its value alone at the last ply of an opening table, and in the last
/// tier of a table that keeps the first ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableAnswer {
    /// The value of the position and of each of its moves.
    All(Answer),
    /// What the side to move reaches.
    Outcome(Outcome),
}

/// By how much a position is won, as a table of margins tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableMargins {
    /// The margin of the side to move.
    pub position: TableMargin,
    /// Every move in increasing order, and what it is worth to its maker.
    pub moves: Vec<(IndexedMove, TableMargin)>,
}

/// What is known of a position by other rules than those of Amazons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantAnswer {
    /// What the side to move reaches.
    pub outcome: Outcome,
    /// Every move in increasing order, and what its maker reaches by it; `None` in the last tier of
    /// a table that keeps the first ones.
    pub moves: Option<Vec<(SingleMove, Outcome)>>,
}

impl TableAnswer {
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
    pub fn known(&self, position: &Position) -> Result<Option<TableAnswer>, TableError> {
        if_known(self.look_up(position))
    }

    /// As [`Self::known`] by other rules, which opening tables are not about.
    ///
    /// # Errors
    /// As [`Self::known`].
    pub fn known_by_other_rules(
        &self,
        position: &VariantPosition,
    ) -> Result<Option<VariantAnswer>, TableError> {
        let Self::Table(table) = self else { return Ok(None) };
        let answer = || {
            let outcome = table.variant_value(position)?;
            Ok(VariantAnswer { outcome, moves: if_stored(table.variant_moves(position))? })
        };
        if_known(answer())
    }

    /// What the side to move reaches by other rules, `None` where [`Self::known_by_other_rules`]
    /// is.
    ///
    /// # Errors
    /// As [`Self::known`].
    pub fn outcome_by_other_rules(
        &self,
        position: &VariantPosition,
    ) -> Result<Option<Outcome>, TableError> {
        match self {
            Self::Table(table) => if_known(table.variant_value(position)),
            Self::Opening(..) => Ok(None),
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
        self.values_until(positions, &StopFlag::new()).unwrap_or_default()
    }

    /// As [`Self::values`]; `None` if somebody asked to stop meanwhile.
    pub fn values_until(
        &self,
        positions: &[Position],
        stop: &StopFlag,
    ) -> Option<Vec<Result<Outcome, TableError>>> {
        let one = |position| (!stop.is_set()).then(|| self.value(position));
        match self {
            Self::Table(table) => table.values_until(positions, stop),
            Self::Opening(..) => positions.iter().map(one).collect(),
        }
    }

    /// By how much a position is won or lost, and what each move is worth to its maker; `None`
    /// where [`Self::known`] is, and of what is no table of margins.
    ///
    /// # Errors
    /// As [`Self::known`].
    pub fn known_margins(&self, position: &Position) -> Result<Option<TableMargins>, TableError> {
        let found = || match (self.margin(position)?, self.move_margins(position)?) {
            (Some(position), Some(moves)) => Ok(Some(TableMargins { position, moves })),
            _ => Ok(None),
        };
        if_known(found()).map(Option::flatten)
    }

    /// By how much a position is won or lost that the source is expected to know, as far as it
    /// tells that; `None` if it is no table of margins.
    ///
    /// # Errors
    /// As [`Table::margin`].
    pub fn margin(&self, position: &Position) -> Result<Option<TableMargin>, TableError> {
        match self {
            Self::Table(table) => table.margin(position),
            Self::Opening(..) => Ok(None),
        }
    }

    /// By how much each position is won or lost, as [`Self::margin`] says of one, in the same
    /// order.
    pub fn margins(&self, positions: &[Position]) -> Vec<Result<Option<TableMargin>, TableError>> {
        match self {
            Self::Table(table) => table.margins(positions),
            Self::Opening(..) => positions.iter().map(|_| Ok(None)).collect(),
        }
    }

    /// The same of its moves, each for its maker ([`Table::move_margins`]).
    ///
    /// # Errors
    /// As [`Table::margin`].
    pub fn move_margins(
        &self,
        position: &Position,
    ) -> Result<Option<Vec<(IndexedMove, TableMargin)>>, TableError> {
        match self {
            Self::Table(table) => table.move_margins(position),
            Self::Opening(..) => Ok(None),
        }
    }

    /// What is known of a position that the source is expected to know.
    ///
    /// # Errors
    /// [`TableError::OtherGame`] if it is about other positions, and those of [`Table::answer`].
    pub fn look_up(&self, position: &Position) -> Result<TableAnswer, TableError> {
        match self {
            Self::Table(table) => match if_stored(table.answer(position))? {
                Some(answer) => Ok(TableAnswer::All(answer)),
                None => table.value(position).map(TableAnswer::Outcome),
            },
            Self::Opening(opening, path) => {
                let answer = opening.answer(position).ok().flatten();
                let answer = answer.ok_or_else(|| beyond(opening, path, position))?;
                let outcome = answer.outcome;
                let all = |moves| TableAnswer::All(Answer { outcome, moves });
                Ok(answer.moves.map_or(TableAnswer::Outcome(outcome), all))
            }
        }
    }
}

impl From<Table> for ValueSource {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

/// What was found, `None` if the table is not about it.
fn if_known<T>(found: Result<T, TableError>) -> Result<Option<T>, TableError> {
    match found {
        Ok(known) => Ok(Some(known)),
        Err(
            TableError::OtherGame { .. } | TableError::Location(_) | TableError::NotStored { .. },
        ) => Ok(None),
        Err(error) => Err(error),
    }
}

fn beyond(opening: &Opening, path: &Path, position: &Position) -> TableError {
    let (plies, start) = (opening.plies().len() - 1, fen(opening.start()));
    TableError::OtherGame {
        path: path.into(),
        holds: match plies {
            1 => format!("what one move from {start} leads to"),
            plies => format!("what at most {plies} moves from {start} lead to"),
        },
        wanted: fen(position),
    }
}
