//! What a checkpoint says of its search, read without a solver and without its entries.

use std::path::Path;

use super::format::{CheckpointError, Header, Saved};
use crate::game::board::Board;
use crate::game::rules::Bitboards;
use crate::search::monitor::history::History;

/// What a checkpoint says of its search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckpointSummary {
    /// The version of the file's format.
    pub version: u32,
    /// The board.
    pub board: Board,
    /// The position that was searched, without colours.
    pub position: Bitboards<u128>,
    /// Whether the search had taken up a digest, on which its values rest.
    pub rests_on_digest: bool,
    /// Positions that had been evaluated.
    pub nodes: u64,
    /// Entries of the table that the file has.
    pub entries: u64,
    /// How far the search was at moments of its time; empty in files of a version without it.
    pub history: History,
}

impl CheckpointSummary {
    /// Reads the file but for its entries: the header, the history and the heads of the blocks,
    /// which all are in its hash. A file of version 1 is read whole, because its hash is of all of
    /// it.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or is no checkpoint; or [`CheckpointError::Stopped`]
    /// if `is_over` says so before all of it was read.
    pub fn of(checkpoint: &Path, is_over: impl Fn() -> bool) -> Result<Self, CheckpointError> {
        Ok(Self::new(Saved::open(checkpoint, is_over)?))
    }

    /// What a checkpoint says that is open.
    pub(super) fn new(Saved { header, history, .. }: Saved) -> Self {
        let Header { version, board, rests_on_digest, position, nodes, entries, .. } = header;
        Self { version, board, position, rests_on_digest, nodes, entries, history }
    }
}

impl History {
    /// What a checkpoint tells of its search; nothing if it was written by a version of this
    /// program that kept no history.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or is no checkpoint.
    pub fn of(checkpoint: &Path) -> Result<Self, CheckpointError> {
        Ok(Saved::open(checkpoint, || false)?.history)
    }
}
