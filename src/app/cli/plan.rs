//! `amazons plan`: what building a table takes.

use std::path::Path;

use serde::Serialize;

use super::arguments::rules::RulesArgs;
use super::build::KeepArg;
use super::context::{Context, Failure, OrFail};
use super::files::free_disk;
use super::text::quantity;
use crate::app::input;
use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::machine::ranks::Ranks;
use crate::tables::format::Keep;
use crate::tables::index::{MAX_SQUARES, TableRules, TableSubject};
use crate::tables::retrograde::{BuildError, BuildOptions, Plan, check_margins};

/// Positions, bytes, memory and time of a table, before anything is computed; by tier with -v
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The board, columns x rows
    board: Board,
    #[command(flatten)]
    rules: RulesArgs,
    /// Amazons a side, White v Black
    #[arg(long, default_value = "4v4")]
    amazons: Amazons,
    /// Which tiers stay: all, odd, first or none, as for `build`
    #[arg(long, value_enum, default_value = "all")]
    keep: KeepArg,
    /// Only the tiers with K arrows and more, as for `build`
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = input::number::<usize>(0..=100))]
    least_arrows: usize,
    /// Also the planes of a table of margins: `build --margins`
    #[arg(long, conflicts_with_all = ["ranks", "least_arrows", "keep"])]
    margins: bool,
    /// Processes that build together, each with --threads threads: `build --mpi`
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = input::number::<usize>(1..=1_000_000))]
    ranks: usize,
    /// GB that all processes together read and write in a second; the time for that is added
    #[arg(long, value_name = "GB/S", value_parser = rate)]
    io: Option<f64>,
    #[cfg(feature = "gpu")]
    #[command(flatten)]
    gpu: super::gpu_args::GpuArgs,
}

/// A number of bytes a second, from GB.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse::<f64>().ok().filter(|rate| rate.is_finite() && *rate > 0.0);
    rate.map(|rate| 1e9 * rate).ok_or_else(|| "expected a number above 0, such as 20".to_string())
}

#[derive(Serialize)]
struct Report {
    /// The rules, if they are others than those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    board: String,
    amazons: String,
    positions: u128,
    canonical_positions: u128,
    bytes_raw: u128,
    bytes_expected: u128,
    /// Bytes of files that stay, and the most that there are at any moment.
    bytes_kept: u128,
    bytes_peak: u128,
    /// Bytes that are free on the disk of this directory, if the system says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_free: Option<u64>,
    memory_expected: u128,
    /// With less memory `build` does not begin; nothing if no table has this board.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_least: Option<u64>,
    seconds_expected: f64,
    /// Bytes read and written by several processes, and the room that they need besides the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    together: Option<ByRanks>,
    /// What a graphics card needs, and whether this machine's has it.
    #[cfg(feature = "gpu")]
    #[serde(skip_serializing_if = "Option::is_none")]
    gpu: Option<super::gpu_plan::OnCard>,
}

/// What several processes need beside what one needs.
#[derive(Serialize)]
struct ByRanks {
    ranks: usize,
    bytes_moved: u128,
    bytes_aside: u128,
}

/// Runs `amazons plan`.
pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let rules = args.rules.of_tables()?;
    if Keep::from(args.keep) == Keep::None && rules != TableRules::Amazons {
        return Err(BuildError::NoOpeningOf { rules }).or_usage();
    }
    if args.margins {
        let options = BuildOptions { rules, ..BuildOptions::new(0) };
        check_margins(&options, &Ranks::alone()).or_usage()?;
    }
    let plan = plan(args, rules)?;
    let plan = if args.margins { plan.with_margins(u8::MAX) } else { plan };
    let report = Report::new(args, rules, &plan, context);
    if context.json() {
        return context.print_json(&report);
    }
    if context.verbosity() > 0 {
        print_tiers(&plan, context)?;
    }
    report.print(args, context)
}

/// The plan of the tiers that are asked for.
fn plan(args: &Args, rules: TableRules) -> Result<Plan, Failure> {
    let (board, amazons) = (args.board, args.amazons);
    let impossible = || {
        let fit = amazons.white.saturating_add(amazons.black) <= board.squares();
        let why =
            if fit { "its counts need more than 128 bits" } else { "so many amazons do not fit" };
        Failure::usage(format!("no plan for {board} {amazons}: {why}"))
    };
    let subject = TableSubject { rules, board, amazons };
    subject.check_sides().or_usage()?;
    let whole = Plan::new(subject).ok_or_else(impossible)?;
    let fullest = whole.tiers.last().map_or(0, |tier| tier.count.arrows);
    let plan = whole.with_least_arrows(args.least_arrows);
    if plan.tiers.is_empty() {
        let found = args.least_arrows;
        return Err(BuildError::NoSuchTier { board, amazons, fullest, found }).or_usage();
    }
    Ok(plan)
}

