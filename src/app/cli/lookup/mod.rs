//! `amazons lookup`: values of positions and of their moves, from a table or an opening table; or
//! the strategy of a certificate.

pub(super) mod certificate;
pub(super) mod variant;

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Serialize, Serializer};

use super::arguments::rules::RulesArgs;
use super::batch::answer_lines_together;
use super::context::{Context, Failure, OrFail};
use super::sources::blame::blame;
use super::sources::open;
use crate::app::input;
use crate::game::notation::{fen, move_text};
use crate::game::rules::{Amazons, Colour, IndexedMove, Position};
use crate::game::{Move, Outcome};
use crate::machine::progress::StopFlag;
use crate::tables::format::TableError;
use crate::tables::index::TableRules;
use crate::tables::value_source::{Known, ValueSource};

/// Lines that are answered at a time, with the moves of each.
pub(super) const MOST_LINES_WITH_MOVES: u64 = 256;
/// Memory of a line while it is answered with its moves.
pub(super) const LINE_MEMORY_WITH_MOVES: u64 = 64 << 10;
/// Lines that are answered by a value at a time: as many as a table of 4x5 has frames, thirty
/// times.
const MOST_LINES: u64 = 1 << 20;
/// Memory of a line while it is answered: its text, position, place, value and answer.
const LINE_MEMORY: u64 = 768;

/// Values of positions and of each of their moves, from a table; or the winner's moves, from a
/// certificate
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) rules: RulesArgs,

    /// Boards (their start positions) or FENs, and after each the moves to play in it first; -
    /// reads one a line from standard input and answers in JSON
    #[arg(required = true, value_name = "POSITION [MOVE]...")]
    pub(super) words: Vec<String>,

    #[command(flatten)]
    source: SourceArgs,

    /// Amazons of White and Black on a board's start position [default: 4v4]
    #[arg(long, value_name = "NvN")]
    pub(super) amazons: Option<Amazons>,

    /// Only the value of the position, not those of its moves
    #[arg(long)]
    pub(super) values_only: bool,
}

/// Where the values are from: one of these.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct SourceArgs {
    /// Directory of the table, or an opening table
    #[arg(long, value_name = "DIR | FILE")]
    tables: Option<PathBuf>,

    /// A certificate of Amazons: how its winner plays in the positions that its moves lead to.
    /// Whether it is a proof is for `verify` to say
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) position: String,
    /// The rules, if they are others than those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rules: Option<String>,
    pub(super) value: &'static str,
    #[serde(skip_serializing_if = "Moves::are_not_asked_for")]
    pub(super) moves: Moves,
}

/// As [`Report`], without moves.
#[derive(Serialize)]
struct ValueReport {
    #[serde(serialize_with = "as_fen")]
    position: Position,
    value: &'static str,
}

fn as_fen<S: Serializer>(position: &Position, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&fen(position))
}

/// The moves of a position with their values.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Moves {
    NotAskedFor,
    /// `null` at the last ply of an opening table, which does not hold the positions after them,
    /// and where the wall rule of a certificate names no move.
    Asked(Option<Vec<MoveReport>>),
}

impl Moves {
    fn are_not_asked_for(&self) -> bool {
        matches!(self, Self::NotAskedFor)
    }
}

/// A move's value is its maker's: a win if the opponent then loses.
#[derive(Serialize)]
pub(super) struct MoveReport {
    #[serde(rename = "move")]
    pub(super) played: String,
    pub(super) value: &'static str,
    /// What the winner of a certificate answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    match &args.source {
        SourceArgs { certificate: Some(path), .. } => certificate::run(args, path, context),
        SourceArgs { tables, .. } => {
            let tables = tables.as_deref().expect("one of the two is given");
            match args.rules.of_tables()? {
                TableRules::Amazons => in_table(args, tables, context),
                rules => variant::run(args, tables, rules, context),
            }
        }
    }
}

