//! `amazons opening`: writes a small table of the first moves.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use super::arguments::position::PositionArgs;
use super::context::{Context, Failure, OrFail};
use super::files::output::{Output, refused};
use super::files::overwriting;
use super::sources::open;
use crate::app::counted::Counted;
use crate::app::input;
use crate::game::notation::fen;
use crate::game::rules::Position;
use crate::machine::progress::StopFlag;
use crate::machine::shown::Shown as _;
use crate::tables::format::{Table, TableError};
use crate::tables::opening::{DeriveError, Opening};
use crate::tables::value_source::ValueSource;

/// Write an opening table: the values of all positions that the first moves lead to
///
/// `lookup`, `solve`, `play`, `annotate`, `serve`, `info` and `verify` take the file as they take
/// the directory of a table.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// Directory of the full table, or an opening table with at least as many moves
    #[arg(long, value_name = "DIR|FILE")]
    tables: PathBuf,

    /// Number of moves
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = input::number::<u8>(0..=32))]
    plies: u8,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Serialize)]
struct Summary {
    position: String,
    plies: Vec<PlySummary>,
    bytes: u64,
    seconds: f64,
}

/// A ply of an opening table.
#[derive(Serialize)]
pub(super) struct PlySummary {
    pub(super) ply: usize,
    pub(super) positions: usize,
    pub(super) wins: usize,
}

impl PlySummary {
    /// Those of an opening table.
    pub(super) fn all(opening: &Opening) -> Vec<Self> {
        let plies = opening.plies().iter().enumerate();
        plies.map(|(ply, held)| Self { ply, positions: held.len(), wins: held.wins() }).collect()
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    let position = args.position.read()?.position;
    overwriting::refuse([&args.tables], [&args.out])?;
    let stop = context.stop_on_interrupt()?;
    let source = open::source(&args.tables, context)?;
    check_source(&position, args.plies, &source)?;
    // Tried before the work, so that an unwritable place costs nothing.
    let output = Output::create(&args.out)?;
    let opening = match &source {
        ValueSource::Table(table) => derive(&position, args.plies, table, context, &stop)?,
        ValueSource::Opening(opening, _) => opening.beginning(args.plies.into()),
    };
    let written = opening.write_until(&mut output.file(), &stop);
    let written = written.map_err(|error| refused(&args.out, &error))?;
    let Some(bytes) = written.filter(|_| !stop.is_set()) else {
        return Err(DeriveError::Stopped).or_limit();
    };
    output.keep()?;
    let (position, plies) = (fen(&position), PlySummary::all(&opening));
    let summary = Summary { position, plies, bytes, seconds: began.elapsed().as_secs_f64() };
    summary.print(&args.out, context)
}

impl Summary {
    /// Prints it as text or JSON.
    fn print(&self, out: &Path, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        for PlySummary { ply, positions, wins } in &self.plies {
            context.print(format_args!(
                "after {}: {}, {wins} won by the side to move",
                Counted(*ply, "move"),
                Counted(*positions, "position")
            ))?;
        }
        let Self { bytes, seconds, .. } = self;
        context.print(format_args!("{bytes} bytes in {} ({seconds:.1} s)", out.shown()))
    }
}

/// Whether the source has what is asked for.
fn check_source(position: &Position, plies: u8, source: &ValueSource) -> Result<(), Failure> {
    match source {
        ValueSource::Table(table) if table.answers(position) => Ok(()),
        ValueSource::Table(table) => table.answer(position).map(|_| ()).or_usage(),
        ValueSource::Opening(opening, path) => {
            let (held, first) = (opening.plies().len() - 1, opening.start());
            if first == position && usize::from(plies) <= held {
                return Ok(());
            }
            Err(Failure::usage(format!(
                "{} holds what at most {} from {} lead to, asked are {plies} from {}",
                path.shown(),
                Counted(held, "move"),
                fen(first),
                fen(position)
            )))
        }
    }
}

fn derive(
    position: &Position,
    plies: u8,
    table: &Table,
    context: &Context,
    stop: &StopFlag,
) -> Result<Opening, Failure> {
    let progress = context.progress();
    let (plies, memory) = (plies.into(), context.left("an opening table", 1 << 20)?);
    let derived = Opening::derive(table, position, plies, memory, &progress, stop);
    drop(progress);
    match derived {
        Err(DeriveError::Stopped) => derived.or_limit(),
        Err(DeriveError::TooLarge(_) | DeriveError::Table(TableError::OtherGame { .. })) => {
            derived.or_usage()
        }
        _ => derived.or_failed(),
    }
}
