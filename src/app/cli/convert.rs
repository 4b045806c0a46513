//! `amazons convert`: records of games in another form.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;

use super::context::{Context, Failure};
use super::files::record::{self, is_dash};
use super::files::{output, overwriting};
use crate::app::counted::{Counted, by_count};
use crate::game::notation::record::Record;
use crate::game::notation::sgf::{Game, games_text};
use crate::machine::shown::Shown as _;

/// Write the games of a record as SGF, as lists of moves or as FEN
///
/// RECORD is in whatever form a site or a program wrote it: SGF, GGF, moves in any notation, alone
/// or after a board or a FEN, OpenSpiel's boards and numbers. SGF keeps variations and comments;
/// the other forms have the main line of each game.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A record of games in any form (docs/records.md); - reads standard input
    #[arg(value_name = "RECORD")]
    record: PathBuf,

    /// What to write
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Moves)]
    to: Form,

    /// With --to fen: all positions of each game, not the last alone
    #[arg(long)]
    all: bool,

    /// Write it here; - is standard output [default: -, with --json nowhere]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// SGF, FF[4] with GM[18]
    Sgf,
    /// A line for each game: a board or a FEN, then the moves
    Moves,
    /// The last position of each game, a line each
    Fen,
}

#[derive(Serialize)]
struct Report {
    game: usize,
    board: String,
    start: String,
    moves: Vec<String>,
    position: String,
    moves_left_out: usize,
    remarks: Vec<String>,
}

/// Bytes of what is written of a position.
const POSITION_BYTES: u64 = 512;

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    if args.all && args.to != Form::Fen {
        return Err(Failure::usage("--all is for --to fen: the other forms have all positions"));
    }
    let to_stdout = args.out.as_deref().map_or(!context.json(), is_dash);
    if to_stdout && context.json() {
        return Err(Failure::usage(
            "--json and --out - both write to standard output: give --out a FILE",
        ));
    }
    let file = args.out.as_deref().filter(|path| !is_dash(path));
    overwriting::refuse(Some(&args.record).filter(|path| !is_dash(path)), file)?;
    let games = record::read(&args.record, context)?;
    let positions: usize = games.iter().map(|game| game.tree().len()).sum();
    context.set_aside("writing these games", POSITION_BYTES * positions as u64)?;
    let records: Vec<Record> = games.iter().map(Record::of).collect();
    let text = written(args, &games, &records);
    if let Some(file) = file {
        output::write(file, text.as_bytes())?;
    }
    for (number, record) in (1..).zip(&records) {
        let beside = record.moves_left_out();
        if args.to != Form::Sgf && beside > 0 {
            let moves = Counted(beside, "move");
            let are = by_count(beside, "is", "are");
            context
                .remark(format_args!("game {number}: {moves} beside its main line {are} left out"));
        }
        if context.json() {
            context.print_json(&report(number, record))?;
        }
    }
    match (to_stdout, file) {
        (true, _) => context.print(text.trim_end()),
        (false, Some(file)) if !context.json() => said(&records, file, context),
        _ => Ok(()),
    }
}

fn said(records: &[Record], file: &Path, context: &Context) -> Result<(), Failure> {
    let games = Counted(records.len(), "game");
    context.print(format_args!("{games} in {}", file.shown()))
}

/// The games in the form that is asked for.
fn written(args: &Args, games: &[Game], records: &[Record]) -> String {
    let lines = |record: &Record| match (args.to, args.all) {
        (Form::Fen, true) => {
            let positions = std::iter::once(record.start()).chain(record.positions());
            positions.map(|position| format!("{position}\n")).collect()
        }
        (Form::Fen, false) => format!("{}\n", record.last()),
        _ => format!("{record}\n"),
    };
    match args.to {
        Form::Sgf => games_text(games),
        Form::Moves | Form::Fen => records.iter().map(lines).collect(),
    }
}

fn report(number: usize, record: &Record) -> Report {
    Report {
        game: number,
        board: record.start().board().to_string(),
        start: record.start().to_string(),
        moves: record.moves().iter().map(ToString::to_string).collect(),
        position: record.last().to_string(),
        moves_left_out: record.moves_left_out(),
        remarks: record.remarks().to_vec(),
    }
}