fn in_table(args: &Args, tables: &Path, context: &Context) -> Result<(), Failure> {
    let position = |text: &str| {
        input::position_and_moves(text, args.amazons).map(|(position, _)| position).or_usage()
    };
    if args.words.len() == 1 && args.words[0] == "-" {
        let source = open::source_for_many(tables, context)?;
        let stop = context.stop_on_interrupt()?;
        if args.values_only {
            return look_values_up(&source, context, &stop, position);
        }
        let memory = context.left("looking positions up", LINE_MEMORY_WITH_MOVES)?;
        let most = (memory / LINE_MEMORY_WITH_MOVES).min(MOST_LINES_WITH_MOVES) as usize;
        return answer_lines_together(&stop, most, |lines| {
            let answer = |line: &&str| report(&source, &position(line)?, false);
            lines.par_iter().map(answer).collect()
        });
    }
    // All positions are read before anything is printed.
    let asked = by_position(&args.words);
    let asked: Vec<Position> = asked.iter().map(|text| position(text)).collect::<Result<_, _>>()?;
    let source = open::source(tables, context)?;
    asked.iter().try_for_each(|position| {
        let report = report(&source, position, args.values_only)?;
        if context.json() {
            context.print_json(&report)
        } else {
            print(&report, position.turn(), context)
        }
    })
}

/// Answers lines by values alone, as many at a time as there is memory for.
fn look_values_up(
    source: &ValueSource,
    context: &Context,
    stop: &StopFlag,
    position: impl Fn(&str) -> Result<Position, Failure> + Sync,
) -> Result<(), Failure> {
    let memory = context.left("looking positions up", 1 << 20)?;
    let most = (memory / LINE_MEMORY).min(MOST_LINES) as usize;
    answer_lines_together(stop, most, |lines| {
        let asked: Vec<_> = lines.par_iter().map(|line| position(line)).collect();
        let good: Vec<Position> = asked.iter().flatten().copied().collect();
        let mut values = source.values(&good).into_iter();
        let mut report = |position| {
            let value = told(values.next().expect("a value for each"))?.as_str();
            Ok(ValueReport { position, value })
        };
        asked.into_iter().map(|asked| asked.and_then(&mut report)).collect()
    })
}

/// The words of each position: a board or FEN, the side to move, moves.
pub(super) fn by_position(words: &[String]) -> Vec<String> {
    let mut positions: Vec<String> = Vec::new();
    for word in words {
        let belongs = matches!(word.as_str(), "w" | "b") || word.parse::<Move>().is_ok();
        match positions.last_mut().filter(|_| belongs) {
            Some(position) => *position = format!("{position} {word}"),
            None => positions.push(word.clone()),
        }
    }
    positions
}

pub(super) fn print(report: &Report, turn: Colour, context: &Context) -> Result<(), Failure> {
    let rules = report.rules.as_ref().map_or(String::new(), |rules| format!("{rules}: "));
    context.print(format_args!("{rules}{}: {} for {turn}", report.position, report.value))?;
    let moves = match &report.moves {
        Moves::NotAskedFor => return Ok(()),
        Moves::Asked(None) => {
            return context.print("  its moves lead beyond the last ply of the opening table");
        }
        Moves::Asked(Some(moves)) => moves,
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

fn report(source: &ValueSource, position: &Position, values_only: bool) -> Result<Report, Failure> {
    let (outcome, moves) = if values_only {
        (told(source.value(position))?, Moves::NotAskedFor)
    } else {
        let known = told(source.look_up(position))?;
        let named = |&(played, outcome): &(IndexedMove, Outcome)| MoveReport {
            played: move_text(position.board(), played),
            value: outcome.as_str(),
            answer: None,
        };
        let moves = match &known {
            Known::All(answer) => Some(answer.moves.iter().map(named).collect()),
            Known::Outcome(_) => None,
        };
        (known.outcome(), Moves::Asked(moves))
    };
    Ok(Report { position: fen(position), rules: None, value: outcome.as_str(), moves })
}

/// A position that the source is not about is the user's mistake.
pub(super) fn told<T>(found: Result<T, TableError>) -> Result<T, Failure> {
    blame(found)
}
