//! The tables that are served, and whether they are still there.
//!
//! A table's files stay open, so a deleted table could be answered from for as long as nobody
//! looks. Therefore every answer begins by comparing the files it needs with what the manifests say
//! (a few system calls): a table that vanished is an error, and one that came back or was replaced
//! is opened anew. What happens to a file at any other moment, also while a search asks the table,
//! is found when it is read: it is too short, or a frame does not match the checksum that was read
//! when the file was opened.
//!
//! Opening tables are files that are read whole when the server starts. What happens to such a file
//! later changes nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use super::ServeError;
use crate::knowledge::{
    FourByFour, HeldTable, Knowledge, Source, SourceError, SourceFile, SourceInfo, Subject,
    TableQuestion,
};
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::shown::Shown as _;
use crate::tables::format::{Manifest, Table, TableError};
use crate::tables::index::TierShape;
use crate::tables::opening::Opening;
use crate::tables::value_source::ValueSource;

/// What tells users of the server's troubles.
pub(super) type Log = Arc<dyn Observer + Send + Sync>;

/// Bytes that some tables, opening tables and certificates may hold if so many threads ask at a
/// time.
///
/// # Errors
/// If one of them is nothing of these.
pub fn tables_memory(paths: &[PathBuf], askers: usize) -> Result<u64, ServeError> {
    let held = |file: &SourceFile| match file {
        SourceFile::Table(path) => Ok(Table::open_any(path)?.wanted_memory(askers)),
        SourceFile::Opening(path) => Ok(opening(path)?.memory()),
        SourceFile::Certificate(_) => Ok(file.bytes()?),
    };
    files(paths)?.iter().map(held).sum()
}

/// Reads the file of an opening table.
fn opening(path: &Path) -> Result<Opening, ServeError> {
    let refused = |source| ServeError::Opening { path: path.into(), source };
    Opening::open(path, u64::MAX).map_err(refused)
}

/// One of them.
struct ServedTable {
    subject: Subject,
    at: Place,
    log: Log,
    /// Whether the log has been told that the table is gone.
    told: AtomicBool,
    /// The same of its planes of margins alone.
    told_of_margins: AtomicBool,
}

/// What a table is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Who wins.
    Values,
    /// By how much, from all planes.
    Margins,
}

impl Asked {
    fn of(question: TableQuestion<'_>) -> Self {
        match question {
            TableQuestion::Values(_) | TableQuestion::ValuesByOtherRules(_) => Self::Values,
            TableQuestion::Margins(_) => Self::Margins,
        }
    }
}

enum Place {
    /// In a directory, which may change.
    Directory {
        path: PathBuf,
        opened: RwLock<Opened>,
        /// Threads that may ask at a time.
        askers: usize,
    },
    /// An opening table, read whole, of a file of so many bytes.
    Read { source: Arc<ValueSource>, bytes: u64 },
}

/// A table and the manifest files it was opened with, those of its layers of margins too; no stamps
/// when the table is known to be gone.
struct Opened {
    source: Arc<ValueSource>,
    stamps: Option<Vec<Stamp>>,
}

/// What tells one version of a file from the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

/// What is known by tables, opening tables and certificates of files, in this order, and then by
/// the program itself.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn open(
    paths: &[PathBuf],
    askers: usize,
    log: &Log,
    stop: &StopFlag,
) -> Result<Knowledge, ServeError> {
    let (mut tables, mut certificates) = (Vec::<Arc<ServedTable>>::new(), Vec::new());
    for file in files(paths)? {
        let path = file.path();
        let table = match file {
            SourceFile::Table(_) => ServedTable::open(path, askers, log)?,
            SourceFile::Opening(_) => ServedTable::read(path, log)?,
            SourceFile::Certificate(_) => {
                certificates.push(Arc::new(file.certificate()?) as Arc<dyn Source>);
                continue;
            }
        };
        if tables.iter().any(|other| other.is_as(&table)) {
            log.line(&format!(
                "{}: {} is served already, by an earlier table",
                path.shown(),
                table.subject.0
            ));
        }
        tables.push(Arc::new(table));
    }
    // Solved now, so that it is listed.
    let four_by_four = FourByFour::shared();
    if let Err(error) = four_by_four.solve(stop) {
        log.line(&format!("the built-in table of 4x4 cannot be made: {error}"));
    }
    let tables = tables.into_iter().map(|table| table as Arc<dyn Source>);
    Ok(Knowledge::new(tables.chain(certificates)))
}

