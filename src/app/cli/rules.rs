//! `amazons rules`: the games of the family as rules files of Zillions of Games, and the start
//! positions of such files.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::arguments::rules::{RulesArgs, variant_position};
use super::context::{Context, Failure, OrFail};
use super::files::output;
use crate::game::rules::Amazons;
use crate::game::variants::{RuleSet, ZrfStart, read_zrf, variant_fen, zrf};
use crate::machine::shown::Shown as _;

/// Write a game as a rules file of Zillions of Games, or list the start positions of one
///
/// The file begins from POSITION: a board, which stands for its start position, or a FEN. Its rules
/// are those of --rules and --turns. No program here plays by such a file; Zillions does.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A board such as 8x8, or a FEN; then moves
    #[arg(value_name = "POSITION", required_unless_present = "starts", conflicts_with = "starts")]
    position: Vec<String>,

    /// Amazons a side of the board's start position, White v Black
    #[arg(long, value_name = "NvN", conflicts_with = "starts")]
    amazons: Option<Amazons>,

    #[command(flatten)]
    rules: RulesArgs,

    /// Write the rules file (ZRF) here; - is standard output
    #[arg(long, value_name = "FILE", default_value = "-", conflicts_with = "starts")]
    zrf: PathBuf,

    /// List the start positions of this rules file: of its game and of each variant of it
    #[arg(long, value_name = "FILE")]
    starts: Option<PathBuf>,
}

/// A start position of a rules file.
#[derive(Serialize)]
struct Report {
    title: String,
    rules: String,
    board: String,
    position: String,
}

impl Report {
    fn of(ZrfStart { title, position }: ZrfStart) -> Self {
        Self {
            title,
            rules: position.rules().to_string(),
            board: position.board().to_string(),
            position: variant_fen(&position),
        }
    }
}

/// Rules files of more bytes are refused.
const MOST_BYTES: u64 = 4 << 20;

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let rules = args.rules.variant().unwrap_or(RuleSet::AMAZONS);
    if let Some(file) = &args.starts {
        return list(file, rules, context);
    }
    let to_stdout = args.zrf.as_os_str() == "-";
    if to_stdout && context.json() {
        return Err(Failure::usage(
            "--json and --zrf - both write to standard output: give --zrf a FILE",
        ));
    }
    let words = args.position.iter().map(String::as_str);
    let start = variant_position(words, rules, args.amazons)?;
    let text = zrf(&start).or_usage()?;
    if to_stdout {
        return context.print(text.trim_end());
    }
    output::write(&args.zrf, text.as_bytes())?;
    context.remark(format_args!("{rules} on {} in {}", start.board(), args.zrf.shown()));
    Ok(())
}

/// Lists the starts of a file.
fn list(file: &Path, rules: RuleSet, context: &Context) -> Result<(), Failure> {
    let refused = |error| Failure::failed(format!("cannot read {}: {error}", file.shown()));
    let mut bytes = Vec::new();
    let source = std::fs::File::open(file).map_err(refused)?;
    source.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(refused)?;
    if bytes.len() as u64 > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        return Err(Failure::usage(format!("{}: more than {most} MiB of rules", file.shown())));
    }
    // What is read is ASCII; texts may have any letters.
    let text = String::from_utf8_lossy(&bytes);
    let starts = read_zrf(&text, rules)
        .map_err(|error| Failure::usage(format!("{}: {error}", file.shown())))?;
    for start in starts {
        let report = Report::of(start);
        match context.json() {
            true => context.print_json(&report)?,
            false => context.print(format_args!("{}: {}", report.title, report.position))?,
        }
    }
    Ok(())
}
