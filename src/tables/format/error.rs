//! What can go wrong with a table directory.

use std::io;
use std::path::{Path, PathBuf};

use super::{CodecError, ManifestError, Missing, TableName, TierError};
use crate::machine::shown::Shown as _;
use crate::tables::index::{LocationError, ShapeError, TableRules, TierShape};

/// An error that names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.shown())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// A tier file is damaged, or is not the file that it should be.
    #[error("{} is damaged: {source}", path.shown())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<TierError>,
        /// The table that it belongs to.
        table: Box<TableName>,
    },
    /// There is no table, or its manifest is damaged.
    #[error("{} is no table: {source}", path.shown())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        source: ManifestError,
    },
    /// The manifest of a layer of a table of margins is missing or damaged.
    #[error("planes {layer} and -{layer} of this table cannot be read, {}: {}", path.shown(), of_layer(why))]
    Layer {
        /// The manifest.
        path: PathBuf,
        /// The layer.
        layer: i8,
        /// What is wrong with it.
        why: ManifestError,
    },
    /// Another process writes the directory.
    #[error("{} is being written by another process (its lock is held)", path.shown())]
    Locked {
        /// The directory.
        path: PathBuf,
    },
    /// A tier that another version of this program began.
    #[error(
        "{} is of another version of this program: finish the tier with that one, or delete the file to begin the tier anew",
        path.shown()
    )]
    OtherJournal {
        /// The journal.
        path: PathBuf,
    },
    /// A position that the table is not about.
    #[error("{} holds {holds}, the position is {wanted}", name(path))]
    OtherGame {
        /// The directory.
        path: PathBuf,
        /// Board and amazons of the table.
        holds: String,
        /// Board and amazons of the position.
        wanted: String,
    },
    /// A table by other rules than were expected.
    #[error("{} is a table of {found}, expected one of {expected}", name(path))]
    OtherRules {
        /// The directory.
        path: PathBuf,
        /// Its rules.
        found: TableRules,
        /// The rules that were expected.
        expected: TableRules,
    },
    /// Neither the position's tier nor the next is stored.
    #[error("{} does not hold {shape}, nor the tier after it", name(path))]
    NotStored {
        /// The directory.
        path: PathBuf,
        /// The tier that was wanted.
        shape: TierShape,
        /// The table.
        table: Box<TableName>,
    },
    /// The directory keeps no positions.
    #[error(
        "{} keeps counts and hashes alone: {}a table that keeps all tiers or the odd ones, built into another directory, has all positions",
        path.shown(),
        first_moves(opening.as_deref())
    )]
    KeepsNone {
        /// The directory.
        path: PathBuf,
        /// Its opening table, if the game has a start.
        opening: Option<PathBuf>,
    },
    /// Tiers are missing, or the directory keeps none and its opening table is not there yet.
    #[error("{} is unfinished: {missing}", name(path))]
    Unfinished {
        /// The directory.
        path: PathBuf,
        /// What is missing.
        missing: Missing,
        /// The table.
        table: Box<TableName>,
    },
    /// The table may not hold as much memory as it needs.
    #[error("{} needs {needed} bytes of memory, {allowed} are left for it", name(path))]
    Memory {
        /// The directory.
        path: PathBuf,
        /// Bytes needed.
        needed: u64,
        /// Bytes that it may use.
        allowed: u64,
    },
    /// A position that no table can hold.
    #[error(transparent)]
    Location(#[from] LocationError),
    /// A tier that cannot exist.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A frame could not be encoded.
    #[error(transparent)]
    Codec(#[from] CodecError),
}

impl TableError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.into(), source }
    }

    /// That the file of a tier cannot be used: it is damaged, unless the system refused to read it.
    pub(crate) fn damaged(path: &Path, shape: &TierShape, source: TierError) -> Self {
        let source = match source {
            TierError::Read(source) if source.kind() != io::ErrorKind::UnexpectedEof => {
                return Self::io("read", path)(source);
            }
            source => source,
        };
        let table = Box::new(TableName::with_tier(path.parent().unwrap_or(Path::new(".")), shape));
        Self::Damaged { path: path.into(), source: Box::new(source), table }
    }
}

/// What is wrong with the manifest of a layer. It is told in the words of the layer's error, and is
/// no cause of it besides: its own words speak of manifest.json.
fn of_layer(error: &ManifestError) -> String {
    let words = error.to_string();
    let words = words.strip_prefix("cannot read manifest.json: ").unwrap_or(&words);
    words.strip_prefix("manifest.json is damaged: ").unwrap_or(words).to_string()
}

/// The name of a table. One that was read from bytes has none; whoever has it says which it is.
fn name(path: &Path) -> String {
    if path.as_os_str().is_empty() { "it".to_string() } else { path.shown().to_string() }
}

/// Where the first moves of a table are that keeps no tiers, as the beginning of a sentence.
fn first_moves(opening: Option<&Path>) -> String {
    let found = |path: &Path| format!("its first moves are in {}, and ", path.shown());
    opening.map_or(String::new(), found)
}

/// What was found, `None` if it takes a tier that is not stored.
pub fn if_stored<T>(found: Result<T, TableError>) -> Result<Option<T>, TableError> {
    match found {
        Err(TableError::NotStored { .. }) => Ok(None),
        other => other.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_without_a_name_is_it() {
        let (found, expected) = (TableRules::Cowboys, TableRules::Amazons);
        let of = |path: &str| TableError::OtherRules { path: path.into(), found, expected };
        assert_eq!(of("").to_string(), "it is a table of cowboys, expected one of amazons");
        assert!(of("t").to_string().starts_with("t is a table of cowboys"));
    }

    #[test]
    fn what_the_system_does_not_read_is_not_called_damaged() {
        let shape = TierShape::new("4x4".parse().unwrap(), 3, 4, 2).unwrap();
        let of = |kind: io::ErrorKind| {
            TableError::damaged(Path::new("t/tier"), &shape, TierError::Read(kind.into()))
                .to_string()
        };
        assert!(of(io::ErrorKind::PermissionDenied).starts_with("cannot read t/tier: "));
        // A file that ends too early is shorter than it was.
        assert!(of(io::ErrorKind::UnexpectedEof).starts_with("t/tier is damaged: "));
    }
}
