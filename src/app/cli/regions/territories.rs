//! Counts of defective territories, by size and number of defects.

use serde::Serialize;

use crate::app::cli::{Context, Failure};
use crate::theory::region::{Defects, MAX_DEFECTS, count_defects};

/// How many territories lack so many moves, and how many line segment graphs these have.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Defective {
    defects: usize,
    regions: u64,
    line_segment_graphs: u64,
}

/// One size.
#[derive(Serialize)]
struct TerritoryReport {
    size: usize,
    amazons: u32,
    defective: Vec<Defective>,
}

/// Counts the defective territories with so many amazons of one colour.
pub(super) fn run(most: usize, amazons: u32, context: &Context) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    let mut reports = Vec::new();
    for size in 1..=most {
        let defects = count_defects(size, amazons, &context.progress(), &stop);
        let defects =
            defects.ok_or_else(|| Failure::limit(format!("stopped while counting size {size}")))?;
        let report = TerritoryReport { size, amazons, defective: defective(&defects) };
        if context.json() {
            context.print_json(&report)?;
        }
        reports.push((size, report.defective));
    }
    if context.json() { Ok(()) } else { print(&reports, amazons, context) }
}

/// The numbers of defects that occur, from 1.
pub(super) fn defective(counts: &Defects) -> Vec<Defective> {
    let occur = (1..=MAX_DEFECTS).filter(|&k| counts[k].0 > 0);
    let of = |defects: usize| {
        let (regions, line_segment_graphs) = counts[defects];
        Defective { defects, regions, line_segment_graphs }
    };
    occur.map(of).collect()
}

/// Prints the counts by size.
pub(super) fn print(
    rows: &[(usize, Vec<Defective>)],
    amazons: u32,
    context: &Context,
) -> Result<(), Failure> {
    let one = if amazons == 1 { "one amazon".to_string() } else { format!("{amazons} amazons") };
    context
        .print(format_args!("k-defective territories with {one}, regions/line segment graphs"))?;
    let most = rows.iter().flat_map(|row| &row.1).map(|d| d.defects).max().unwrap_or(0);
    let head: String = (1..=most).map(|k| format!("{k:>20}")).collect();
    context.print(format_args!("size{head}"))?;
    for (size, defective) in rows {
        let cell = |k: usize| {
            let found = defective.iter().find(|d| d.defects == k);
            let text = found
                .map(|d| format!("{}/{}", d.regions, d.line_segment_graphs))
                .unwrap_or_default();
            format!("{text:>20}")
        };
        let cells: String = (1..=most).map(cell).collect();
        context.print(format!("{size:>4}{cells}").trim_end())?;
    }
    Ok(())
}
