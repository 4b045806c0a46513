//! Tables that a search may ask.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::failure::told;
use super::{Failure, OrFail};
use crate::game::Outcome;
use crate::game::rules::Position;
use crate::search::Oracle;
use crate::tables::format::{Answer, Table, TableError};

/// A table that the search may ask. A file that turns out to be damaged stops being asked, and is
/// remembered.
#[derive(Debug)]
pub(super) struct TableOracle {
    table: Table,
    damage: OnceLock<String>,
}

impl TableOracle {
    /// Opens the table of a directory.
    pub(super) fn open(directory: &Path) -> Result<Self, Failure> {
        Ok(Self { table: Table::open(directory).or_failed()?, damage: OnceLock::new() })
    }

    /// The answer of the table alone; `None` if it is about other positions and does not have to
    /// answer.
    pub(super) fn answer(
        &self,
        position: &Position,
        must: bool,
    ) -> Result<Option<Answer>, Failure> {
        match self.table.answer(position) {
            Ok(answer) => Ok(Some(answer)),
            Err(
                TableError::OtherGame { .. }
                | TableError::Location(_)
                | TableError::NotStored { .. },
            ) if !must => Ok(None),
            Err(error @ (TableError::OtherGame { .. } | TableError::Location(_))) => {
                Err(error).or_usage()
            }
            Err(error) => Err(error).or_failed(),
        }
    }

    /// What the search found damaged.
    ///
    /// # Errors
    /// If it did: its answer does not rest on the damaged file, but the user has to know.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.damage.get().map_or(Ok(()), |damage| Err(Failure::failed(damage.clone())))
    }
}

impl Oracle for TableOracle {
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if self.damage.get().is_some() {
            return None;
        }
        self.table.known(position).unwrap_or_else(|error| {
            self.damage.get_or_init(|| told(&error));
            None
        })
    }
}

/// Several tables as one: the first that knows a position answers.
#[derive(Debug)]
pub(super) struct TableOracles(Vec<TableOracle>);

impl TableOracles {
    /// Opens the tables of some directories.
    pub(super) fn open(directories: &[PathBuf]) -> Result<Self, Failure> {
        let tables = directories.iter().map(|directory| TableOracle::open(directory));
        tables.collect::<Result<_, _>>().map(Self)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &TableOracle> {
        self.0.iter()
    }
}

impl Oracle for TableOracles {
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.0.iter().find_map(|table| table.outcome(position))
    }
}
