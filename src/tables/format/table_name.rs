//! Which table: what one has to know to build it again.

use std::path::{Path, PathBuf};

use super::Manifest;
use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::tables::index::TableRules;

/// Which table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableName {
    /// Its rules.
    pub rules: TableRules,
    /// Its board.
    pub board: Board,
    /// Its amazons.
    pub amazons: Amazons,
    /// Where it is.
    pub directory: PathBuf,
}

impl TableName {
    /// The table of a manifest in a directory.
    pub fn of(manifest: &Manifest, directory: &Path) -> Self {
        let Manifest { rules, board, amazons, .. } = *manifest;
        Self { rules, board, amazons, directory: directory.into() }
    }
}
