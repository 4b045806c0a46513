//! `amazons lookup`: values of positions and of their moves, from a table.

use std::io::BufRead;
use std::path::PathBuf;

use serde::Serialize;

use super::{Context, Failure, OrFail, input};
use crate::notation::{fen, move_text};
use crate::rules::{ColouredPosition, Move};
use crate::table::{Table, TableError};

/// Values of positions and of each of their moves, from a table
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Boards (their start positions) or FENs; - reads one a line from standard input
    #[arg(required = true, value_name = "POSITION")]
    positions: Vec<String>,

    /// Directory of the table
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,
}

#[derive(Serialize)]
struct Report {
    position: String,
    value: &'static str,
    moves: Vec<MoveReport>,
}

/// A move's value is its maker's: a win if the opponent then loses.
#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    played: String,
    value: &'static str,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let parse = |text: &str| input::position(text).or_usage();
    // Positions on the command line are read before anything is printed.
    let given: Vec<Option<ColouredPosition>> = args
        .positions
        .iter()
        .map(|text| (text != "-").then(|| parse(text)).transpose())
        .collect::<Result<_, _>>()?;
    let table = Table::open(&args.tables).or_failed()?;
    for position in given {
        match position {
            Some(position) => look_up(&table, &position, context)?,
            None => look_up_lines(&table, context)?,
        }
    }
    Ok(())
}

/// Looks up the positions on standard input; empty lines and comments (`#`) are skipped.
fn look_up_lines(table: &Table, context: &Context) -> Result<(), Failure> {
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.or_failed()?;
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let here = |error| Failure::usage(format!("standard input, line {}: {error}", number + 1));
        look_up(table, &input::position(text).map_err(here)?, context)?;
    }
    Ok(())
}

fn look_up(table: &Table, position: &ColouredPosition, context: &Context) -> Result<(), Failure> {
    let report = report(table, position)?;
    if context.json() {
        return context.print_json(&report);
    }
    let winning: Vec<&str> =
        report.moves.iter().filter(|m| m.value == "win").map(|m| m.played.as_str()).collect();
    context.print(format_args!("{}: {} for {}", report.position, report.value, position.turn()))?;
    let (count, all) = (winning.len(), report.moves.len());
    match winning.first() {
        Some(_) => context.print(format_args!("  {count} of {all} moves win: {}", winning.join(" "))),
        None => context.print(format_args!("  none of {all} moves wins")),
    }
}

fn report(table: &Table, position: &ColouredPosition) -> Result<Report, Failure> {
    let answer = match table.answer(position) {
        Err(error @ (TableError::OtherGame { .. } | TableError::Location(_))) => Err(error).or_usage()?,
        answer => answer.or_failed()?,
    };
    let named = |&(played, wins): &(Move, bool)| MoveReport {
        played: move_text(position.board(), played),
        value: word(wins),
    };
    Ok(Report {
        position: fen(position),
        value: word(answer.wins),
        moves: answer.moves.iter().map(named).collect(),
    })
}

fn word(wins: bool) -> &'static str {
    if wins { "win" } else { "loss" }
}
