//! The tables that are served, and whether they are still there.
//!
//! A table's files are mapped, so a deleted table could be answered from for as long as nobody
//! looks, and a truncated one would end the process. Therefore every answer begins by comparing the
//! files it needs with what the manifest says (a few system calls): a table that vanished is an
//! error, and one that came back or was replaced is opened anew. What remains is a file that is
//! truncated within the microseconds between that look and the reading.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use serde::Serialize;

use super::ServeError;
use super::built_in::{self, BuiltIn};
use super::error::ApiError;
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::{Amazons, Position};
use crate::machine::progress::{Observer, StopFlag};
use crate::search::Oracle;
use crate::tables::format::{Answer, Manifest, Table, TableError};

/// What tells users of the server's troubles.
pub(super) type Log = Arc<dyn Observer + Send + Sync>;

/// All tables, in the order in which they are asked.
#[derive(Debug)]
pub(super) struct ServedTables {
    tables: Vec<ServedTable>,
}

/// One of them.
struct ServedTable {
    name: String,
    board: Board,
    amazons: Amazons,
    at: Place,
    log: Log,
    /// Whether the log has been told that the table is gone.
    told: AtomicBool,
}

enum Place {
    /// In a directory, which may change.
    Directory { path: PathBuf, opened: RwLock<Opened> },
    /// Held by the process itself.
    Here(BuiltIn),
}

/// A table and the manifest file it was opened with; no stamp when the table is known to be gone.
struct Opened {
    table: Arc<Table>,
    stamp: Option<Stamp>,
}

/// What tells one version of a file from the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

/// What `/api/v1/tables` tells of a table.
#[derive(Clone, Debug, Serialize)]
pub struct TableInfo {
    /// Board and amazons, the name by which answers refer to it.
    pub name: String,
    /// The board.
    pub board: String,
    /// The amazons.
    pub amazons: String,
    /// Positions, every placement counted.
    pub positions: u64,
    /// Bytes of its files.
    pub bytes: u64,
    /// Whether it is the one that the server solved itself.
    pub built_in: bool,
    /// Whether its files are there.
    pub available: bool,
}

impl ServedTables {
    /// Opens the tables of some directories, and puts the built-in one behind them if none is about
    /// its game.
    pub(super) fn open(
        directories: &[PathBuf],
        log: &Log,
        stop: &StopFlag,
    ) -> Result<Self, ServeError> {
        let mut tables: Vec<ServedTable> = Vec::new();
        for path in directories {
            let table = ServedTable::open(path, log)?;
            if tables.iter().any(|other| other.name == table.name) {
                log.line(&format!(
                    "{}: {} is served already, by an earlier table",
                    path.display(),
                    table.name
                ));
            }
            tables.push(table);
        }
        if !tables.iter().any(|other| other.name == built_in::NAME) {
            match built_in::solve(stop) {
                Ok(built) => tables.push(ServedTable::here(built, log)),
                Err(error) => {
                    log.line(&format!("the built-in table of 4x4 cannot be made: {error}"))
                }
            }
        }
        Ok(Self { tables })
    }

    /// The answer to a position and the name of the table it is from; `None` if no table is about
    /// it.
    pub(super) fn answer(&self, position: &Position) -> Result<Option<(Answer, &str)>, ApiError> {
        for served in &self.tables {
            if !served.is_about(position) {
                continue;
            }
            let table = served.table()?;
            served.check_tiers(&table, position.setup().arrows.len())?;
            served.is_there();
            match table.answer(position) {
                Ok(answer) => return Ok(Some((answer, &served.name))),
                Err(
                    TableError::OtherGame { .. }
                    | TableError::NotStored { .. }
                    | TableError::Location(_),
                ) => {}
                Err(error) => return Err(served.gone(&error.to_string())),
            }
        }
        Ok(None)
    }

    /// How many tables there are.
    pub(super) fn len(&self) -> usize {
        self.tables.len()
    }

    /// What the tables hold.
    pub(super) fn list(&self) -> Vec<TableInfo> {
        self.tables.iter().map(ServedTable::info).collect()
    }

    /// The tables that are there and hold a board, either way round, for a search.
    pub(super) fn oracle(&self, board: Board) -> ServedOracle {
        let of_board = self.tables.iter().filter(|table| table.holds(board));
        ServedOracle(of_board.filter_map(|table| table.table().ok()).collect())
    }
}

impl ServedTable {
    fn open(path: &Path, log: &Log) -> Result<Self, ServeError> {
        // The stamp is older than what is read, so that a change between the two is seen later.
        let stamp = Stamp::of(&Manifest::path(path)).ok();
        let table = Arc::new(Table::open(path)?);
        let (board, amazons) = (table.board(), table.manifest().amazons);
        let opened = RwLock::new(Opened { table, stamp });
        let at = Place::Directory { path: path.into(), opened };
        Ok(Self {
            name: format!("{board} {amazons}"),
            board,
            amazons,
            at,
            log: log.clone(),
            told: AtomicBool::new(false),
        })
    }

