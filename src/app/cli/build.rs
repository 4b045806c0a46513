//! `amazons build`: solves every position of a board backwards into tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::Serialize;

use super::arguments::rules::RulesArgs;
use super::context::failure::with_advice;
use super::context::{Context, Failure, OrFail};
use super::files::completeness::Completeness;
use super::files::free_disk;
use super::margins::MarginsSummary;
use super::text::quantity;
use crate::app::counted::{Counted, by_count};
use crate::app::input;
use crate::game::board::Board;
use crate::game::notation::fen;
use crate::game::rules::{Amazons, Bitboards, Colour, Position};
use crate::machine::progress::StopFlag;
use crate::machine::ranks::Ranks;
use crate::machine::shown::Shown as _;
use crate::tables::format::{Keep, Manifest, Table, TableError, TierRecord, TierSummary};
use crate::tables::index::{TableRules, TableSubject};
use crate::tables::retrograde::{
    AfterTier, BuildError, BuildJob, BuildOptions, Built, Objection, Plan, build_margins_on,
    build_on, check_margins, check_possible,
};
use crate::verify::table::{SampleJob, least_sample_memory, verify_sample_of};

/// Solve every position of a board backwards into tables; resumes what was stopped
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    rules: RulesArgs,

    /// The board, columns x rows
    board: Board,
    /// Directory of the table; made if it does not exist
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,
    /// Amazons a side, White v Black
    #[arg(long, default_value = "4v4")]
    amazons: Amazons,
    /// Which tiers stay: all; those with an odd number of arrows, from which the others follow by
    /// one ply; the first, those of at most two moves; or none, but an opening table of two moves.
    /// Of those that do not stay counts and hashes are kept [default: what an unfinished table in
    /// DIR has, else all]
    #[arg(long, value_enum)]
    keep: Option<KeepArg>,
    /// Solve only the tiers with K arrows and more, which are the smallest; the same command with a
    /// smaller K, or without it, goes on from there
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = input::number::<usize>(0..=100))]
    least_arrows: usize,
    /// Also by how much each position is won or lost: beside the table its planes, which say who
    /// wins with how many spare moves. Of a table that is there already only the planes are made
    #[arg(long, conflicts_with_all = ["least_arrows", "mpi"])]
    margins: bool,
    /// Only the planes of at most N spare moves: larger margins are known as N or more
    #[arg(long, value_name = "N", requires = "margins", value_parser = input::number::<u8>(1..=64))]
    most: Option<u8>,
    /// Shortest time between checkpoints; it is fifty times what saving takes, if that is longer. A
    /// kill costs the work since the last checkpoint
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = input::duration)]
    checkpoint: Duration,
    /// Derive N random entries of every finished tier from their moves, by code that shares nothing
    /// with the solver, and stop at a difference
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = input::number::<u64>(0..=u64::MAX))]
    check_sample: u64,
    /// Begin even if the files are expected not to fit on the disk
    #[arg(long)]
    force: bool,
    /// Solve together with the other processes that mpirun or srun has started; DIR is on a file
    /// system that they share
    #[arg(long)]
    mpi: bool,
    #[cfg(feature = "gpu")]
    #[command(flatten)]
    gpu: super::gpu_args::GpuArgs,
}

/// See [`Keep`].
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum KeepArg {
    All,
    Odd,
    First,
    None,
}

impl From<KeepArg> for Keep {
    fn from(keep: KeepArg) -> Self {
        match keep {
            KeepArg::All => Self::All,
            KeepArg::Odd => Self::Odd,
            KeepArg::First => Self::First,
            KeepArg::None => Self::None,
        }
    }
}

/// A table in JSON: what `build` and `info` print.
#[derive(Debug, Serialize)]
pub(super) struct TableSummary<'a> {
    /// The rules, if they are others than those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    board: String,
    amazons: String,
    positions: u64,
    bytes: u64,
    seconds: f64,
    /// Entries compared by `--check-sample`.
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<u64>,
    /// Positions that were solved by earlier runs and are recorded by this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_up: Option<u64>,
    #[serde(flatten)]
    pub(super) completeness: Completeness,
    /// The planes of a table of margins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) margins: Option<MarginsSummary>,
    /// Tiers that are recorded and are not there as they should be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) damaged: Vec<DamagedTier>,
    tiers: &'a [TierRecord],
}

