//! A table's directory: where its manifest is read and written, and which files are the table's.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::journal::replace;
use super::lock::DirectoryLock;
use super::manifest::{MARGINS, MOST_BYTES};
use super::names::TIER;
use super::{Keep, Manifest, ManifestError, TableError};
use crate::machine::files;
use crate::tables::index::TierShape;

impl Manifest {
    /// Reads the manifest of a directory.
    ///
    /// # Errors
    /// [`TableError::Manifest`] if there is none or it is damaged.
    pub fn load(directory: &Path) -> Result<Self, TableError> {
        Self::load_layer(directory, 0)
    }

    /// Reads the manifest of a layer of margins, or with 0 that of the directory.
    ///
    /// # Errors
    /// [`TableError::Manifest`] or [`TableError::Layer`] if there is none or it is damaged.
    pub fn load_layer(directory: &Path, layer: i8) -> Result<Self, TableError> {
        let path = Self::layer_path(directory, layer);
        Self::read(&path, layer).map_err(|why| match layer {
            0 => TableError::Manifest { path: directory.into(), source: why },
            layer => TableError::Layer { path, layer, why },
        })
    }

    /// The manifests of the layers of margins of a table, in order: those with planes 1 and -1
    /// first. There are none of an ordinary table.
    ///
    /// # Errors
    /// [`TableError::Layer`] if one is damaged, or missing though a later one is there.
    pub fn load_layers(&self, directory: &Path) -> Result<Vec<Self>, TableError> {
        let mut layers = Vec::new();
        let empty = self.subject.fullest().unwrap_or(0) as i8;
        let last = (1..=empty).rfind(|&layer| Self::layer_path(directory, layer).exists());
        for layer in 1..=last.unwrap_or(0) {
            let read = Self::load_layer(directory, layer)?.of_this_table(self.subject);
            let path = Self::layer_path(directory, layer);
            layers.push(read.map_err(|why| TableError::Layer { path, layer, why })?);
        }
        Ok(layers)
    }

    /// Reads the manifest of a layer.
    fn read(path: &Path, layer: i8) -> Result<Self, ManifestError> {
        let mut bytes = Vec::new();
        files::open_regular(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
        Self::parse(&bytes)?.of_this_layer(layer)
    }

    /// Replaces the manifest of a directory, atomically.
    ///
    /// # Errors
    /// [`TableError`] if it cannot be written.
    pub fn save(&self, directory: &Path) -> Result<(), TableError> {
        let bytes = self.to_bytes();
        let bytes =
            bytes.map_err(|source| TableError::Manifest { path: directory.into(), source })?;
        replace(&Self::layer_path(directory, self.layer), &bytes)
    }

    /// Whether a file of this name, in the directory of the manifest, is the table's: the manifest,
    /// those of layers, the lock, a tier or what is being made of it, and the opening table if no
    /// tiers are kept.
    pub fn has_file(&self, name: &OsStr) -> bool {
        let is = |path: PathBuf| path.file_name() == Some(name);
        let of_tier = |name: &str| {
            let ending = name.strip_prefix(TIER)?.split_once('.')?.1;
            Some(ending.starts_with("amz") || ending.starts_with("journal"))
        };
        let directory = Path::new("");
        let of_layer = |name: &str| name.starts_with(MARGINS) && name.ends_with(".json");
        is(Self::path(directory))
            || name.to_str().is_some_and(of_layer)
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
