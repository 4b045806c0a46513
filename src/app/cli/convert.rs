//! `amazons convert`: records of games in another form.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;

use super::arguments::rules::{RulesArgs, for_amazons_only};
use super::context::{Context, Failure};
use super::files::record::{self, is_dash};
use super::files::{output, overwriting};
use crate::app::counted::{Counted, by_count};
use crate::game::notation::record::Record;
use crate::game::notation::sgf::{Game, games_text};
use crate::game::variants::{RuleSet, VariantRecord, variant_fen};
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

    #[command(flatten)]
    rules: RulesArgs,

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

impl Args {
    /// The file to write, unless that is standard output.
    fn file(&self) -> Option<&Path> {
        self.out.as_deref().filter(|path| !is_dash(path))
    }
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
    /// The rules, unless they are those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
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
    let file = args.file();
    overwriting::refuse(Some(&args.record).filter(|path| !is_dash(path)), file)?;
    if let Some(rules) = args.rules.variant() {
        return convert_variant(args, rules, context);
    }
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
    said(args, &text, records.len(), context)
}

/// As [`run`], of a game by other rules.
fn convert_variant(args: &Args, rules: RuleSet, context: &Context) -> Result<(), Failure> {
    if args.to == Form::Sgf {
        return Err(for_amazons_only("--to sgf", rules));
    }
    let game = record::read_variant(&args.record, rules, context)?;
    let text = variant_text(args, &game);
    if let Some(file) = args.file() {
        output::write(file, text.as_bytes())?;
    }
    if context.json() {
        let board = game.start().board();
        context.print_json(&Report {
            game: 1,
            rules: Some(rules.to_string()),
            board: board.to_string(),
            start: variant_fen(game.start()),
            moves: game.moves().iter().map(|played| played.text(board)).collect(),
            position: variant_fen(game.last()),
            moves_left_out: 0,
            remarks: Vec::new(),
        })?;
    }
    said(args, &text, 1, context)
}

/// A game by other rules in the form that is asked for; the moves of a turn are joined by `+`.
fn variant_text(args: &Args, game: &VariantRecord) -> String {
    let fen = |moves: usize| format!("{}\n", variant_fen(game.position(moves)));
    match (args.to, args.all) {
        (Form::Fen, true) => (0..=game.moves().len()).map(fen).collect(),
        (Form::Fen, false) => fen(game.moves().len()),
        _ => {
            let mut text = variant_fen(game.start());
            for (at, played) in game.moves().iter().enumerate() {
                let joined = at > 0 && game.position(at).goes_on();
                text.push(if joined { '+' } else { ' ' });
                text += &played.text(game.start().board());
            }
            text + "\n"
        }
    }
}

/// Prints the games, or says where they are.
fn said(args: &Args, text: &str, games: usize, context: &Context) -> Result<(), Failure> {
    match args.file() {
        None if context.json() && args.out.is_none() => Ok(()),
        None => context.print(text.trim_end()),
        Some(_) if context.json() => Ok(()),
        Some(file) => {
            let games = Counted(games, "game");
            context.print(format_args!("{games} in {}", file.shown()))
        }
    }
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
        rules: None,
        board: record.start().board().to_string(),
        start: record.start().to_string(),
        moves: record.moves().iter().map(ToString::to_string).collect(),
        position: record.last().to_string(),
        moves_left_out: record.moves_left_out(),
        remarks: record.remarks().to_vec(),
    }
}
