//! How far an unfinished tier file has come: the part of it that is safely on disk.
//!
//! A small JSON file beside the unfinished one, replaced atomically after the tier's bytes were
//! synced. So after a kill at any moment it describes bytes that are there; what was written later
//! is cut off.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::TableError;

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

/// Writes a file so that at any moment its name stands for the old content or for the new, whole.
pub(super) fn replace(path: &Path, content: &[u8]) -> Result<(), TableError> {
    let part = path.with_extension("new");
    let write = || {
        let mut file = File::create(&part)?;
        file.write_all(content)?;
        file.sync_all()?;
        std::fs::rename(&part, path)
    };
    write().map_err(TableError::io("write", path))?;
    sync_directory(path)
}

/// Makes a rename in the directory of `path` last.
pub(crate) fn sync_directory(path: &Path) -> Result<(), TableError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = parent.unwrap_or(Path::new("."));
    // Where directories cannot be opened (Windows), renames need no sync of theirs.
    match File::open(directory) {
        Ok(directory_file) => directory_file.sync_all().map_err(TableError::io("sync", directory)),
        Err(_) => Ok(()),
    }
}
