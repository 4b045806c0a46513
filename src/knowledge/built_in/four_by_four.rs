//! The table of 4x4 with four amazons a side, 1.5 MB: it is solved anew in a tenth of a second when
//! it is needed.
//!
//! Solving it is cheaper than keeping it in the program: nothing to ship, nothing that could be of
//! another version than the solver. Where the system allows it the files are deleted as soon as
//! they are open, so that nothing is left behind however the program ends, and nothing that cleans
//! temporary directories can take them away.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use rayon::ThreadPoolBuilder;
use tempfile::TempDir;

use crate::game::board::{Board, BoardError};
use crate::game::rules::{Amazons, Position};
use crate::knowledge::error::SourceError;
use crate::knowledge::finding::Finding;
use crate::knowledge::info::SourceInfo;
use crate::knowledge::source::Source;
use crate::knowledge::tables::TableSource;
use crate::machine::progress::StopFlag;
use crate::tables::format::{Table, TableError};
use crate::tables::index::TableRules;
use crate::tables::retrograde::{BuildError, BuildOptions, build};
use crate::tables::value_source::ValueSource;

/// Amazons of both sides.
const AMAZONS: Amazons = Amazons { white: 4, black: 4 };
/// Memory that the solver may use: more than it asks for at least on [`THREADS`] threads, of which
/// it takes a tenth.
const MEMORY: u64 = 256 << 20;
/// It is a tenth of a second of work, and the memory that it asks for grows with the threads.
const THREADS: usize = 8;

/// The table, solved when it is first asked.
#[derive(Debug, Default)]
pub struct FourByFour(OnceLock<Solved>);

/// The table and the directory it needs, if it still needs one.
#[derive(Debug)]
struct Solved {
    table: TableSource,
    _directory: Option<TempDir>,
}

/// Why there is no such table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FourByFourError {
    /// There is no place for its files.
    #[error("no temporary directory: {0}")]
    Directory(#[from] std::io::Error),
    /// It cannot be solved.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// It cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There are no threads for it.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// There is no such board; there is.
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl FourByFour {
    /// The table of this process, which may be solved already.
    pub fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<FourByFour>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let table = Arc::default();
            *shared = Arc::downgrade(&table);
            table
        })
    }

    /// Solves the board, unless that is done.
    ///
    /// # Errors
    /// If there is no place for its files, or `stop` is set.
    pub fn solve(&self, stop: &StopFlag) -> Result<(), FourByFourError> {
        self.solved(stop).map(|_| ())
    }

    fn solved(&self, stop: &StopFlag) -> Result<&Solved, FourByFourError> {
        if let Some(solved) = self.0.get() {
            return Ok(solved);
        }
        // Two that solve it at one time find the same.
        let solved = Solved::new(stop)?;
        Ok(self.0.get_or_init(|| solved))
    }
}

impl Solved {
    fn new(stop: &StopFlag) -> Result<Self, FourByFourError> {
        let directory = TempDir::with_prefix("amazons-4x4-")?;
        let options = BuildOptions::new(MEMORY);
        let board = board()?;
        let solve = || build(directory.path(), board, AMAZONS, &options, &(), stop);
        let manifest = match rayon::current_num_threads() {
            ..=THREADS => solve()?,
            _ => ThreadPoolBuilder::new().num_threads(THREADS).build()?.install(solve)?,
        };
        let table = Table::open(directory.path())?.without_maps();
        for shape in manifest.tiers.iter().filter_map(|tier| manifest.shape(tier)) {
            table.stored().reader(&shape)?;
        }
        // An open file stays readable without its name, except on Windows, which refuses to delete
        // it.
        let directory =
            if cfg!(unix) { directory.close().map(|()| None)? } else { Some(directory) };
        let table = TableSource::built_in(Arc::new(ValueSource::Table(table)), 0);
        Ok(Self { table, _directory: directory })
    }
}

/// The board.
fn board() -> Result<Board, BoardError> {
    Board::new(4, 4)
}

impl Source for FourByFour {
    fn tell(&self, position: &Position, finding: &mut Finding) -> Result<(), SourceError> {
        let is_of_board = board().is_ok_and(|board| board == position.board());
        if !is_of_board || position.sides() != AMAZONS {
            return Ok(());
        }
        // Where there is no place or memory for it, it knows nothing: a search finds the same.
        let Ok(solved) = self.solved(&StopFlag::new()) else { return Ok(()) };
        solved.table.tell(position, finding)
    }

    fn starts(&self, rules: TableRules) -> Vec<Position> {
        self.0.get().map_or_else(Vec::new, |solved| solved.table.starts(rules))
    }

    fn table(&self, board: Board) -> Option<Arc<ValueSource>> {
        self.0.get().and_then(|solved| solved.table.table(board))
    }

    fn info(&self) -> Option<SourceInfo> {
        self.0.get().and_then(|solved| solved.table.info())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_ask_at_one_time_share_the_table() {
        let (one, other) = (FourByFour::shared(), FourByFour::shared());
        assert!(Arc::ptr_eq(&one, &other));
        one.solve(&StopFlag::new()).unwrap();
        assert!(other.info().is_some());
        let start = Position::start(board().unwrap()).unwrap();
        let mut finding = Finding::of_moves(start.board(), start.indexed_moves());
        other.tell(&start, &mut finding).unwrap();
        assert!(finding.is_complete());
    }

    #[test]
    fn a_machine_of_many_cores_has_the_table_too() {
        let pool = ThreadPoolBuilder::new().num_threads(64).build().unwrap();
        pool.install(|| FourByFour::default().solve(&StopFlag::new())).unwrap();
    }
}