/// A stored tier whose file is not as long as the manifest says.
#[derive(Debug, Serialize)]
pub(super) struct DamagedTier {
    pub(super) file: String,
    /// Its bytes by the manifest.
    pub(super) expected: u64,
    /// Its bytes; `null` if there is no file.
    pub(super) found: Option<u64>,
    /// What is there in its place that is no file.
    #[serde(skip)]
    pub(super) error: Option<TableError>,
}

impl<'a> TableSummary<'a> {
    pub(super) fn new(
        manifest: &'a Manifest,
        layers: &[Manifest],
        directory: &Path,
        seconds: f64,
    ) -> Self {
        let TableSubject { rules, board, amazons } = manifest.subject;
        Self {
            rules: (rules != TableRules::Amazons).then(|| rules.to_string()),
            board: board.to_string(),
            amazons: amazons.to_string(),
            positions: manifest.tiers.iter().map(|tier| tier.positions).sum(),
            bytes: manifest.tiers.iter().filter(|tier| tier.stored).map(|tier| tier.bytes).sum(),
            seconds,
            checked: None,
            taken_up: None,
            completeness: Completeness::of(manifest, layers, directory),
            margins: None,
            damaged: Vec::new(),
            tiers: &manifest.tiers,
        }
    }
}

/// Runs `amazons build`.
///
/// # Errors
/// Status 2 for boards and amazons that tables cannot hold, 3 when stopped, 1 for everything else.
pub(super) fn run(args: Args, context: &Context, ranks: &Ranks) -> Result<(), Failure> {
    debug_assert!(args.mpi || ranks.size() == 1, "ranks without --mpi");
    let rules = args.rules.of_tables()?;
    let stop = context.stop_on_interrupt()?;
    let keep = match args.keep {
        Some(keep) => keep.into(),
        None => Manifest::load(&args.tables).map_or(Keep::All, |manifest| manifest.keep),
    };
    let least_arrows = args.least_arrows;
    let wanted = BuildOptions { rules, keep, least_arrows, ..BuildOptions::new(context.memory()) };
    check_possible(args.board, args.amazons, &wanted).or_usage()?;
    if args.margins {
        check_margins(&wanted, ranks).or_usage()?;
    }
    #[cfg(feature = "gpu")]
    let wanted = {
        let subject = wanted.subject(args.board, args.amazons);
        let gpu = args.gpu.device(subject, least_arrows, i8::from(args.margins), ranks, context)?;
        BuildOptions { gpu, ..wanted }
    };
    let checked = Arc::new(AtomicU64::new(0));
    let options = with_check(&args, wanted, &checked, &stop, context)?;
    if !args.force && ranks.is_first() {
        refuse_what_does_not_fit(&args, rules, keep, ranks)?;
    }
    let began = Instant::now();
    let progress = context.progress();
    let (board, amazons) = (args.board, args.amazons);
    let (options, observer) = (&options, &progress);
    let job = BuildJob { ranks, directory: &args.tables, options, observer, stop: &stop };
    let built = match args.margins {
        true => build_margins_on(&job, board, amazons, args.most).map(|built| built.built),
        false => build_on(&job, board, amazons),
    };
    let aside = context.memory() - options.memory;
    let built = built.map_err(|error| failure(error, options.subject(board, amazons), aside))?;
    drop(progress);
    if !ranks.is_first() {
        return Ok(());
    }
    let seconds = began.elapsed().as_secs_f64();
    // There may have been more of them before.
    let layers = match args.margins {
        true => built.manifest.load_layers(&args.tables).or_failed()?,
        false => Vec::new(),
    };
    let mut summary = TableSummary::new(&built.manifest, &layers, &args.tables, seconds);
    if args.margins {
        let table = Table::with_layers(&args.tables, built.manifest.clone(), layers).or_failed()?;
        summary.margins = MarginsSummary::of(table.stored(), &args.tables);
    }
    summary.taken_up = (built.taken_up > 0).then_some(built.taken_up);
    summary.checked = (args.check_sample > 0).then(|| checked.load(Ordering::Relaxed));
    print(&summary, &built, &args, context)
}

