//! What is said of a position and of its moves, however it was found.

use serde::Serialize;

use crate::app::value::Value;
use crate::knowledge::Basis;

/// `/api/v1/position`.
#[derive(Clone, Debug, Serialize)]
pub struct PositionReport {
    /// FEN.
    pub position: String,
    /// The rules, if they are not those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The board.
    pub board: String,
    /// The amazons.
    pub amazons: String,
    /// `white` or `black`.
    pub side_to_move: String,
    /// What the side to move can reach.
    pub value: Value,
    /// Who wins, if that is known.
    pub winner: Option<String>,
    /// What the value rests on, if it is known.
    pub source: Option<Basis>,
    /// Whether `/api/v1/search` takes the position: it is not known completely and its board is not
    /// too large.
    pub search: bool,
    /// Moves that win.
    pub wins: usize,
    /// Moves that lose.
    pub losses: usize,
    /// All moves, best first.
    pub moves: Vec<MoveReport>,
}

/// A move, seen by its maker.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// What its maker reaches by it.
    pub value: Value,
    /// How many moves there are then: the opponent's, or in the middle of a turn its maker's.
    pub replies: u64,
    /// The position after it, if the rules are not those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}
