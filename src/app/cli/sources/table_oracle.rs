//! Tables that a search may ask.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::{blame::blame, open};
use crate::app::cli::context::failure::with_advice;
use crate::app::cli::context::{Context, Failure};
use crate::game::Outcome;
use crate::game::rules::Position;
use crate::search::Oracle;
use crate::tables::format::TableError;
use crate::tables::value_source::{Known, ValueSource};

/// A table that the search may ask. A file that turns out to be damaged stops being asked, and is
/// remembered.
#[derive(Debug)]
pub(in crate::app::cli) struct TableOracle {
    source: ValueSource,
    damage: OnceLock<String>,
}

impl TableOracle {
    /// Opens a table or an opening table.
    pub(in crate::app::cli) fn open(path: &Path, context: &Context) -> Result<Self, Failure> {
        Ok(Self { source: open::source(path, context)?, damage: OnceLock::new() })
    }

    /// Why the table is not about a position, if it is not.
    pub(in crate::app::cli) fn other_game(&self, position: &Position) -> Option<TableError> {
        match self.source.look_up(position) {
            Err(error @ TableError::OtherGame { .. }) => Some(error),
            _ => None,
        }
    }

    /// The answer of the table alone; if it does not have to answer, `None` where it does not know
    /// the values of all moves.
    ///
    /// # Errors
    /// If it has to answer and is not about the position, or a file of it cannot be read.
    pub(in crate::app::cli) fn answer(
        &self,
        position: &Position,
        must: bool,
    ) -> Result<Option<Known>, Failure> {
        let known = if must {
            self.source.look_up(position).map(Some)
        } else {
            self.source.known(position)
        };
        Ok(blame(known)?.filter(|known| must || matches!(known, Known::All(_))))
    }

    /// What the search found damaged.
    ///
    /// # Errors
    /// If it did: its answer does not rest on the damaged file, but the user has to know.
    pub(in crate::app::cli) fn check(&self) -> Result<(), Failure> {
        self.damage.get().map_or(Ok(()), |damage| Err(Failure::failed(damage.clone())))
    }
}

impl Oracle for TableOracle {
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if self.damage.get().is_some() {
            return None;
        }
        self.source.outcome(position).unwrap_or_else(|error| {
            self.damage.get_or_init(|| with_advice(&error));
            None
        })
    }
}

/// Several tables as one: the first that knows a position answers.
#[derive(Debug)]
pub(in crate::app::cli) struct TableOracles(Vec<TableOracle>);

impl TableOracles {
    /// Opens some tables or opening tables.
    pub(in crate::app::cli) fn open(paths: &[PathBuf], context: &Context) -> Result<Self, Failure> {
        let tables = paths.iter().map(|path| TableOracle::open(path, context));
        tables.collect::<Result<_, _>>().map(Self)
    }

    pub(in crate::app::cli) fn iter(&self) -> impl Iterator<Item = &TableOracle> {
        self.0.iter()
    }
}

impl Oracle for TableOracles {
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.0.iter().find_map(|table| table.outcome(position))
    }
}
