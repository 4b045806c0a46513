//! The tables that are served, and whether they are still there.
//!
//! A table's files stay open, so a deleted table could be answered from for as long as nobody
//! looks. Therefore every answer begins by comparing the files it needs with what the manifest says
//! (a few system calls): a table that vanished is an error, and one that came back or was replaced
//! is opened anew. What happens to a file at any other moment, also while a search asks the table,
//! is found when it is read: it is too short, or a frame does not match the checksum that was read
//! when the file was opened.
//!
//! Opening tables are files that are read whole when the server starts. What happens to such a file
//! later changes nothing.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use super::ServeError;
use super::built_in::{self, BuiltIn};
use crate::app::answers::{
    AnswerSource, Refusal, Subject, TableInfo, Tables, best_known, in_order,
};
use crate::game::board::Board;
use crate::game::rules::Position;
use crate::game::variants::VariantPosition;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::shown::Shown as _;
use crate::tables::format::TableError;
use crate::tables::format::{Manifest, Table};
use crate::tables::index::TableRules;
use crate::tables::opening::{Opening, OpeningError};
use crate::tables::value_source::{Known, ValueSource, VariantAnswer};

/// What tells users of the server's troubles.
pub(super) type Log = Arc<dyn Observer + Send + Sync>;

/// Bytes that some tables and opening tables may hold if so many threads ask at a time.
///
/// # Errors
/// If one of them is neither.
pub fn tables_memory(paths: &[PathBuf], askers: usize) -> Result<u64, ServeError> {
    let held = |path: &PathBuf| {
        if path.is_file() {
            return Ok(read_opening(path)?.0.memory());
        }
        Ok(Table::open_any(path)?.wanted_memory(askers))
    };
    paths.iter().map(held).sum()
}

/// Reads the file of an opening table; how many bytes it has.
fn read_opening(path: &Path) -> Result<(Opening, u64), ServeError> {
    let refused = |source| ServeError::Opening { path: path.into(), source };
    let file = File::open(path).map_err(|error| refused(OpeningError::Io(error)))?;
    let bytes = file.metadata().map_err(|error| refused(OpeningError::Io(error)))?.len();
    Ok((Opening::read(file).map_err(refused)?, bytes))
}

/// All tables, in the order in which they are asked.
#[derive(Debug)]
pub(super) struct ServedTables {
    tables: Vec<ServedTable>,
}

/// One of them.
struct ServedTable {
    subject: Subject,
    at: Place,
    log: Log,
    /// Whether the log has been told that the table is gone.
    told: AtomicBool,
}

enum Place {
    /// In a directory, which may change.
    Directory {
        path: PathBuf,
        opened: RwLock<Opened>,
        /// Threads that may ask at a time.
        askers: usize,
    },
    /// Held by the process itself.
    Here(Arc<BuiltIn>),
    /// An opening table, read whole, of a file of so many bytes.
    Read { source: Arc<ValueSource>, bytes: u64, built_in: bool },
}

/// A table and the manifest file it was opened with; no stamp when the table is known to be gone.
struct Opened {
    source: Arc<ValueSource>,
    stamp: Option<Stamp>,
}

/// What tells one version of a file from the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl ServedTables {
    /// Opens tables and opening tables, and puts those that are built in behind them: 4x4 unless a
    /// table is about its game, and all the opening tables.
    pub(super) fn open(
        paths: &[PathBuf],
        askers: usize,
        log: &Log,
        stop: &StopFlag,
    ) -> Result<Self, ServeError> {
        let mut tables: Vec<ServedTable> = Vec::new();
        for path in paths {
            let table = match path.is_file() {
                true => ServedTable::read(path, log)?,
                false => ServedTable::open(path, askers, log)?,
            };
            if tables.iter().any(|other| other.is_as(&table)) {
                log.line(&format!(
                    "{}: {} is served already, by an earlier table",
                    path.shown(),
                    table.subject.0
                ));
            }
            tables.push(table);
        }
        if !tables
            .iter()
            .any(|other| other.subject.0.to_string() == built_in::NAME && !other.is_opening())
        {
            match built_in::table(stop) {
                Ok(built) => tables.push(ServedTable::here(built, log)),
                Err(error) => {
                    log.line(&format!("the built-in table of 4x4 cannot be made: {error}"))
                }
            }
        }
        for (path, file) in built_in::OPENINGS {
            let opening = Opening::read(file)
                .map_err(|source| ServeError::Opening { path: path.into(), source })?;
            tables.push(ServedTable::opening(opening, path.as_ref(), file.len() as u64, true, log));
        }
        Ok(Self { tables })
    }
}

