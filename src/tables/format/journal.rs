//! How far an unfinished tier file has come: the part of it that is safely on disk.
//!
//! A small JSON file beside the unfinished one, replaced atomically after the tier's bytes were
//! synced. So after a kill at any moment it describes bytes that are there; what was written later
//! is cut off. It has a checksum, as the manifest has, and is removed only after the manifest names
//! the tier.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::TableError;
use crate::machine::files;

/// The version of the journal; the first had no number and no checksum.
const VERSION: u32 = 2;

/// More than any journal has.
const MOST_BYTES: u64 = 1 << 12;

/// The state of an unfinished tier file at its last checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Journal {
    /// Frames on disk.
    pub(super) frames: u64,
    /// Their bytes.
    pub(super) data_bytes: u64,
    /// Wins in them.
    pub(super) wins: u64,
    /// XXH3 of their index entries.
    pub(super) index_sum: u64,
}

/// A journal as it stands in the file.
#[derive(Serialize, Deserialize)]
struct Text {
    format: u32,
    frames: u64,
    data_bytes: u64,
    wins: u64,
    index_sum: u64,
    checksum: String,
}

/// The field by which versions are told apart.
#[derive(Deserialize)]
struct Version {
    format: Option<u32>,
}

impl Journal {
    pub(super) fn save(&self, path: &Path) -> Result<(), TableError> {
        replace(path, &self.to_bytes().map_err(TableError::io("write", path))?)
    }

    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let &Self { frames, data_bytes, wins, index_sum } = self;
        let checksum = String::new();
        let mut text = Text { format: VERSION, frames, data_bytes, wins, index_sum, checksum };
        text.checksum = blake3::hash(&serde_json::to_vec(&text)?).to_hex().to_string();
        Ok(serde_json::to_vec(&text)?)
    }

    /// The journal; `None` if there is none, or it is not as it was written.
    ///
    /// # Errors
    /// [`TableError::OtherJournal`] if it is of another version, [`TableError::Io`] if it cannot be
    /// read.
    pub(super) fn load(path: &Path) -> Result<Option<Self>, TableError> {
        let bytes = match files::read_at_most(path, MOST_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(TableError::io("read", path))?,
        };
        match serde_json::from_slice(&bytes) {
            Ok(Version { format: Some(VERSION) }) => Ok(Self::parse(&bytes)),
            Ok(Version { .. }) => Err(TableError::OtherJournal { path: path.into() }),
            Err(_) => Ok(None),
        }
    }

    /// The journal of these bytes, if writing it anew gives them again.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let Text { frames, data_bytes, wins, index_sum, .. } =
            serde_json::from_slice(bytes).ok()?;
        let journal = Self { frames, data_bytes, wins, index_sum };
        (journal.to_bytes().ok()? == bytes).then_some(journal)
    }
}

/// Replaces a file of a table.
pub(super) fn replace(path: &Path, content: &[u8]) -> Result<(), TableError> {
    files::replace(path, content).map_err(TableError::io("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_or_missing_byte_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        assert_eq!(Journal::load(&path).unwrap(), None);
        let journal = Journal { frames: 3, data_bytes: 1234, wins: 56789, index_sum: u64::MAX };
        journal.save(&path).unwrap();
        assert_eq!(Journal::load(&path).unwrap(), Some(journal));
        let bytes = std::fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            for flip in [1, 2, 4, 8, 0x10, 0x20, 0x80] {
                let mut changed = bytes.clone();
                changed[at] ^= flip;
                std::fs::write(&path, changed).unwrap();
                // A changed version is refused, everything else is no journal.
                assert!(!matches!(Journal::load(&path), Ok(Some(_))), "byte {at} by {flip:#x}");
            }
            std::fs::write(&path, &bytes[..at]).unwrap();
            assert_eq!(Journal::load(&path).unwrap(), None, "cut to {at}");
        }
    }

    #[test]
    fn journals_of_other_versions_are_refused_and_stay() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let first = r#"{"frames":3,"data_bytes":1234,"wins":56789,"index_sum":7}"#;
        for text in [first, &first.replace('{', r#"{"format":3,"#)] {
            std::fs::write(&path, text).unwrap();
            let error = Journal::load(&path).unwrap_err();
            assert!(matches!(error, TableError::OtherJournal { .. }), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
