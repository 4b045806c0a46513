//! The files that sources are read from, by what they hold.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::certificates::CertificateSource;
use super::error::{SourceError, SourceFileError};
use super::source::Source;
use super::tables::TableSource;
use crate::machine::pieces;
use crate::machine::shown::Shown as _;
use crate::proof;
use crate::tables::format::{Manifest, Table};
use crate::tables::opening::{self, Opening, OpeningError};
use crate::tables::value_source::ValueSource;

/// A table, an opening table or a certificate, by where it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceFile {
    /// The directory of a table.
    Table(PathBuf),
    /// The file of an opening table.
    Opening(PathBuf),
    /// The file of a certificate, which may be there in pieces.
    Certificate(PathBuf),
}

impl SourceFile {
    /// The sources at a path, in the order of their names: a table, a file, or the opening tables
    /// and certificates of a directory. Certificates of other games, of which there is no source,
    /// are passed over in a directory.
    ///
    /// # Errors
    /// If there are none, or the path cannot be read. What a file holds is found out when it is
    /// read.
    pub fn at(path: &Path) -> Result<Vec<Self>, SourceFileError> {
        let refused = |source| SourceFileError::Io { path: path.into(), source };
        if pieces::are_missing(path) {
            return Err(SourceFileError::Missing(path.into()));
        }
        if !path.is_dir() {
            let begins = begins(path, proof::MAGIC.len()).map_err(refused)?;
            return match &begins {
                begins if begins == proof::MAGIC => Ok(vec![Self::Certificate(path.into())]),
                begins if begins == opening::MAGIC => Ok(vec![Self::Opening(path.into())]),
                _ => Err(SourceFileError::Foreign(path.into())),
            };
        }
        if Manifest::path(path).exists() {
            return Ok(vec![Self::Table(path.into())]);
        }
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(refused)? {
            found.extend(Self::named(&entry.map_err(refused)?.path()));
        }
        found.sort();
        found.dedup();
        found.retain(|file| !file.is_of_other_game());
        match found.is_empty() {
            true => Err(SourceFileError::Empty(path.into())),
            false => Ok(found),
        }
    }

    /// Whether a file is a certificate of another game. One that cannot be read is not known to be.
    fn is_of_other_game(&self) -> bool {
        let expected = [&proof::MAGIC[..], &[proof::variants::VERSION]].concat();
        match self {
            Self::Certificate(path) => {
                begins(path, expected.len()).is_ok_and(|begins| begins == expected)
            }
            _ => false,
        }
    }

    /// The source that a file of a directory is by its name.
    fn named(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        if name.ends_with(".amz") {
            return Some(Self::Opening(path.into()));
        }
        // The pieces of a certificate are found by its own name.
        let name = name.strip_suffix(".0").unwrap_or(name);
        name.ends_with(".proof").then(|| Self::Certificate(path.with_file_name(name)))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        match self {
            Self::Table(path) | Self::Opening(path) | Self::Certificate(path) => path,
        }
    }

    /// The bytes of a certificate's file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn bytes(&self) -> Result<u64, SourceFileError> {
        let path = self.path();
        pieces::bytes(path).map_err(|source| SourceFileError::Io { path: path.into(), source })
    }

    /// The source, read from here.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is nothing that a source is.
    pub fn open(&self) -> Result<Arc<dyn Source>, SourceError> {
        let (path, shown) = (self.path(), self.path().shown());
        let refused = |error: OpeningError| SourceError::Unreadable(format!("{shown}: {error}"));
        Ok(match self {
            Self::Table(_) => {
                // A mapped file that is cut meanwhile would end the process.
                let table = Table::open_any(path).map_err(Box::new)?.without_maps();
                Arc::new(TableSource::new(Arc::new(table.into()), 0))
            }
            Self::Opening(_) => {
                let opening = Opening::open(path, u64::MAX).map_err(refused)?;
                let bytes = path.metadata().map_or(0, |file| file.len());
                let opening = ValueSource::Opening(opening, path.into());
                Arc::new(TableSource::new(Arc::new(opening), bytes))
            }
            Self::Certificate(_) => Arc::new(self.certificate()?),
        })
    }

    /// The certificate, read to its end.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is of another game.
    pub fn certificate(&self) -> Result<CertificateSource, SourceError> {
        let path = self.path();
        let shown = path.shown();
        let mut bytes = Vec::new();
        let read = pieces::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
        read.map_err(|error| SourceError::Unreadable(format!("cannot read {shown}: {error}")))?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let source = CertificateSource::new(name, bytes)
            .map_err(|error| SourceError::Unreadable(format!("{shown}: {error}")))?;
        source.checked()
    }
}

/// The first bytes of a file, as many as tell what it is.
fn begins(path: &Path, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pieces::open(path)?.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