impl Tables for ServedTables {
    fn look_up(&self, position: &Position) -> Result<Option<(Known, AnswerSource)>, Refusal> {
        let about = self.tables.iter().filter(|served| served.subject.is_of(position));
        let arrows = position.setup().arrows.len();
        best_known(about.map(|served| served.look_up(arrows, |source| source.known(position))))
    }

    fn look_up_by_other_rules(
        &self,
        position: &VariantPosition,
    ) -> Result<Option<(VariantAnswer, AnswerSource)>, Refusal> {
        let mut about = self.tables.iter().filter(|served| served.subject.is_of_variant(position));
        let arrows = position.position().setup().arrows.len();
        let known = |served: &ServedTable| {
            served.look_up(arrows, |source| source.known_by_other_rules(position))
        };
        about.find_map(|served| known(served).transpose()).transpose()
    }

    fn starts(&self, rules: TableRules) -> Vec<Position> {
        let about = self.tables.iter().filter(|served| served.subject.0.rules == rules);
        in_order(about.flat_map(ServedTable::starts))
    }

    fn sources(&self, board: Board) -> Vec<Arc<ValueSource>> {
        let of_board = self.tables.iter().filter(|table| table.subject.has(board));
        of_board.filter_map(|table| table.source().ok()).collect()
    }

    fn list(&self) -> Vec<TableInfo> {
        self.tables.iter().map(ServedTable::info).collect()
    }
}

impl ServedTable {
    fn open(path: &Path, askers: usize, log: &Log) -> Result<Self, ServeError> {
        // The stamp is older than what is read, so that a change between the two is seen later.
        let stamp = Stamp::of(&Manifest::path(path)).ok();
        let table = limited(Table::open_any(path)?.without_maps(), askers);
        let source = Arc::new(ValueSource::Table(table));
        let subject = Subject::of(&source);
        let opened = RwLock::new(Opened { source, stamp });
        Ok(Self::new(subject, Place::Directory { path: path.into(), opened, askers }, log))
    }

    fn new(subject: Subject, at: Place, log: &Log) -> Self {
        Self { subject, at, log: log.clone(), told: AtomicBool::new(false) }
    }

    fn here(built: Arc<BuiltIn>, log: &Log) -> Self {
        Self::new(Subject::of(&built.source), Place::Here(built), log)
    }

    /// An opening table from its file.
    fn read(path: &Path, log: &Log) -> Result<Self, ServeError> {
        let (opening, bytes) = read_opening(path)?;
        Ok(Self::opening(opening, path, bytes, false, log))
    }

    fn opening(opening: Opening, path: &Path, bytes: u64, built_in: bool, log: &Log) -> Self {
        let source = Arc::new(ValueSource::Opening(opening, path.into()));
        Self::new(Subject::of(&source), Place::Read { source, bytes, built_in }, log)
    }

    /// Whether it is an opening table.
    fn is_opening(&self) -> bool {
        matches!(self.at, Place::Read { .. })
    }

    /// Whether another one is about the same game and of the same kind.
    fn is_as(&self, other: &Self) -> bool {
        (self.subject.0, self.is_opening()) == (other.subject.0, other.is_opening())
    }

    /// The table as it was when it was last opened.
    fn opened(&self) -> Arc<ValueSource> {
        match &self.at {
            Place::Here(built) => built.source.clone(),
            Place::Read { source, .. } => source.clone(),
            Place::Directory { opened, .. } => {
                opened.read().unwrap_or_else(PoisonError::into_inner).source.clone()
            }
        }
    }

    /// The start positions of its game.
    fn starts(&self) -> Vec<Position> {
        self.subject.starts(&self.opened())
    }

    /// What it knows of a position of its game with so many arrows.
    fn look_up<T>(
        &self,
        arrows: usize,
        known: impl FnOnce(&ValueSource) -> Result<Option<T>, TableError>,
    ) -> Result<Option<(T, AnswerSource)>, Refusal> {
        let source = self.source()?;
        self.check_tiers(&source, arrows)?;
        self.is_there();
        let known = known(&source).map_err(|error| self.gone(&error.to_string()))?;
        Ok(known.map(|known| (known, self.subject.source_of(&source))))
    }

