//! Why the server does not start or does not go on.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use crate::knowledge::{SourceError, SourceFileError};
use crate::machine::shown::Shown as _;
use crate::tables::format::TableError;
use crate::tables::opening::OpeningError;

/// Why the server does not start or does not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address is taken or is not one of this machine.
    #[error(
        "cannot listen on {address}: {source}; give another address with --bind, port 0 takes a free one"
    )]
    Bind {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// A table cannot be opened.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A file is no opening table.
    #[error("{} {source}", path.shown())]
    Opening {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: OpeningError,
    },
    /// There is no table, opening table or certificate at a path.
    #[error(transparent)]
    File(#[from] SourceFileError),
    /// A certificate cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The system refuses threads or sockets.
    #[error("the server cannot run: {0}")]
    Io(#[from] io::Error),
}
