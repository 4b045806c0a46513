//! The files of a directory that a command was given in place of files.

use std::io;
use std::path::{Path, PathBuf};

use crate::app::cli::context::Failure;
use crate::machine::files;
use crate::machine::shown::Shown as _;

/// What is in a directory, in order of name. What is still being written there is left out.
///
/// # Errors
/// If it cannot be read.
pub(in crate::app::cli) fn files_in(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let named = |error| Failure::failed(format!("cannot read {}: {error}", directory.shown()));
    let entries = directory.read_dir().map_err(named)?;
    let mut found = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<PathBuf>>>()
        .map_err(named)?;
    found.retain(|path| !files::is_unfinished(path));
    found.sort();
    Ok(found)
}
