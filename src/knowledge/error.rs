//! Why a source of knowledge does not answer.

use super::basis::Basis;
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
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] Box<TableError>),
    /// Its files cannot be read, or are damaged.
    #[error("{0}")]
    Unreadable(String),
}
