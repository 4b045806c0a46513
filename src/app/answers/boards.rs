//! The boards whose start positions are solved: what a visitor can open and be told the truth about.

use serde::Serialize;

use super::answer::{AnswerSource, Value, report};
use super::bounds::Bounds;
use super::tables::Tables;

/// A start position that a table knows.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SolvedBoard {
    board: String,
    amazons: String,
    /// FEN.
    position: String,
    value: Value,
    winner: Option<String>,
    /// Moves that win.
    wins: usize,
    /// Moves that there are.
    moves: usize,
    source: Option<AnswerSource>,
}

/// The start positions that tables know with all their moves, the smallest board first. One whose
/// table is missing or damaged is left out.
pub(crate) fn solved_boards(tables: &dyn Tables, bounds: &Bounds) -> Vec<SolvedBoard> {
    let reports =
        tables.starts().into_iter().filter_map(|start| report(tables, bounds, &start).ok());
    let known = reports.filter(|report| report.wins + report.losses == report.moves.len());
    let solved = known.filter(|report| report.value != Value::Unknown);
    solved
        .map(|report| SolvedBoard {
            moves: report.moves.len(),
            board: report.board,
            amazons: report.amazons,
            position: report.position,
            value: report.value,
            winner: report.winner,
            wins: report.wins,
            source: report.source,
        })
        .collect()
}