    fn here(built: BuiltIn, log: &Log) -> Self {
        let (board, amazons) = (built.table.board(), built.table.manifest().amazons);
        let name = format!("{board} {amazons}");
        Self {
            name,
            board,
            amazons,
            at: Place::Here(built),
            log: log.clone(),
            told: AtomicBool::new(false),
        }
    }

    /// Whether board and amazons are the table's, either way round.
    fn is_about(&self, position: &Position) -> bool {
        let setup = position.setup();
        let (white, black) = (setup.white.len(), setup.black.len());
        let sides = [(white, black), (black, white)];
        self.holds(setup.board) && sides.contains(&(self.amazons.white, self.amazons.black))
    }

    /// Whether the table is about a board, either way round.
    fn holds(&self, board: Board) -> bool {
        board == self.board || board.transposed() == self.board
    }

    /// The table as it is on disk now.
    fn table(&self) -> Result<Arc<Table>, ApiError> {
        let (path, opened) = match &self.at {
            Place::Here(built) => return Ok(built.table.clone()),
            Place::Directory { path, opened } => (path, opened),
        };
        let now = Stamp::of(&Manifest::path(path));
        let now = now
            .map_err(|error| self.gone(&format!("{}: {error}", Manifest::path(path).display())))?;
        {
            let opened = opened.read().unwrap_or_else(PoisonError::into_inner);
            if opened.stamp == Some(now) {
                return Ok(opened.table.clone());
            }
        }
        let fresh = Table::open(path).map_err(|error| self.gone(&error.to_string()))?;
        if (fresh.board(), fresh.manifest().amazons) != (self.board, self.amazons) {
            return Err(self.gone(&format!("{} holds another game now", path.display())));
        }
        let fresh = Arc::new(fresh);
        let mut opened = opened.write().unwrap_or_else(PoisonError::into_inner);
        *opened = Opened { table: fresh.clone(), stamp: Some(now) };
        Ok(fresh)
    }

    /// Compares the lengths of the files that an answer reads with the manifest: the position's
    /// tier and the two that its moves may lead to.
    fn check_tiers(&self, table: &Table, arrows: usize) -> Result<(), ApiError> {
        let Place::Directory { path, .. } = &self.at else { return Ok(()) };
        let manifest = table.manifest();
        let read = |tier: usize| (arrows..=arrows + 2).contains(&tier);
        for tier in manifest.tiers.iter().filter(|tier| tier.stored && read(tier.arrows)) {
            let Some(shape) = manifest.shape(tier) else { continue };
            let file = Manifest::tier_path(path, &shape);
            let found = fs::metadata(&file)
                .map_err(|error| self.vanished(&format!("{}: {error}", file.display())))?;
            if found.len() != tier.bytes {
                let (found, expected) = (found.len(), tier.bytes);
                return Err(self.vanished(&format!(
                    "{} has {found} bytes, expected {expected}",
                    file.display()
                )));
            }
        }
        Ok(())
    }

    /// As [`Self::gone`]; the table is opened anew when its files are back.
    fn vanished(&self, why: &str) -> ApiError {
        if let Place::Directory { opened, .. } = &self.at {
            opened.write().unwrap_or_else(PoisonError::into_inner).stamp = None;
        }
        self.gone(why)
    }

    /// Tells the user of the server what is wrong, once, and makes the error for the client.
    fn gone(&self, why: &str) -> ApiError {
        if !self.told.swap(true, Ordering::Relaxed) {
            self.log.line(&format!("the table {} cannot be read: {why}", self.name));
        }
        ApiError::table_gone(&self.name)
    }

    /// Tells the user of the server, if it was told that the table is gone.
    fn is_there(&self) {
        if self.told.load(Ordering::Relaxed) && self.told.swap(false, Ordering::Relaxed) {
            self.log.line(&format!("the table {} can be read again", self.name));
        }
    }

    fn info(&self) -> TableInfo {
        let (table, available) = match &self.at {
            Place::Here(built) => (built.table.clone(), true),
            Place::Directory { path, opened } => {
                let opened = opened.read().unwrap_or_else(PoisonError::into_inner);
                let there = Stamp::of(&Manifest::path(path)).is_ok();
                (opened.table.clone(), there)
            }
        };
        let tiers = &table.manifest().tiers;
        TableInfo {
            name: self.name.clone(),
            board: self.board.to_string(),
            amazons: self.amazons.to_string(),
            positions: tiers.iter().map(|tier| tier.positions).sum(),
            bytes: tiers.iter().filter(|tier| tier.stored).map(|tier| tier.bytes).sum(),
            built_in: matches!(self.at, Place::Here(_)),
            available,
        }
    }
}

impl std::fmt::Debug for ServedTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServedTable").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let found = fs::metadata(path)?;
        Ok(Self { bytes: found.len(), modified: found.modified().ok() })
    }
}

/// Some tables as a search asks them. A search that comes to positions with fewer amazons finds
/// them in tables with fewer amazons.
#[derive(Debug)]
pub(super) struct ServedOracle(Vec<Arc<Table>>);

impl Oracle for ServedOracle {
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.0.iter().find_map(|table| table.known(position).ok().flatten())
    }
}
