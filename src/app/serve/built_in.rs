//! What is always there: the table of 4x4 with four amazons a side, 1.5 MB, solved anew in a tenth
//! of a second when the server starts; and opening tables of the larger boards that are solved,
//! which are part of the program.
//!
//! Solving it is cheaper than keeping it in the program: nothing to ship, nothing that could be of
//! another version than the solver. Where the system allows it the files are deleted as soon as
//! they are open, so that nothing is left behind however the server ends, and nothing that cleans
//! temporary directories can take them away.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use tempfile::TempDir;

use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::machine::progress::StopFlag;
use crate::tables::format::{Table, TableError};
use crate::tables::retrograde::{BuildError, BuildOptions, build};
use crate::tables::value_source::ValueSource;

/// Memory that the solver may use: more than the 116 MB it asks for at least, of which it takes a
/// tenth.
const MEMORY: u64 = 256 << 20;

/// Opening tables of four amazons a side, by the file they are: three moves of 5x4, two of the
/// others, 240 kB in all. Each is the beginning of one in `results/`, or of the table of 4x5; see
/// `docs/serve.md`.
pub(super) const OPENINGS: [(&str, &[u8]); 5] = [
    ("opening-5x4.amz", include_bytes!("opening/5x4.amz")),
    ("opening-4x5.amz", include_bytes!("opening/4x5.amz")),
    ("opening-5x5.amz", include_bytes!("opening/5x5.amz")),
    ("opening-4x6.amz", include_bytes!("opening/4x6.amz")),
    ("opening-6x4.amz", include_bytes!("opening/6x4.amz")),
];

/// Board and amazons of the table.
pub(super) const NAME: &str = "4x4 4v4";

/// A table and the directory it needs, if it still needs one.
#[derive(Debug)]
pub(super) struct BuiltIn {
    pub(super) source: Arc<ValueSource>,
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

/// The table of 4x4: that of another server of this process, if one runs, else solved now.
pub(super) fn table(stop: &StopFlag) -> Result<Arc<BuiltIn>, BuiltInError> {
    static SHARED: Mutex<Weak<BuiltIn>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(built) = shared.upgrade() {
        return Ok(built);
    }
    let built = Arc::new(solve(stop)?);
    *shared = Arc::downgrade(&built);
    Ok(built)
}

/// Solves 4x4.
fn solve(stop: &StopFlag) -> Result<BuiltIn, BuiltInError> {
    let directory = TempDir::with_prefix("amazons-serve-")?;
    let board = Board::new(4, 4)?;
    let amazons = Amazons { white: 4, black: 4 };
    let manifest = build(directory.path(), board, amazons, &BuildOptions::new(MEMORY), &(), stop)?;
    let table = Table::open(directory.path())?.without_maps();
    for shape in manifest.tiers.iter().filter_map(|tier| manifest.shape(tier)) {
        table.stored().reader(&shape)?;
    }
    // An open file stays readable without its name, except on Windows, which refuses to delete it.
    let directory = if cfg!(unix) { directory.close().map(|()| None)? } else { Some(directory) };
    let source = Arc::new(ValueSource::Table(table));
    Ok(BuiltIn { source, _directory: directory })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_of_one_process_share_the_table() {
        let stop = StopFlag::new();
        let (one, other) = (table(&stop).unwrap(), table(&stop).unwrap());
        assert!(Arc::ptr_eq(&one, &other));
    }
}
