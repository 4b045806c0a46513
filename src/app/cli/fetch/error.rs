//! Why a file of a release is not fetched.

use std::io;
use std::path::{Path, PathBuf};

use crate::app::cli::context::Failure;
use crate::app::cli::files::sum::Sum;
use crate::machine::shown::Shown as _;

/// What is wrong with a file, its server or the place it goes to. Its words come after the name of
/// the file.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    /// The server does not answer, or not by HTTP.
    #[error("the server cannot be asked: {0}")]
    Unreachable(#[source] Box<ureq::Error>),
    /// It has no such file, or does not give it.
    #[error("the server answers with status {0}")]
    Status(u16),
    /// It has another file, or the list is another's.
    #[error("expected {expected} bytes, the server has {found}")]
    Length { expected: u64, found: String },
    /// It sends another part than was asked for.
    #[error("expected the Content-Range {expected}, found {found}")]
    Range { expected: String, found: String },
    /// What it sends is not the file as it is.
    #[error("expected the file as it is, found it sent as {0}")]
    Encoded(String),
    /// The connection ended too early.
    #[error(
        "the connection ended after {found} of {expected} bytes ({source}); the same command goes on from there"
    )]
    Cut { expected: u64, found: u64, source: io::Error },
    /// The server says nothing more.
    #[error(
        "the server was silent after {found} of {expected} bytes; the same command goes on from there"
    )]
    Silent { expected: u64, found: u64 },
    /// All was sent, and is something else.
    #[error("expected the SHA-256 {expected}, found {found}")]
    Sum { expected: Sum, found: Sum },
    /// The list of a release is far larger than any.
    #[error("expected a list of at most {0} bytes")]
    LongList(u64),
    /// What is there is a directory or a device.
    #[error("{} is there, and is no file", .0.shown())]
    NoFile(PathBuf),
    /// A link may lead out of the directory.
    #[error("{} is a link, and nothing is written through one", .0.shown())]
    Link(PathBuf),
    /// Two commands fetch the same file.
    #[error("another process fetches it")]
    Busy,
    /// The system does not take what is written.
    #[error("cannot write {}: {source}", .path.shown())]
    Writing { path: PathBuf, source: io::Error },
    /// The system does not give what is on the disk.
    #[error("{0}")]
    Reading(Failure),
    /// The user has asked for it.
    #[error("interrupted; the same command goes on from here")]
    Interrupted,
}

impl FetchError {
    /// Makes sure that a sum is the one that is expected.
    ///
    /// # Errors
    /// If it is another.
    pub(super) fn unless_same(expected: &Sum, found: Sum) -> Result<(), Self> {
        match *expected == found {
            true => Ok(()),
            false => Err(Self::Sum { expected: expected.clone(), found }),
        }
    }

    /// That `path` cannot be written.
    pub(super) fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |source| Self::Writing { path: path.into(), source }
    }

    /// Whether the other files may be fetched all the same.
    pub(super) fn is_of_one_file(&self) -> bool {
        !matches!(
            self,
            Self::Unreachable(_)
                | Self::Silent { .. }
                | Self::Writing { .. }
                | Self::Reading(_)
                | Self::Interrupted
        )
    }

    /// The failure of the command, for which the file of this name is to blame.
    pub(super) fn failure(self, name: &str) -> Failure {
        match self {
            Self::Reading(failure) => failure,
            Self::Interrupted => Failure::limit(format!("{name}: {self}")),
            _ => Failure::failed(format!("{name}: {self}")),
        }
    }
}