impl Report {
    fn new(args: &Args, rules: TableRules, plan: &Plan, context: &Context) -> Self {
        let ranks = args.ranks;
        let disk = plan.disk(args.keep.into(), ranks);
        let moving = args.io.map_or(0.0, |rate| plan.bytes_moved(ranks) as f64 / rate);
        let threads = context.threads().saturating_mul(ranks);
        Self {
            rules: (rules != TableRules::Amazons).then(|| rules.to_string()),
            board: args.board.to_string(),
            amazons: args.amazons.to_string(),
            positions: plan.total(|tier| tier.positions),
            canonical_positions: plan.total(|tier| tier.canonical_positions),
            bytes_raw: plan.total(|tier| tier.bytes_raw),
            bytes_expected: plan.total(|tier| tier.bytes_expected),
            bytes_kept: disk.stays,
            bytes_peak: disk.peak,
            bytes_free: free_disk::free(Path::new(".")),
            memory_expected: plan.memory_expected(context.memory()),
            memory_least: plan.memory_least(),
            seconds_expected: plan.seconds_expected(threads) + moving,
            together: (ranks > 1).then(|| ByRanks::new(ranks, plan)),
            #[cfg(feature = "gpu")]
            gpu: super::gpu_plan::on_card(
                &args.gpu,
                plan.subject,
                args.least_arrows,
                i8::from(args.margins),
                ranks,
            ),
        }
    }

    /// Prints it as text.
    fn print(&self, args: &Args, context: &Context) -> Result<(), Failure> {
        self.print_figures(args, context)?;
        if self.bytes_kept < self.bytes_expected {
            context.print(format_args!(
                "kept    about {} of it; {} at the most while it is built",
                quantity::bytes(self.bytes_kept),
                quantity::bytes(self.bytes_peak)
            ))?;
        }
        if let Some(by_ranks) = &self.together {
            by_ranks.print(args, context)?;
        }
        #[cfg(feature = "gpu")]
        if let Some(card) = &self.gpu {
            context.print(card)?;
        }
        self.print_whether_it_fits(context)
    }

    /// What the table has, and what it takes.
    fn print_figures(&self, args: &Args, context: &Context) -> Result<(), Failure> {
        let rules = self.rules.as_ref().map_or(String::new(), |rules| format!("{rules} "));
        context.print(format_args!(
            "{rules}{} {}: {} positions, {} canonical\n\
             files   about {} ({} before compression); {} free here\n\
             memory  {}about {} used; {} may be used\n\
             time    about {} on {} threads (AMD EPYC, Zen 5)",
            self.board,
            self.amazons,
            self.positions,
            self.canonical_positions,
            quantity::bytes(self.bytes_expected),
            quantity::bytes(self.bytes_raw),
            self.bytes_free.map_or("unknown".into(), |free| quantity::bytes(free.into())),
            self.memory_least.map_or(String::new(), |least| {
                format!("at least {}, as `build` wants, ", quantity::bytes(least.into()))
            }),
            quantity::bytes(self.memory_expected),
            quantity::bytes(context.memory().into()),
            quantity::time(self.seconds_expected),
            context.threads().saturating_mul(args.ranks)
        ))
    }

    fn print_whether_it_fits(&self, context: &Context) -> Result<(), Failure> {
        match self.memory_least {
            None => context.print(format_args!(
                "not for tables: `build` takes boards of at most {MAX_SQUARES} squares, and tiers \
                 of at most 2^58 positions"
            ))?,
            Some(least) if least > context.memory() => context.print(format_args!(
                "does not fit: `build` needs at least {} of memory",
                quantity::bytes(least.into())
            ))?,
            Some(_) => {}
        }
        match self.bytes_free {
            Some(free) if self.bytes_peak > free.into() => context.print(format_args!(
                "does not fit here: its files take {} while it is built, there is room for {}",
                quantity::bytes(self.bytes_peak),
                quantity::bytes(free.into())
            )),
            _ => Ok(()),
        }
    }
}

impl ByRanks {
    fn new(ranks: usize, plan: &Plan) -> Self {
        let bytes_aside = plan.tiers.iter().map(|tier| tier.bytes_expected).max().unwrap_or(0);
        Self { ranks, bytes_moved: plan.bytes_moved(ranks), bytes_aside }
    }

    fn print(&self, args: &Args, context: &Context) -> Result<(), Failure> {
        let timed = if args.io.is_some() { "" } else { " whose time is not counted: see --io" };
        context.print(format_args!(
            "ranks   {}, each with the threads and the memory above; they read and write about \
             {}{timed}; {} more room while the largest tier is put together",
            self.ranks,
            quantity::bytes(self.bytes_moved),
            quantity::bytes(self.bytes_aside)
        ))
    }
}

/// A line for each tier.
fn print_tiers(plan: &Plan, context: &Context) -> Result<(), Failure> {
    context.print(format_args!(
        "{:>6} {:>7} {:>26} {:>26} {:>8} {:>20} {:>20} {:>14}",
        "arrows",
        "amazons",
        "positions",
        "canonical",
        "moves",
        "bytes raw",
        "bytes",
        "core-seconds"
    ))?;
    for tier in &plan.tiers {
        let amazons = format!("{}v{}", tier.count.mover, tier.count.opponent);
        let moves = match plan.subject.rules {
            TableRules::Amazons => tier.count.moves(),
            _ => None,
        };
        let moves = moves
            .map_or(String::new(), |moves| format!("{:.2}", moves as f64 / tier.positions as f64));
        context.print(format_args!(
            "{:>6} {amazons:>7} {:>26} {:>26} {moves:>8} {:>20} {:>20} {:>14.3}",
            tier.count.arrows,
            tier.positions,
            tier.canonical_positions,
            tier.bytes_raw,
            tier.bytes_expected,
            tier.core_seconds
        ))?;
    }
    Ok(())
}