/// The options of a build, with a check of each tier by a sample if that is asked for. It counts in
/// `checked`.
fn with_check(
    args: &Args,
    wanted: BuildOptions,
    checked: &Arc<AtomicU64>,
    stop: &StopFlag,
    context: &Context,
) -> Result<BuildOptions, Failure> {
    let sampling = match args.check_sample {
        0 => 0,
        _ => sample_memory(args, wanted.rules, wanted.keep).or_usage()?,
    };
    let check = || check_sample(args, sampling, Arc::clone(checked), stop.clone());
    Ok(BuildOptions {
        memory: context.memory().saturating_sub(sampling),
        interval: args.checkpoint,
        after_tier: (sampling > 0).then(check),
        ..wanted
    })
}

/// Gives what went wrong its exit status. `aside` are bytes of memory that the build did not have.
fn failure(error: BuildError, subject: TableSubject, aside: u64) -> Failure {
    match error {
        BuildError::Shape(_) | BuildError::OtherTable { .. } | BuildError::NotShared { .. } => {
            Failure::usage(with_advice(&error))
        }
        BuildError::Elsewhere(failed) => failed.into(),
        BuildError::Memory { needed, given, .. } => {
            let what = format_args!("building {subject}");
            Context::too_little(what, needed.saturating_add(aside), given.saturating_add(aside))
        }
        BuildError::Stopped => Failure::limit(with_advice(&error)),
        _ => Failure::failed(with_advice(&error)),
    }
}

/// Prints what was built, as text or JSON.
fn print(
    summary: &TableSummary<'_>,
    built: &Built,
    args: &Args,
    context: &Context,
) -> Result<(), Failure> {
    if context.json() {
        return context.print_json(summary);
    }
    if let Some(checked) = summary.checked {
        context.print(format_args!("{checked} random entries agree with their moves"))?;
    }
    let TableSummary { positions, bytes, seconds, .. } = summary;
    // Of a table of margins each position counts once for each plane.
    let solved_of = if args.margins { "positions of planes" } else { "positions" };
    let done = match (built.solved, built.taken_up) {
        (0, 0) => format!("all {positions} positions were solved before"),
        (0, taken_up) => format!("{taken_up} {solved_of} were taken up in {seconds:.1} s"),
        (solved, 0) => {
            let rate = solved as f64 / seconds;
            let share = rate / context.all_threads() as f64;
            format!(
                "{solved} {solved_of} in {seconds:.1} s ({rate:.2e} positions/s, {share:.2e} a core)"
            )
        }
        // Taking up takes time too, so there is no rate.
        (solved, taken_up) => {
            format!("{solved} {solved_of} solved and {taken_up} taken up in {seconds:.1} s")
        }
    };
    let (subject, directory) = (built.manifest.subject, args.tables.shown());
    context.print(format_args!("{subject}: {done}, {bytes} bytes in {directory}"))?;
    summary.completeness.print(context)?;
    summary.margins.as_ref().map_or(Ok(()), |margins| margins.print(context))
}

/// Memory of the check of a tier by a sample, which a build does not have then.
fn sample_memory(args: &Args, rules: TableRules, keep: Keep) -> Result<u64, TableError> {
    let subject = TableSubject { rules, board: args.board, amazons: args.amazons };
    let mut manifest = Manifest::new(subject, keep);
    for arrows in args.least_arrows..=subject.fullest()? {
        for shape in manifest.kinds(arrows)? {
            let summary = TierSummary { positions: 0, wins: 0, bytes: 0, content: [0; 32] };
            manifest.record(TierRecord::new(&shape, &summary));
        }
    }
    let table = Table::with_manifest(&args.tables, manifest.clone())?;
    // A plane above 0 needs more than any other.
    let plane = i8::from(args.margins);
    let shapes = manifest.tiers.iter().filter_map(|tier| manifest.shape(tier));
    let shapes = shapes.map(|shape| shape.with_plane(plane));
    let most = shapes.map(|shape| least_sample_memory(&table, Some(&[shape]))).max();
    Ok(most.unwrap_or(0) + SAMPLED_TABLE)
}

