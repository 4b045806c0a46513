//! `amazons build`: solves every position of a board backwards into tables.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde::Serialize;

use super::{Context, Failure, OrFail, input};
use crate::board::Board;
use crate::retrograde::{BuildError, BuildOptions, build};
use crate::rules::Amazons;
use crate::table::{Keep, Manifest, TierRecord};

/// Solve every position of a board backwards into tables; resumes what was stopped
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The board, columns x rows
    board: Board,
    /// Directory of the table; made if it does not exist
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,
    /// Amazons a side, White v Black
    #[arg(long, default_value = "4v4")]
    amazons: Amazons,
    /// Which tiers stay: all, or those with an odd number of arrows, from which the others follow by one ply
    #[arg(long, value_enum, default_value = "all")]
    keep: KeepArg,
    /// Longest time between checkpoints, which is what a kill can cost
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = input::duration)]
    checkpoint: Duration,
}

/// See [`Keep`].
#[derive(Clone, Copy, Debug, ValueEnum)]
enum KeepArg {
    All,
    Odd,
}

/// A table in JSON: what `build` and `info` print.
#[derive(Debug, Serialize)]
pub(super) struct TableSummary<'a> {
    board: String,
    amazons: String,
    positions: u64,
    bytes: u64,
    seconds: f64,
    tiers: &'a [TierRecord],
}

impl<'a> TableSummary<'a> {
    pub(super) fn new(manifest: &'a Manifest, seconds: f64) -> Self {
        Self {
            board: manifest.board.to_string(),
            amazons: manifest.amazons.to_string(),
            positions: manifest.tiers.iter().map(|tier| tier.positions).sum(),
            bytes: manifest.tiers.iter().filter(|tier| tier.stored).map(|tier| tier.bytes).sum(),
            seconds,
            tiers: &manifest.tiers,
        }
    }
}

/// Runs `amazons build`.
///
/// # Errors
/// Status 2 for boards and amazons that tables cannot hold, 3 when stopped, 1 for everything else.
pub(super) fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    let keep = match args.keep {
        KeepArg::All => Keep::All,
        KeepArg::Odd => Keep::Odd,
    };
    let options = BuildOptions { keep, interval: args.checkpoint, ..BuildOptions::new(context.memory()) };
    let begun = Instant::now();
    let progress = context.progress();
    let built = build(&args.tables, args.board, args.amazons, &options, &progress, &stop);
    drop(progress);
    let manifest = match built {
        Err(BuildError::Shape(_) | BuildError::OtherTable { .. }) => built.or_usage()?,
        Err(BuildError::Stopped) => built.or_limit()?,
        _ => built.or_failed()?,
    };
    let seconds = begun.elapsed().as_secs_f64();
    let summary = TableSummary::new(&manifest, seconds);
    if context.json() {
        return context.print_json(&summary);
    }
    let rate = summary.positions as f64 / seconds / 1e9;
    let share = rate / context.threads() as f64;
    context.print(format_args!(
        "{} {}: {} positions in {seconds:.1} s ({rate:.2}e9 positions/s, {share:.2}e9 a core), {} bytes in {}",
        summary.board,
        summary.amazons,
        summary.positions,
        summary.bytes,
        args.tables.display()
    ))
}
