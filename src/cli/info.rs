//! `amazons info`: what a table holds.

use std::path::PathBuf;

use super::build::TableSummary;
use super::{Context, Failure, OrFail};
use crate::table::{Keep, Manifest};

/// What a table holds: counts by tier, bytes, hashes
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory of the table
    directory: PathBuf,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let manifest = Manifest::load(&args.directory).or_failed()?;
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
    let total = |number: fn(&crate::table::TierRecord) -> u64| manifest.tiers.iter().map(number).sum::<u64>();
    let bytes = total(|tier| if tier.stored { tier.bytes } else { 0 });
    context.print(format_args!(
        "{:>6} {:>7} {:>18} {:>18} {bytes:>14}",
        "all",
        "",
        total(|tier| tier.positions),
        total(|tier| tier.wins)
    ))
}
