//! `amazons build`: solves every position of a board backwards into tables.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::Serialize;

use super::{Context, Failure, OrFail, input};
use crate::game::board::Board;
use crate::game::notation::fen;
use crate::game::rules::{Amazons, Bitboards, Colour, Position};
use crate::machine::progress::StopFlag;
use crate::tables::build::{AfterTier, BuildError, BuildOptions, build};
use crate::tables::format::{Keep, Manifest, Table, TierRecord};
use crate::verify::table::verify_sample_of;

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
    /// Which tiers stay: all, or those with an odd number of arrows, from which the others follow
    /// by one ply [default: what an unfinished table in DIR has, else all]
    #[arg(long, value_enum)]
    keep: Option<KeepArg>,
    /// Longest time between checkpoints, which is what a kill can cost
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = input::duration)]
    checkpoint: Duration,
    /// Derive N random entries of every finished tier from their moves, by code that shares nothing
    /// with the solver, and stop at a difference
    #[arg(long, value_name = "N", default_value_t = 0)]
    check_sample: u64,
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
    /// Entries compared by `--check-sample`.
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<u64>,
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
            checked: None,
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
        Some(KeepArg::All) => Keep::All,
        Some(KeepArg::Odd) => Keep::Odd,
        None => Manifest::load(&args.tables).map_or(Keep::All, |manifest| manifest.keep),
    };
    let checked = Arc::new(AtomicU64::new(0));
    let after_tier =
        (args.check_sample > 0).then(|| check_sample(&args, checked.clone(), stop.clone()));
    let defaults = BuildOptions::new(context.memory());
    let options = BuildOptions { keep, interval: args.checkpoint, after_tier, ..defaults };
    let recorded = |manifest: Manifest| manifest.tiers.iter().map(|tier| tier.positions).sum();
    let before: u64 = Manifest::load(&args.tables).map_or(0, recorded);
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
    let mut summary = TableSummary::new(&manifest, seconds);
    summary.checked = (args.check_sample > 0).then(|| checked.load(Ordering::Relaxed));
    if context.json() {
        return context.print_json(&summary);
    }
    if let Some(checked) = summary.checked {
        context.print(format_args!("{checked} random entries agree with their moves"))?;
    }
    let TableSummary { board, amazons, positions, bytes, .. } = &summary;
    let directory = args.tables.display();
    let new = positions.saturating_sub(before);
    if new == 0 {
        return context.print(format_args!(
            "{board} {amazons}: all {positions} positions were solved before, {bytes} bytes in {directory}"
        ));
    }
    let rate = new as f64 / seconds / 1e9;
    let share = rate / context.threads() as f64;
    context.print(format_args!(
        "{board} {amazons}: {new} positions in {seconds:.1} s ({rate:.2}e9 positions/s, {share:.2}e9 a core), {bytes} bytes in {directory}"
    ))
}

/// Derives random entries of each finished tier anew, counting them in `checked`.
fn check_sample(args: &Args, checked: Arc<AtomicU64>, stop: StopFlag) -> AfterTier {
    let (directory, count) = (args.tables.clone(), args.check_sample);
    AfterTier(Arc::new(move |manifest, shape| {
        let table = Table::with_manifest(&directory, manifest.clone())
            .map_err(|error| error.to_string())?;
        let mut random = StdRng::seed_from_u64(shape.arrows() as u64);
        let report = verify_sample_of(&table, &[*shape], count, &mut random, &(), &stop);
        let report = report.map_err(|error| error.to_string())?;
        checked.fetch_add(report.checked, Ordering::Relaxed);
        match report.first {
            None => Ok(()),
            Some(position) => Err(format!(
                "{shape}: {} of {} entries are not what their moves say, for example that of {}",
                report.mismatches,
                report.checked,
                describe(manifest.board, &position)
            )),
        }
    }))
}

fn describe(board: Board, position: &Bitboards<u64>) -> String {
    let coloured = Position::new(board, position, Colour::White);
    coloured.map_or_else(|flaws| flaws.to_string(), |position| fen(&position))
}
