//! Defective territories one by one, with their line segment graphs.

use std::path::Path;

use serde::Serialize;

use crate::app::cli::context::{Context, Failure};
use crate::app::cli::files::output;
use crate::machine::shown::Shown as _;
use crate::theory::region::{LocalGame, WantedTerritories, defective_territories, territories_svg};

/// Territories that have one line segment graph.
#[derive(Serialize)]
struct Report {
    size: usize,
    amazons: u32,
    defects: u32,
    regions: Vec<String>,
}

/// Lists the territories that are wanted, and draws them into a directory.
pub(super) fn run(
    wanted: WantedTerritories,
    directory: Option<&Path>,
    context: &Context,
) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    let groups = defective_territories(wanted, &context.progress(), &stop)
        .ok_or_else(|| Failure::limit("stopped before all territories were found"))?;
    let WantedTerritories { size, amazons, defects } = wanted;
    for group in &groups {
        let regions: Vec<String> = group.iter().map(LocalGame::to_string).collect();
        match context.json() {
            true => context.print_json(&Report { size, amazons, defects, regions })?,
            false => context.print(regions.join("  "))?,
        }
    }
    if !context.json() {
        let territories: usize = groups.iter().map(Vec::len).sum();
        context.print(format_args!(
            "{territories} territories of {} line segment graphs, a line for each",
            groups.len()
        ))?;
    }
    let Some(directory) = directory else { return Ok(()) };
    let file = directory.join(format!("territories-{size}-{amazons}-{defects}.svg"));
    output::create_directory(directory)?;
    output::write(&file, territories_svg(&groups).as_bytes())?;
    context.remark(format_args!("wrote {}", file.shown()));
    Ok(())
}
