//! `amazons info --csv`: one kind of figure of a table by tier, as `results/` keeps it.

use std::path::Path;

use crate::app::cli::context::{Context, Failure, OrFail};
use crate::tables::format::{Manifest, TierRecord};
use crate::tables::index::TableRules;

/// What `--csv` prints.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Figures {
    /// Positions and wins, every placement counted
    Counts,
    /// BLAKE3 of the uncompressed content
    Hashes,
}

/// Prints one kind of the figures of a table.
pub(super) fn run(directory: &Path, figures: Figures, context: &Context) -> Result<(), Failure> {
    let manifest = Manifest::load(directory).or_failed()?;
    // Figures by other rules must not be taken for those of Amazons.
    let (column, rules) = match manifest.subject.rules {
        TableRules::Amazons => ("", String::new()),
        rules => ("rules,", format!("{rules},")),
    };
    let columns = match figures {
        Figures::Counts => "board,mover_amazons,opponent_amazons,arrows,positions,wins",
        Figures::Hashes => "board,mover_amazons,opponent_amazons,arrows,blake3",
    };
    context.print(format_args!("{column}{columns}"))?;
    for tier in &manifest.tiers {
        let TierRecord { mover, opponent, arrows, .. } = tier;
        let start = format!("{rules}{},{mover},{opponent},{arrows}", manifest.subject.board);
        match figures {
            Figures::Counts => {
                context.print(format_args!("{start},{},{}", tier.positions, tier.wins))?
            }
            Figures::Hashes => context.print(format_args!("{start},{}", tier.content))?,
        }
    }
    Ok(())
}
