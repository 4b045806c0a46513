//! How far an unfinished tier file has come: the part of it that is safely on disk.
//!
//! A small JSON file beside the unfinished one, replaced atomically after the tier's bytes were
//! synced. So after a kill at any moment it describes bytes that are there; what was written later
//! is cut off.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::TableError;
use crate::machine::files;

/// The state of an unfinished tier file at its last checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

impl Journal {
    pub(super) fn save(&self, path: &Path) -> Result<(), TableError> {
        let text = serde_json::to_string(self)
            .map_err(|error| TableError::io("write", path)(error.into()))?;
        replace(path, text.as_bytes())
    }

    /// The journal, `None` if there is none or it cannot be read: then the tier begins anew.
    pub(super) fn load(path: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }
}

/// Replaces a file of a table.
pub(super) fn replace(path: &Path, content: &[u8]) -> Result<(), TableError> {
    files::replace(path, content).map_err(TableError::io("write", path))
}
