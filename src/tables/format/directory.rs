//! A table's directory: where its manifest is read and written, and which files are the table's.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::journal::replace;
use super::lock::DirectoryLock;
use super::manifest::MOST_BYTES;
use super::names::TIER;
use super::{Keep, Manifest, TableError};
use crate::machine::files;
use crate::tables::index::TierShape;

impl Manifest {
    /// Reads the manifest of a directory.
    ///
    /// # Errors
    /// [`TableError::Manifest`] if there is none or it is damaged.
    pub fn load(directory: &Path) -> Result<Self, TableError> {
        let path = Self::path(directory);
        let parse = || {
            let mut bytes = Vec::new();
            files::open_regular(&path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
            Self::parse(&bytes)
        };
        parse().map_err(|source| TableError::Manifest { path: directory.into(), source })
    }

    /// Replaces the manifest of a directory, atomically.
    ///
    /// # Errors
    /// [`TableError`] if it cannot be written.
    pub fn save(&self, directory: &Path) -> Result<(), TableError> {
        let bytes = self.to_bytes();
        let bytes =
            bytes.map_err(|source| TableError::Manifest { path: directory.into(), source })?;
        replace(&Self::path(directory), &bytes)
    }

    /// Whether a file of this name, in the directory of the manifest, is the table's: the manifest,
    /// the lock, a tier or what is being made of it, and the opening table if no tiers are kept.
    pub fn has_file(&self, name: &OsStr) -> bool {
        let is = |path: PathBuf| path.file_name() == Some(name);
        let of_tier = |name: &str| {
            let ending = name.strip_prefix(TIER)?.split_once('.')?.1;
            Some(ending.starts_with("amz") || ending.starts_with("journal"))
        };
        let directory = Path::new("");
        is(Self::path(directory))
            || name == DirectoryLock::NAME
            || name.to_str().and_then(of_tier) == Some(true)
            || (self.keep == Keep::None && is(Self::opening_path(directory)))
    }

    /// How many bytes the file of a tier has; `None` if there is none.
    ///
    /// # Errors
    /// [`TableError::Io`] if something else has its name, such as a directory, or the system
    /// refuses.
    pub fn tier_bytes(directory: &Path, shape: &TierShape) -> Result<Option<u64>, TableError> {
        let path = Self::tier_path(directory, shape);
        files::length(&path).map_err(TableError::io("read", &path))
    }
}