    /// The table as it is on disk now.
    fn source(&self) -> Result<Arc<ValueSource>, Refusal> {
        let (path, opened, askers) = match &self.at {
            Place::Here(built) => return Ok(built.source.clone()),
            Place::Read { source, .. } => return Ok(source.clone()),
            Place::Directory { path, opened, askers } => (path, opened, *askers),
        };
        let now = Stamp::of(&Manifest::path(path));
        let now =
            now.map_err(|error| self.gone(&format!("{}: {error}", Manifest::path(path).shown())))?;
        {
            let opened = opened.read().unwrap_or_else(PoisonError::into_inner);
            if opened.stamp == Some(now) {
                return Ok(opened.source.clone());
            }
        }
        let fresh = Table::open_any(path)
            .map(Table::without_maps)
            .map_err(|error| self.gone(&error.to_string()))?;
        let fresh = Arc::new(ValueSource::Table(limited(fresh, askers)));
        if Subject::of(&fresh).0 != self.subject.0 {
            return Err(self.gone(&format!("{} holds another game now", path.shown())));
        }
        let mut opened = opened.write().unwrap_or_else(PoisonError::into_inner);
        *opened = Opened { source: fresh.clone(), stamp: Some(now) };
        Ok(fresh)
    }

    /// Compares the lengths of the files that an answer reads with the manifest: the position's
    /// tier and the two that its moves may lead to.
    fn check_tiers(&self, source: &ValueSource, arrows: usize) -> Result<(), Refusal> {
        let (Place::Directory { path, .. }, ValueSource::Table(table)) = (&self.at, source) else {
            return Ok(());
        };
        let manifest = table.manifest();
        let read = |tier: usize| (arrows..=arrows + 2).contains(&tier);
        for tier in manifest.tiers.iter().filter(|tier| tier.stored && read(tier.arrows)) {
            let Some(shape) = manifest.shape(tier) else { continue };
            let file = Manifest::tier_path(path, &shape);
            let found = fs::metadata(&file)
                .map_err(|error| self.vanished(&format!("{}: {error}", file.shown())))?;
            if found.len() != tier.bytes {
                let (found, expected) = (found.len(), tier.bytes);
                return Err(self.vanished(&format!(
                    "{} has {found} bytes, expected {expected}",
                    file.shown()
                )));
            }
        }
        Ok(())
    }

    /// As [`Self::gone`]; the table is opened anew when its files are back.
    fn vanished(&self, why: &str) -> Refusal {
        if let Place::Directory { opened, .. } = &self.at {
            opened.write().unwrap_or_else(PoisonError::into_inner).stamp = None;
        }
        self.gone(why)
    }

    /// Tells the user of the server what is wrong, once, and makes the error for the client.
    fn gone(&self, why: &str) -> Refusal {
        if !self.told.swap(true, Ordering::Relaxed) {
            self.log.line(&format!("the table {} cannot be read: {why}", self.subject.0));
        }
        Refusal::no_table(format!(
            "the table {} is missing or damaged; the server's messages say more",
            self.subject.0
        ))
    }

    /// Tells the user of the server, if it was told that the table is gone.
    fn is_there(&self) {
        if self.told.load(Ordering::Relaxed) && self.told.swap(false, Ordering::Relaxed) {
            self.log.line(&format!("the table {} can be read again", self.subject.0));
        }
    }

    fn info(&self) -> TableInfo {
        let (bytes, built_in, available) = match &self.at {
            Place::Here(_) => (0, true, true),
            Place::Read { bytes, built_in, .. } => (*bytes, *built_in, true),
            // Its other files are looked at by answers only.
            Place::Directory { path, .. } => {
                let there = Stamp::of(&Manifest::path(path)).is_ok();
                (0, false, there && !self.told.load(Ordering::Relaxed))
            }
        };
        TableInfo { available, ..self.subject.info(&self.opened(), bytes, built_in) }
    }
}

/// A table that holds no more than so many threads want.
fn limited(table: Table, askers: usize) -> Table {
    let memory = table.wanted_memory(askers);
    table.with_memory(memory)
}

impl std::fmt::Debug for ServedTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServedTable").field("subject", &self.subject.0).finish_non_exhaustive()
    }
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let found = fs::metadata(path)?;
        Ok(Self { bytes: found.len(), modified: found.modified().ok() })
    }
}