/// The files at some paths.
fn files(paths: &[PathBuf]) -> Result<Vec<SourceFile>, ServeError> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(SourceFile::at(path)?);
    }
    Ok(files)
}

impl HeldTable for ServedTable {
    fn subject(&self) -> Subject {
        self.subject
    }

    fn opened(&self) -> Arc<ValueSource> {
        match &self.at {
            Place::Read { source, .. } => source.clone(),
            Place::Directory { opened, .. } => {
                opened.read().unwrap_or_else(PoisonError::into_inner).source.clone()
            }
        }
    }

    fn answering(&self, question: TableQuestion<'_>) -> Result<Arc<ValueSource>, SourceError> {
        let asked = Asked::of(question);
        let there = || {
            let source = self.source()?;
            self.check_tiers(asked, &source, question.arrows())?;
            self.is_there(asked);
            Ok(source)
        };
        there().map_err(SourceError::Unreadable)
    }

    fn unreadable(&self, question: TableQuestion<'_>, error: TableError) -> SourceError {
        SourceError::Unreadable(self.gone(Asked::of(question), &error.to_string()))
    }

    fn for_searches(&self) -> Option<Arc<ValueSource>> {
        self.source().ok()
    }

    fn listed(&self) -> SourceInfo {
        let (bytes, available) = match &self.at {
            Place::Read { bytes, .. } => (*bytes, true),
            // Its other files are looked at by answers only.
            Place::Directory { path, .. } => {
                let there = Stamp::of(&Manifest::path(path)).is_ok();
                (0, there && !self.told.load(Ordering::Relaxed))
            }
        };
        SourceInfo { available, ..self.subject.info(&self.opened(), bytes, false) }
    }
}

impl ServedTable {
    fn open(path: &Path, askers: usize, log: &Log) -> Result<Self, ServeError> {
        // The stamps are older than what is read, so that a change between the two is seen later.
        let stamps = stamps(path).ok();
        let table = limited(Table::open_any(path)?.without_maps(), askers);
        let source = Arc::new(ValueSource::Table(table));
        let subject = Subject::of(&source);
        let opened = RwLock::new(Opened { source, stamps });
        Ok(Self::new(subject, Place::Directory { path: path.into(), opened, askers }, log))
    }

    fn new(subject: Subject, at: Place, log: &Log) -> Self {
        let [told, told_of_margins] = [false; 2].map(AtomicBool::new);
        Self { subject, at, log: log.clone(), told, told_of_margins }
    }

    /// An opening table from its file.
    fn read(path: &Path, log: &Log) -> Result<Self, ServeError> {
        let source = Arc::new(ValueSource::Opening(opening(path)?, path.into()));
        let bytes = path.metadata().map_or(0, |file| file.len());
        Ok(Self::new(Subject::of(&source), Place::Read { source, bytes }, log))
    }

    /// Whether it is an opening table.
    fn is_opening(&self) -> bool {
        matches!(self.at, Place::Read { .. })
    }

    /// Whether another one is about the same game and of the same kind.
    fn is_as(&self, other: &Self) -> bool {
        (self.subject.0, self.is_opening()) == (other.subject.0, other.is_opening())
    }