/// Memory of the table that a sample is checked with: two tiers of it.
const SAMPLED_TABLE: u64 = 16 << 20;

/// Refuses a table whose files are expected to be larger than the room on their disk, with what is
/// there already.
fn refuse_what_does_not_fit(
    args: &Args,
    rules: TableRules,
    keep: Keep,
    ranks: &Ranks,
) -> Result<(), Failure> {
    let subject = TableSubject { rules, board: args.board, amazons: args.amazons };
    let (Some(plan), Some(free)) = (Plan::new(subject), free_disk::free(&args.tables)) else {
        return Ok(());
    };
    let plan = match args.margins {
        true => plan.with_margins(args.most.unwrap_or(u8::MAX)),
        false => plan,
    };
    let need = plan.with_least_arrows(args.least_arrows).disk(keep, ranks.size()).peak;
    let there = std::fs::read_dir(&args.tables).map_or(0, |files| {
        let length = |file: std::io::Result<std::fs::DirEntry>| file?.metadata().map(|of| of.len());
        files.filter_map(|file| length(file).ok()).sum()
    });
    let room = u128::from(free) + u128::from(there);
    if need <= room {
        return Ok(());
    }
    let less = match args.margins {
        true => "only the planes of fewer spare moves (--most)",
        false => {
            "keep the odd or the first tiers alone (--keep odd, first), or solve the fullest alone \
             (--least-arrows)"
        }
    };
    Err(Failure::failed(format!(
        "the files of {subject} will take about {}, there is room for {} in {}: \
         name another --tables, {less}, or give --force",
        quantity::bytes(need),
        quantity::bytes(room),
        args.tables.shown()
    )))
}

/// Derives random entries of each finished tier anew, counting them in `checked`.
fn check_sample(args: &Args, memory: u64, checked: Arc<AtomicU64>, stop: StopFlag) -> AfterTier {
    let (directory, count) = (args.tables.clone(), args.check_sample);
    AfterTier(Arc::new(move |manifest, shape| {
        let table = table_so_far(&directory, manifest).map_err(Objection::Table)?;
        let mut random = StdRng::seed_from_u64(shape.arrows() as u64);
        let (shapes, memory) = (&[*shape], memory - SAMPLED_TABLE);
        let sample = SampleJob { table: &table, shapes, count, memory };
        let report = verify_sample_of(&sample, &mut random, &(), &stop);
        let report = report.map_err(Objection::Table)?;
        checked.fetch_add(report.checked, Ordering::Relaxed);
        match report.first {
            None if stop.is_set() => Err(Objection::Stopped),
            None => Ok(()),
            Some(position) => Err(Objection::Wrong(format!(
                "{shape}: {} of {} {} not what their moves say, for example that of {}",
                report.mismatches,
                Counted(report.checked, "entry"),
                by_count(report.mismatches, "is", "are"),
                describe(manifest.subject.board, &position)
            ))),
        }
    }))
}

/// The table of a build under way, by the newest manifest: of a layer of margins with the layers
/// before it.
fn table_so_far(directory: &Path, newest: &Manifest) -> Result<Table, TableError> {
    let table = match newest.layer {
        0 => Table::with_manifest(directory, newest.clone())?,
        layer => {
            let manifest = Manifest::load(directory)?;
            let before = (1..layer).map(|layer| Manifest::load_layer(directory, layer));
            let layers = before.chain([Ok(newest.clone())]).collect::<Result<_, _>>()?;
            Table::with_layers(directory, manifest, layers)?
        }
    };
    Ok(table.with_memory(SAMPLED_TABLE))
}

fn describe(board: Board, position: &Bitboards<u64>) -> String {
    let coloured = Position::new(board, position, Colour::White);
    coloured.map_or_else(|flaws| flaws.to_string(), |position| fen(&position))
}
