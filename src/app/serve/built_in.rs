//! The table that is always there: 4x4 with four amazons a side, 1.5 MB, solved anew in a tenth of
//! a second when the server starts.
//!
//! Solving it is cheaper than keeping it in the program: nothing to ship, nothing that could be of
//! another version than the solver. Where the system allows it the files are deleted as soon as
//! they are mapped, so that nothing is left behind however the server ends, and nothing that cleans
//! temporary directories can take them away.

use std::sync::Arc;

use tempfile::TempDir;

use crate::game::rules::Amazons;
use crate::machine::progress::StopFlag;
use crate::tables::build::{BuildError, BuildOptions, build};
use crate::tables::format::{Table, TableError};

/// Memory that the solver may use: more than the 116 MB it asks for at least, of which it takes a
/// tenth.
const MEMORY: u64 = 256 << 20;

/// Its board and amazons.
pub(super) const NAME: &str = "4x4 4v4";

/// A table and the directory it needs, if it still needs one.
#[derive(Debug)]
pub(super) struct BuiltIn {
    pub(super) table: Arc<Table>,
    _directory: Option<TempDir>,
}

/// Why there is no built-in table.
#[derive(Debug, thiserror::Error)]
pub(super) enum BuiltInError {
    #[error("no temporary directory: {0}")]
    Directory(#[from] std::io::Error),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Board(#[from] crate::game::board::BoardError),
}

/// Solves 4x4.
pub(super) fn solve(stop: &StopFlag) -> Result<BuiltIn, BuiltInError> {
    let directory = TempDir::with_prefix("amazons-serve-")?;
    let board = crate::game::board::Board::new(4, 4)?;
    let amazons = Amazons { white: 4, black: 4 };
    let manifest = build(directory.path(), board, amazons, &BuildOptions::new(MEMORY), &(), stop)?;
    let table = Table::open(directory.path())?;
    for shape in manifest.tiers.iter().filter_map(|tier| manifest.shape(tier)) {
        table.reader(&shape)?;
    }
    // A mapped file stays readable without its name, except on Windows, which refuses to delete it.
    let directory = if cfg!(unix) { directory.close().map(|()| None)? } else { Some(directory) };
    Ok(BuiltIn { table: Arc::new(table), _directory: directory })
}
