//! The boards whose start positions are solved: what a visitor can open and be told the truth
//! about.

use serde::Serialize;

use super::answer::report;
use super::report::{AnswerSource, Value};
use super::bounds::Bounds;
use super::tables::Tables;
use crate::game::AnyPosition;
use crate::game::variants::{RuleSet, VariantPosition};
use crate::tables::index::TableRules;

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

/// The start positions by some rules, or those of Amazons, that tables know with all their moves,
/// the smallest board first. One whose table is missing or damaged is left out.
pub(crate) fn solved_boards(
    tables: &dyn Tables,
    bounds: &Bounds,
    rules: Option<RuleSet>,
) -> Vec<SolvedBoard> {
    // By rules without tables no board is solved.
    let of_tables = TableRules::of(rules.unwrap_or(RuleSet::AMAZONS));
    let starts = of_tables.map_or_else(|_| Vec::new(), |rules| tables.starts(rules));
    let start = |start| match rules {
        None => AnyPosition::Amazons(start),
        Some(rules) => AnyPosition::Variant(VariantPosition::new(rules, start)),
    };
    let reports =
        starts.into_iter().filter_map(|position| report(tables, bounds, &start(position)).ok());
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
