//! `amazons lookup`: values of positions and of their moves, from a table or an opening table.

use std::fs::File;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::failure::told;
use super::{Context, Failure, OrFail, input};
use crate::game::Outcome;
use crate::game::notation::{fen, move_text};
use crate::game::rules::{IndexedMove, Position};
use crate::tables::format::{Table, TableError};
use crate::tables::opening::{Opening, OpeningError};

/// Values of positions and of each of their moves, from a table
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Boards (their start positions) or FENs; - reads one a line from standard input
    #[arg(required = true, value_name = "POSITION")]
    positions: Vec<String>,

    /// Directory of the table, or an opening table
    #[arg(long, value_name = "DIR | FILE")]
    tables: PathBuf,
}

#[derive(Serialize)]
struct Report {
    position: String,
    value: &'static str,
    /// None at the last ply of an opening table, which does not hold the positions after them.
    moves: Option<Vec<MoveReport>>,
}

/// Where the values come from.
enum Source {
    Table(Table),
    Opening(PathBuf, Opening),
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
    let given: Vec<Option<Position>> = args
        .positions
        .iter()
        .map(|text| (text != "-").then(|| parse(text)).transpose())
        .collect::<Result<_, _>>()?;
    let source = Source::open(&args.tables)?;
    for position in given {
        match position {
            Some(position) => look_up(&source, &position, context)?,
            None => look_up_lines(&source, context)?,
        }
    }
    Ok(())
}

/// Looks up the positions on standard input; empty lines and comments (`#`) are skipped.
fn look_up_lines(source: &Source, context: &Context) -> Result<(), Failure> {
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.or_failed()?;
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let here = |error| Failure::usage(format!("standard input, line {}: {error}", number + 1));
        look_up(source, &input::position(text).map_err(here)?, context)?;
    }
    Ok(())
}

fn look_up(source: &Source, position: &Position, context: &Context) -> Result<(), Failure> {
    let report = source.report(position)?;
    if context.json() {
        return context.print_json(&report);
    }
    context.print(format_args!("{}: {} for {}", report.position, report.value, position.turn()))?;
    let Some(moves) = report.moves else {
        return context.print("  its moves lead beyond the last ply of the opening table");
    };
    let winning: Vec<&str> =
        moves.iter().filter(|m| m.value == "win").map(|m| m.played.as_str()).collect();
    let (count, all) = (winning.len(), moves.len());
    match winning.first() {
        Some(_) => {
            context.print(format_args!("  {count} of {all} moves win: {}", winning.join(" ")))
        }
        None => context.print(format_args!("  none of {all} moves wins")),
    }
}

impl Source {
    fn open(path: &Path) -> Result<Self, Failure> {
        if !path.is_file() {
            return Ok(Self::Table(Table::open(path).or_failed()?));
        }
        let opening = File::open(path).map_err(Into::into).and_then(Opening::read);
        let named =
            |error: OpeningError| Failure::failed(format!("{} {}", path.display(), told(&error)));
        Ok(Self::Opening(path.into(), opening.map_err(named)?))
    }

    fn report(&self, position: &Position) -> Result<Report, Failure> {
        let (outcome, moves) = match self {
            Self::Table(table) => {
                let answer = match table.answer(position) {
                    Err(error @ (TableError::OtherGame { .. } | TableError::Location(_))) => {
                        Err(error).or_usage()?
                    }
                    answer => answer.or_failed()?,
                };
                (answer.outcome, Some(answer.moves))
            }
            Self::Opening(path, opening) => {
                let answer = opening.answer(position).ok().flatten();
                let answer = answer.ok_or_else(|| beyond(path, opening))?;
                (answer.outcome, answer.moves)
            }
        };
        let named = |&(played, outcome): &(IndexedMove, Outcome)| MoveReport {
            played: move_text(position.board(), played),
            value: outcome.as_str(),
        };
        let moves = moves.map(|moves| moves.iter().map(named).collect());
        Ok(Report { position: fen(position), value: outcome.as_str(), moves })
    }
}

fn beyond(path: &Path, opening: &Opening) -> Failure {
    Failure::usage(format!(
        "{} holds what at most {} moves from {} lead to, and not this position",
        path.display(),
        opening.plies().len() - 1,
        fen(opening.start())
    ))
}
