//! `amazons info --csv`: one kind of figure of a table by tier, as `results/` keeps it.

use std::path::Path;

use crate::app::cli::context::failure::margins_command;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::machine::shown::Shown as _;
use crate::tables::format::{Manifest, MarginCount, Table, TableName, TierRecord};
use crate::tables::index::TableRules;

/// What `--csv` prints.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Figures {
    /// Positions and wins, every placement counted
    Counts,
    /// BLAKE3 of the uncompressed content
    Hashes,
    /// Positions by margin, of a table of margins
    Margins,
    /// BLAKE3 of the uncompressed content of the planes, of a table of margins
    MarginHashes,
}

/// Prints one kind of the figures of a table.
pub(super) fn run(directory: &Path, figures: Figures, context: &Context) -> Result<(), Failure> {
    let manifest = Manifest::load(directory).or_failed()?;
    let (columns, of_tier): (_, fn(&TierRecord) -> String) = match figures {
        Figures::Counts => ("positions,wins", |tier| format!("{},{}", tier.positions, tier.wins)),
        Figures::Hashes => ("blake3", |tier| tier.content.clone()),
        Figures::Margins | Figures::MarginHashes => {
            return of_margins(directory, figures, context);
        }
    };
    // Figures by other rules must not be taken for those of Amazons.
    let (column, rules) = match manifest.subject.rules {
        TableRules::Amazons => ("", String::new()),
        rules => ("rules,", format!("{rules},")),
    };
    context.print(format_args!("{column}board,mover_amazons,opponent_amazons,arrows,{columns}"))?;
    for tier in &manifest.tiers {
        let TierRecord { mover, opponent, arrows, .. } = tier;
        let board = manifest.subject.board;
        let figures = of_tier(tier);
        context.print(format_args!("{rules}{board},{mover},{opponent},{arrows},{figures}"))?;
    }
    Ok(())
}

/// Prints one kind of the figures of a table's margins.
fn of_margins(directory: &Path, figures: Figures, context: &Context) -> Result<(), Failure> {
    let table = Table::open_any(directory).or_failed()?;
    let (stored, board) = (table.stored(), table.board());
    if stored.layers().is_empty() {
        let advice = match table.manifest().subject.rules {
            TableRules::Amazons => {
                let build = margins_command(&TableName::of(table.manifest(), directory));
                format!("{build} makes them")
            }
            rules => format!("those are of tables of amazons, found {rules}"),
        };
        return Err(Failure::failed(format!("{} has no margins; {advice}", directory.shown())));
    }
    if let Figures::Margins = figures {
        let columns = "board,mover_amazons,opponent_amazons,arrows,threshold,bound,positions";
        context.print(columns)?;
        for MarginCount { shape, margin, positions } in stored.margin_counts() {
            let bound = margin.bound().unwrap_or_default();
            let (mover, opponent, arrows) = (shape.mover(), shape.opponent(), shape.arrows());
            let threshold = margin.nearest().spare();
            context.print(format_args!(
                "{board},{mover},{opponent},{arrows},{threshold},{bound},{positions}"
            ))?;
        }
        return Ok(());
    }
    context.print("board,mover_amazons,opponent_amazons,arrows,plane,blake3")?;
    for shape in stored.stored_shapes() {
        let (mover, opponent, arrows) = (shape.mover(), shape.opponent(), shape.arrows());
        let content = stored.record(&shape).map_or("", |record| &record.content);
        let plane = shape.plane();
        context.print(format_args!("{board},{mover},{opponent},{arrows},{plane},{content}"))?;
    }
    Ok(())
}
