//! Which kind of file a file is: what its first bytes say. A command that takes files of one kind
//! says with it what it was given in place of one.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use serde::Serialize;

use crate::app::cli::context::Failure;
use crate::app::cli::context::failure::as_word;
use crate::machine::files;
use crate::machine::shown::Shown as _;
use crate::proof;
use crate::search::{CHECKPOINT_MAGIC, digest};
use crate::tables::format::TIER_MAGIC;
use crate::tables::opening;

/// A kind of file that this program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::app::cli) enum FileKind {
    Tier,
    Opening,
    Certificate,
    Digest,
    Checkpoint,
}

/// What a command expects that takes a table.
pub(in crate::app::cli) const TABLE: &str = "the directory of a table";

/// Bytes that tell the kind.
const MAGIC_BYTES: usize = 8;

/// The first bytes of each kind.
const MAGICS: [(&[u8; MAGIC_BYTES], FileKind); 5] = [
    (&TIER_MAGIC, FileKind::Tier),
    (opening::MAGIC, FileKind::Opening),
    (proof::MAGIC, FileKind::Certificate),
    (digest::MAGIC, FileKind::Digest),
    (CHECKPOINT_MAGIC, FileKind::Checkpoint),
];

impl FileKind {
    /// The kind of a file, `None` if it begins as none of them does.
    ///
    /// # Errors
    /// If it is no file, or cannot be read.
    pub(in crate::app::cli) fn of(path: &Path) -> io::Result<Option<Self>> {
        let mut begins = Vec::with_capacity(MAGIC_BYTES);
        files::open_regular(path)?.take(MAGIC_BYTES as u64).read_to_end(&mut begins)?;
        let is = |(magic, _): &&(&[u8; MAGIC_BYTES], Self)| begins == magic[..];
        Ok(MAGICS.iter().find(is).map(|&(_, kind)| kind))
    }

    /// Whether a path leads to a file of this kind.
    pub(in crate::app::cli) fn is_of(self, path: &Path) -> bool {
        Self::of(path).is_ok_and(|found| found == Some(self))
    }

    /// Refuses a file of another kind. What begins as no kind does, or cannot be read, is left to
    /// whoever reads files of this kind, who says more of it.
    ///
    /// # Errors
    /// [`Self::instead_of`] this kind.
    pub(in crate::app::cli) fn expect(self, path: &Path) -> Result<(), Failure> {
        match Self::of(path) {
            Ok(Some(found)) if found != self => Err(found.instead_of(path, self)),
            _ => Ok(()),
        }
    }

    /// That a file is of this kind where something else was expected, and which command takes it.
    pub(in crate::app::cli) fn instead_of(
        self,
        path: &Path,
        expected: impl fmt::Display,
    ) -> Failure {
        let (path, word) = (path.shown(), as_word(path));
        let advice = match self {
            Self::Opening | Self::Certificate => format!("; `amazons verify {word}` checks it"),
            Self::Digest | Self::Checkpoint => {
                format!("; `amazons info {word}` says what it holds")
            }
            Self::Tier => String::new(),
        };
        Failure::failed(format!("{path} is {self}, expected {expected}{advice}"))
    }
}

/// Whether there is something at a path.
///
/// # Errors
/// If that cannot be found out: links that lead to each other, directories that may not be read.
pub(in crate::app::cli) fn is_there(path: &Path) -> Result<bool, Failure> {
    path.try_exists()
        .map_err(|error| Failure::failed(format!("cannot read {}: {error}", path.shown())))
}

/// Refuses a path at which there is nothing.
///
/// # Errors
/// If there is nothing, or as [`is_there`].
pub(in crate::app::cli) fn expect_there(path: &Path) -> Result<(), Failure> {
    match is_there(path)? {
        true => Ok(()),
        false => Err(Failure::failed(format!("{} does not exist", path.shown()))),
    }
}

/// Refuses a file, a pipe or a device where a directory is expected.
///
/// # Errors
/// If there is one, with its kind.
pub(in crate::app::cli) fn expect_directory(path: &Path, expected: &str) -> Result<(), Failure> {
    if path.is_dir() || !is_there(path)? {
        return Ok(());
    }
    Err(match FileKind::of(path) {
        Ok(Some(found)) => found.instead_of(path, expected),
        _ => {
            let path = path.shown();
            Failure::failed(format!("cannot read {path}: expected {expected}, found none"))
        }
    })
}

/// As in `is a digest`.
impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tier => "a tier of a table",
            Self::Opening => "an opening table",
            Self::Certificate => "a certificate",
            Self::Digest => "a digest",
            Self::Checkpoint => "a checkpoint",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_the_kind() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let kind = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            FileKind::of(&path).unwrap()
        };
        for (magic, expected) in MAGICS {
            assert_eq!(kind(magic), Some(expected));
            assert_eq!(kind(&[&magic[..], b"more"].concat()), Some(expected));
            assert_eq!(kind(&magic[..7]), None, "{expected}");
        }
        assert_eq!(kind(b""), None);
        assert_eq!(kind(b"board,winner,"), None);
        assert!(FileKind::of(directory.path()).is_err());
        assert!(FileKind::of(&directory.path().join("none")).is_err());
    }
}
