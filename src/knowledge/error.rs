//! Why a source of knowledge does not answer.

use std::io;
use std::path::PathBuf;

use super::basis::Basis;
use crate::machine::shown::Shown as _;
use crate::tables::format::TableError;

/// Why a source does not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// Two sources say different things: one of them is wrong.
    #[error("two values of one position: {before} it is one, {now} the other")]
    Contradiction {
        /// The one that was asked first.
        before: Basis,
        /// The one that contradicts it.
        now: Basis,
    },
    /// A source says something of a move that the position has not.
    #[error("{basis} there is a move that the rules forbid")]
    NoSuchMove {
        /// The source.
        basis: Basis,
    },
    /// Sources contradict each other about by how much a position is won.
    #[error("two margins of one position: {before} it is one, {now} another")]
    Margins {
        /// The one that narrowed it last.
        before: Basis,
        /// The one that contradicts it.
        now: Basis,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] Box<TableError>),
    /// There is no source at a path.
    #[error(transparent)]
    File(#[from] SourceFileError),
    /// Its files cannot be read, or are damaged.
    #[error("{0}")]
    Unreadable(String),
}

/// Why there is no source at a path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceFileError {
    /// There is nothing.
    #[error("{} does not exist", .0.shown())]
    Missing(PathBuf),
    /// A directory holds nothing that a source is; certificates of other games are none.
    #[error(
        "{} holds neither a table (manifest.json), nor opening tables (*.amz), nor certificates \
         of Amazons (*.proof)",
        .0.shown()
    )]
    Empty(PathBuf),
    /// A file that begins as none of them does.
    #[error(
        "{}: expected the directory of a table, an opening table or a certificate, found a file \
         with other first bytes",
        .0.shown()
    )]
    Foreign(PathBuf),
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.shown())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}
