//! What there is to list of a table, an opening table or a certificate.

use serde::Serialize;

/// The kinds of files that sources are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// Every position of a board and amazons.
    Table,
    /// The first moves of a board.
    Opening,
    /// The strategy of a winner.
    Certificate,
}

/// What a source holds.
#[derive(Clone, Debug, Serialize)]
pub struct SourceInfo {
    /// The name by which answers refer to it: board and amazons of a table, and before them the
    /// rules, if they are not those of Amazons; the file of a certificate.
    pub name: String,
    /// Which kind it is.
    pub kind: SourceKind,
    /// The rules, if they are not those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Of an opening table: the moves from its start that it knows the values after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_moves: Option<usize>,
    /// The board.
    pub board: String,
    /// The amazons.
    pub amazons: String,
    /// Positions: of a table every placement counted, in an opening table all mirror images counted
    /// once; of a certificate those that are listed.
    pub positions: u64,
    /// Bytes of its files.
    pub bytes: u64,
    /// Whether the program has it without any files.
    pub built_in: bool,
    /// Whether its files are there, and what was last asked of it could be read.
    pub available: bool,
}
