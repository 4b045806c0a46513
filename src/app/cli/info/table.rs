//! `amazons info DIR` for tables.

use std::path::Path;

use crate::app::cli::build::{DamagedTier, TableSummary};
use crate::app::cli::context::failure::build_command;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::margins::MarginsSummary;
use crate::tables::format::{
    Keep, Manifest, OPENING_PLIES, Table, TableName, TierRecord, tier_file,
};

/// Prints what a table holds.
pub(super) fn run(directory: &Path, context: &Context) -> Result<(), Failure> {
    let mut manifest = Manifest::load(directory).or_failed()?;
    let damaged = set_apart_damaged(&mut manifest, directory);
    let seconds = manifest.milliseconds as f64 / 1000.0;
    let layers = manifest.load_layers(directory).or_failed()?;
    let mut summary = TableSummary::new(&manifest, &layers, directory, seconds);
    summary.damaged = damaged;
    let table = Table::with_layers(directory, manifest.clone(), layers).or_failed()?;
    summary.margins = MarginsSummary::of(table.stored(), directory);
    if context.json() {
        return context.print_json(&summary);
    }
    print_head(&summary, &manifest, context)?;
    print_tiers(&manifest, context)?;
    let build = build_command(&TableName::of(&manifest, directory));
    summary.damaged.iter().try_for_each(|tier| print_damaged(tier, &build, context))?;
    summary.margins.as_ref().map_or(Ok(()), |margins| margins.print(context))
}

/// What the table is about, which tiers are kept, and whether it is finished.
fn print_head(
    summary: &TableSummary<'_>,
    manifest: &Manifest,
    context: &Context,
) -> Result<(), Failure> {
    let kept = if summary.completeness.is_finished() { "kept" } else { "to be kept" };
    let keep = match manifest.keep {
        Keep::All => format!("all tiers {kept}"),
        Keep::Odd => format!("odd tiers {kept}, the others follow by one ply"),
        Keep::First => format!("tiers of at most {OPENING_PLIES} moves {kept}"),
        Keep::None => format!("no tiers {kept}"),
    };
    context.print(format_args!("{}, {keep}", manifest.subject))?;
    summary.completeness.print(context)
}

/// A line for each tier, and one for all together.
fn print_tiers(manifest: &Manifest, context: &Context) -> Result<(), Failure> {
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
    let total = |number: fn(&TierRecord) -> u64| manifest.tiers.iter().map(number).sum::<u64>();
    let bytes = total(|tier| if tier.stored { tier.bytes } else { 0 });
    context.print(format_args!(
        "{:>6} {:>7} {:>18} {:>18} {bytes:>14}",
        "all",
        "",
        total(|tier| tier.positions),
        total(|tier| tier.wins)
    ))
}

/// What is wrong with a tier, and the command that mends it.
fn print_damaged(tier: &DamagedTier, build: &str, context: &Context) -> Result<(), Failure> {
    let DamagedTier { file, expected, found, error } = tier;
    if let Some(error) = error {
        return context
            .print(format_args!("damaged: {error}; remove it, and {build} solves the tier again"));
    }
    let found = found.map_or("no file".into(), |found| format!("{found} bytes"));
    context.print(format_args!(
        "damaged: {file} has {expected} bytes by the manifest, found {found}; {build} solves the \
         tier again"
    ))
}

/// The stored tiers whose files are not as long as the manifest says, which it then calls not
/// stored: what it says of their files is not so.
fn set_apart_damaged(manifest: &mut Manifest, directory: &Path) -> Vec<DamagedTier> {
    let mut damaged = Vec::new();
    let stored: Vec<_> = manifest.tiers.iter().filter(|tier| tier.stored).cloned().collect();
    for record in stored {
        let Some(shape) = manifest.shape(&record) else { continue };
        let (found, error) = match Manifest::tier_bytes(directory, &shape) {
            Ok(found) => (found, None),
            Err(error) => (None, Some(error)),
        };
        if found != Some(record.bytes) {
            let (file, expected) = (tier_file(&shape), record.bytes);
            damaged.push(DamagedTier { file, expected, found, error });
            manifest.record(TierRecord { stored: false, ..record });
        }
    }
    damaged
}