    /// The table as it is on disk now.
    fn source(&self) -> Result<Arc<ValueSource>, String> {
        let (path, opened, askers) = match &self.at {
            Place::Read { source, .. } => return Ok(source.clone()),
            Place::Directory { path, opened, askers } => (path, opened, *askers),
        };
        let gone = |why: &str| self.gone(Asked::Values, why);
        let now =
            stamps(path).map_err(|(file, error)| gone(&format!("{}: {error}", file.shown())))?;
        {
            let opened = opened.read().unwrap_or_else(PoisonError::into_inner);
            if opened.stamps.as_ref() == Some(&now) {
                return Ok(opened.source.clone());
            }
        }
        let fresh = Table::open_any(path)
            .map(Table::without_maps)
            .map_err(|error| gone(&error.to_string()))?;
        let fresh = Arc::new(ValueSource::Table(limited(fresh, askers)));
        if Subject::of(&fresh).0 != self.subject.0 {
            return Err(gone(&format!("{} holds another game now", path.shown())));
        }
        let mut opened = opened.write().unwrap_or_else(PoisonError::into_inner);
        *opened = Opened { source: fresh.clone(), stamps: Some(now) };
        Ok(fresh)
    }

    /// Compares the lengths of the files that an answer reads with the manifests: the position's
    /// tier and the two that its moves may lead to, for margins in all planes.
    fn check_tiers(&self, asked: Asked, source: &ValueSource, arrows: usize) -> Result<(), String> {
        let (Place::Directory { path, .. }, ValueSource::Table(table)) = (&self.at, source) else {
            return Ok(());
        };
        let stored = table.stored();
        let read = |shape: &TierShape| {
            let plane = asked == Asked::Margins || shape.plane() == 0;
            plane && (arrows..=arrows + 2).contains(&shape.arrows())
        };
        for shape in stored.stored_shapes().filter(read) {
            let Some(tier) = stored.record(&shape) else { continue };
            let file = Manifest::tier_path(path, &shape);
            let found = fs::metadata(&file)
                .map_err(|error| self.vanished(asked, &format!("{}: {error}", file.shown())))?;
            if found.len() != tier.bytes {
                let (found, expected) = (found.len(), tier.bytes);
                let why = format!("{} has {found} bytes, expected {expected}", file.shown());
                return Err(self.vanished(asked, &why));
            }
        }
        Ok(())
    }

    /// As [`Self::gone`]; the table is opened anew when its files are back.
    fn vanished(&self, asked: Asked, why: &str) -> String {
        if let Place::Directory { opened, .. } = &self.at {
            opened.write().unwrap_or_else(PoisonError::into_inner).stamps = None;
        }
        self.gone(asked, why)
    }

    /// Whether the log has been told that what is asked for is gone, and what that is.
    fn told(&self, asked: Asked) -> (&AtomicBool, String) {
        let table = self.subject.0;
        match asked {
            Asked::Values => (&self.told, format!("the table {table}")),
            Asked::Margins => (&self.told_of_margins, format!("margins of the table {table}")),
        }
    }

    /// Tells the user of the server what is wrong, once, and says what the client is told.
    fn gone(&self, asked: Asked, why: &str) -> String {
        let (told, what) = self.told(asked);
        if !told.swap(true, Ordering::Relaxed) {
            self.log.line(&format!("{what} cannot be read: {why}"));
        }
        format!(
            "the table {} is missing or damaged; the server's messages say more",
            self.subject.0
        )
    }

    /// Tells the user of the server, if it was told that this is gone.
    fn is_there(&self, asked: Asked) {
        let (told, what) = self.told(asked);
        if told.load(Ordering::Relaxed) && told.swap(false, Ordering::Relaxed) {
            self.log.line(&format!("{what} can be read again"));
        }
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

/// Those of the manifest in a directory and of the layers that are beside it, in order.
///
/// # Errors
/// The file that cannot be looked at, and why: the manifest must be there.
fn stamps(directory: &Path) -> Result<Vec<Stamp>, (PathBuf, io::Error)> {
    let mut stamps = Vec::new();
    for layer in 0..i8::MAX {
        let file = Manifest::layer_path(directory, layer);
        match Stamp::of(&file) {
            Ok(stamp) => stamps.push(stamp),
            Err(error) if layer > 0 && error.kind() == io::ErrorKind::NotFound => break,
            Err(error) => return Err((file, error)),
        }
    }
    Ok(stamps)
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let found = fs::metadata(path)?;
        Ok(Self { bytes: found.len(), modified: found.modified().ok() })
    }
}
