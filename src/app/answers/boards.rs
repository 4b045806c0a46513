//! The boards whose start positions are solved: what a visitor can open and be told the truth
//! about.

use serde::Serialize;

use super::answer::report;
use crate::app::value::Value;
use crate::game::AnyPosition;
use crate::game::variants::{RuleSet, VariantPosition};
use crate::knowledge::{Basis, Knowledge};
use crate::tables::index::TableRules;

/// A start position whose value is known.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SolvedBoard {
    board: String,
    amazons: String,
    /// FEN.
    position: String,
    value: Value,
    winner: Option<String>,
    /// Moves that are known to win.
    wins: usize,
    /// Moves that are known to lose.
    losses: usize,
    /// Moves that there are.
    moves: usize,
    source: Option<Basis>,
}

/// The start positions by some rules, or those of Amazons, whose value is known, the smallest board
/// first. One whose table is missing or damaged is left out.
pub(crate) fn solved_boards(knowledge: &Knowledge, rules: Option<RuleSet>) -> Vec<SolvedBoard> {
    // By rules without tables no board is solved.
    let of_tables = TableRules::of(rules.unwrap_or(RuleSet::AMAZONS));
    let starts = of_tables.map_or_else(|_| Vec::new(), |rules| knowledge.starts(rules));
    let start = |start| match rules {
        None => AnyPosition::Amazons(start),
        Some(rules) => AnyPosition::Variant(VariantPosition::new(rules, start)),
    };
    let reports =
        starts.into_iter().filter_map(|position| report(knowledge, &start(position)).ok());
    let solved = reports.filter(|report| report.value != Value::Unknown);
    solved
        .map(|report| SolvedBoard {
            moves: report.moves.len(),
            board: report.board,
            amazons: report.amazons,
            position: report.position,
            value: report.value,
            winner: report.winner,
            wins: report.wins,
            losses: report.losses,
            source: report.source,
        })
        .collect()
}
