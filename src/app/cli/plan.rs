//! `amazons plan`: what building a table takes.

use std::path::Path;

use serde::Serialize;

use super::build::KeepArg;
use super::rules_args::RulesArgs;
use super::{Context, Failure, OrFail, free_disk, input, quantity};
use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::tables::build::{BuildError, Plan};
use crate::tables::format::Keep;
use crate::tables::index::{MAX_SQUARES, TableRules};

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
    /// Which tiers stay: all, odd or none, as for `build`
    #[arg(long, value_enum, default_value = "all")]
    keep: KeepArg,
    /// Only the tiers with K arrows and more, as for `build`
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = input::number::<usize>(0..=100))]
    least_arrows: usize,
    /// Processes that build together, each with --threads threads: `build --mpi`
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = input::number::<usize>(1..=1_000_000))]
    ranks: usize,
    /// What all processes together read and write in a second, in GB; its time is added
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
    together: Option<Together>,
    /// What a graphics card needs, and whether this machine's has it.
    #[cfg(feature = "gpu")]
    #[serde(skip_serializing_if = "Option::is_none")]
    gpu: Option<super::gpu_plan::OnCard>,
}

/// What several processes need beside what one needs.
#[derive(Serialize)]
struct Together {
    ranks: usize,
    bytes_moved: u128,
    bytes_aside: u128,
}

/// Runs `amazons plan`.
pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let (rules, board, amazons) = (args.rules.of_tables()?, args.board, args.amazons);
    let keep = args.keep.into();
    if keep == Keep::None && rules != TableRules::Amazons {
        return Err(BuildError::NoOpeningOf { rules }).or_usage();
    }
    let impossible = || {
        let fit = amazons.white.saturating_add(amazons.black) <= board.squares();
        let why =
            if fit { "its counts need more than 128 bits" } else { "so many amazons do not fit" };
        Failure::usage(format!("no plan for {board} {amazons}: {why}"))
    };
    let plan = Plan::new(rules, board, amazons)
        .ok_or_else(impossible)?
        .with_least_arrows(args.least_arrows);
    if plan.tiers.is_empty() {
        let fullest = board.squares().saturating_sub(amazons.white + amazons.black);
        let found = args.least_arrows;
        return Err(BuildError::NoSuchTier { board, amazons, fullest, found }).or_usage();
    }
    let ranks = args.ranks;
    let together = (ranks > 1).then(|| Together {
        ranks,
        bytes_moved: plan.bytes_moved(ranks),
        bytes_aside: plan.tiers.iter().map(|tier| tier.bytes_expected).max().unwrap_or(0),
    });
    let disk = plan.disk(keep, ranks);
    let moving = args.io.map_or(0.0, |rate| plan.bytes_moved(ranks) as f64 / rate);
    let seconds = plan.seconds_expected(context.threads().saturating_mul(ranks)) + moving;
    let report = Report {
        rules: (rules != TableRules::Amazons).then(|| rules.to_string()),
        board: board.to_string(),
        amazons: amazons.to_string(),
        positions: plan.total(|tier| tier.positions),
        canonical_positions: plan.total(|tier| tier.canonical_positions),
        bytes_raw: plan.total(|tier| tier.bytes_raw),
        bytes_expected: plan.total(|tier| tier.bytes_expected),
        bytes_kept: disk.stays,
        bytes_peak: disk.peak,
        bytes_free: free_disk::free(Path::new(".")),
        memory_expected: plan.memory_expected(context.memory()),
        memory_least: plan.memory_least(),
        seconds_expected: seconds,
        together,
        #[cfg(feature = "gpu")]
        gpu: super::gpu_plan::on_card(&args.gpu, rules, board, amazons, args.least_arrows),
    };
    if context.json() {
        return context.print_json(&report);
    }
    if context.verbosity() > 0 {
        by_tier(&plan, context)?;
    }
    context.print(format_args!(
        "{}{board} {amazons}: {} positions, {} canonical\n\
         files   about {} ({} before compression); {} free here\n\
         memory  about {}; {} may be used\n\
         time    about {} on {} threads (AMD EPYC, Zen 5)",
        rules.prefix(),
        report.positions,
        report.canonical_positions,
        quantity::bytes(report.bytes_expected),
        quantity::bytes(report.bytes_raw),
        report.bytes_free.map_or("unknown".into(), |free| quantity::bytes(free.into())),
        quantity::bytes(report.memory_expected),
        quantity::bytes(context.memory().into()),
        quantity::time(report.seconds_expected),
        context.threads().saturating_mul(ranks)
    ))?;
    if disk.stays < report.bytes_expected {
        context.print(format_args!(
            "kept    about {} of it; {} at the most while it is built",
            quantity::bytes(disk.stays),
            quantity::bytes(disk.peak)
        ))?;
    }
    if let Some(Together { ranks, bytes_moved, bytes_aside }) = report.together {
        let timed = if args.io.is_some() { "" } else { " whose time is not counted: see --io" };
        context.print(format_args!(
            "ranks   {ranks}, each with the threads and the memory above; they read and write about {}{timed}; {} more room while the largest tier is put together",
            quantity::bytes(bytes_moved),
            quantity::bytes(bytes_aside)
        ))?;
    }
    #[cfg(feature = "gpu")]
    if let Some(card) = &report.gpu {
        context.print(card)?;
    }
    match report.memory_least {
        None => context.print(format_args!(
            "not for tables: `build` takes boards of at most {MAX_SQUARES} squares, and tiers of at most 2^58 positions"
        ))?,
        Some(least) if least > context.memory() => context.print(format_args!(
            "does not fit: `build` needs at least {} of memory",
            quantity::bytes(least.into())
        ))?,
        Some(_) => {}
    }
    match report.bytes_free {
        Some(free) if report.bytes_peak > free.into() => context.print(format_args!(
            "does not fit here: its files take {} while it is built, there is room for {}",
            quantity::bytes(report.bytes_peak),
            quantity::bytes(free.into())
        )),
        _ => Ok(()),
    }
}

fn by_tier(plan: &Plan, context: &Context) -> Result<(), Failure> {
    context.print(format_args!(
        "{:>6} {:>7} {:>26} {:>26} {:>20} {:>20} {:>14}",
        "arrows", "amazons", "positions", "canonical", "bytes raw", "bytes", "core-seconds"
    ))?;
    for tier in &plan.tiers {
        let amazons = format!("{}v{}", tier.count.mover, tier.count.opponent);
        context.print(format_args!(
            "{:>6} {amazons:>7} {:>26} {:>26} {:>20} {:>20} {:>14.3}",
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
