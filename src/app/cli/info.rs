//! `amazons info`: what a table holds.

use std::path::PathBuf;

use super::build::TableSummary;
use super::{Context, Failure, OrFail};
use crate::tables::format::{Keep, Manifest};

/// What a table holds: counts by tier, bytes, hashes
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory of the table
    directory: PathBuf,

    /// Print one kind of figure by tier as CSV, as `results/` keeps it
    #[arg(long, value_enum, conflicts_with = "json")]
    csv: Option<Figures>,
}

/// What `--csv` prints.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Figures {
    /// Positions and wins, every placement counted
    Counts,
    /// BLAKE3 of the uncompressed content
    Hashes,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let manifest = Manifest::load(&args.directory).or_failed()?;
    if let Some(figures) = args.csv {
        return print_csv(&manifest, figures, context);
    }
    let summary = TableSummary::new(&manifest, manifest.milliseconds as f64 / 1000.0);
    if context.json() {
        return context.print_json(&summary);
    }
    let keep = match manifest.keep {
        Keep::All => "all tiers kept",
        Keep::Odd => "odd tiers kept, the others follow by one ply",
    };
    context.print(format_args!("{} {}, {keep}", manifest.board, manifest.amazons))?;
    context.print(format_args!(
        "{:>6} {:>7} {:>18} {:>18} {:>14}  content (BLAKE3)",
        "arrows", "amazons", "positions", "wins", "bytes"
    ))?;
    for tier in &manifest.tiers {
        let bytes = if tier.stored { tier.bytes.to_string() } else { "-".into() };
        let amazons = format!("{}v{}", tier.mover, tier.opponent);
        context.print(format_args!(
            "{:>6} {amazons:>7} {:>18} {:>18} {bytes:>14}  {}",
            tier.arrows,
            tier.positions,
            tier.wins,
            tier.content.get(..16).unwrap_or("")
        ))?;
    }
    let total = |number: fn(&crate::tables::format::TierRecord) -> u64| {
        manifest.tiers.iter().map(number).sum::<u64>()
    };
    let bytes = total(|tier| if tier.stored { tier.bytes } else { 0 });
    context.print(format_args!(
        "{:>6} {:>7} {:>18} {:>18} {bytes:>14}",
        "all",
        "",
        total(|tier| tier.positions),
        total(|tier| tier.wins)
    ))
}

fn print_csv(manifest: &Manifest, figures: Figures, context: &Context) -> Result<(), Failure> {
    context.print(match figures {
        Figures::Counts => "board,mover_amazons,opponent_amazons,arrows,positions,wins",
        Figures::Hashes => "board,mover_amazons,opponent_amazons,arrows,blake3",
    })?;
    for tier in &manifest.tiers {
        let start = format!("{},{},{},{}", manifest.board, tier.mover, tier.opponent, tier.arrows);
        match figures {
            Figures::Counts => {
                context.print(format_args!("{start},{},{}", tier.positions, tier.wins))?
            }
            Figures::Hashes => context.print(format_args!("{start},{}", tier.content))?,
        }
    }
    Ok(())
}
