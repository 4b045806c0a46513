//! Counts of defective territories, by size and number of defects.

use serde::Serialize;

use crate::app::cli::context::{Context, Failure};
use crate::app::counted::Counted;
use crate::theory::region::{Defects, MAX_DEFECTS, count_defects};

/// How many territories lack so many moves, and how many line segment graphs these have.
#[derive(Clone, Copy, Serialize)]
struct Defective {
    defects: usize,
    regions: u64,
    line_segment_graphs: u64,
}

/// The territories of one size.
#[derive(Serialize)]
pub(super) struct Territories {
    /// All territories, and their line segment graphs.
    territories: u64,
    territory_graphs: u64,
    /// By number of defects, from 1.
    defective: Vec<Defective>,
}

/// One size.
#[derive(Serialize)]
struct TerritoryReport {
    size: usize,
    amazons: u32,
    #[serde(flatten)]
    territories: Territories,
}

/// Counts the defective territories with so many amazons of one colour.
pub(super) fn run(most: usize, amazons: u32, context: &Context) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    let mut reports = Vec::new();
    for size in 1..=most {
        let defects = count_defects(size, amazons, &context.progress(), &stop);
        let defects =
            defects.ok_or_else(|| Failure::limit(format!("stopped while counting size {size}")))?;
        let report = TerritoryReport { size, amazons, territories: Territories::of(&defects) };
        if context.json() {
            context.print_json(&report)?;
        }
        reports.push((size, report.territories));
    }
    let rows = reports.iter().map(|(size, territories)| (*size, territories));
    if context.json() { Ok(()) } else { print(rows, amazons, context) }
}

impl Territories {
    /// The territories that were counted, with the numbers of defects that occur.
    pub(super) fn of(counts: &Defects) -> Self {
        let occur = (1..=MAX_DEFECTS).filter(|&k| counts[k].0 > 0);
        let of = |defects: usize| {
            let (regions, line_segment_graphs) = counts[defects];
            Defective { defects, regions, line_segment_graphs }
        };
        Self {
            territories: counts.iter().map(|count| count.0).sum(),
            territory_graphs: counts.iter().map(|count| count.1).sum(),
            defective: occur.map(of).collect(),
        }
    }

    /// Which parts of the territories and of their graphs are defective, in percent.
    fn shares(&self) -> [f64; 2] {
        let share = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
        [
            share(self.defective.iter().map(|d| d.regions).sum(), self.territories),
            share(
                self.defective.iter().map(|d| d.line_segment_graphs).sum(),
                self.territory_graphs,
            ),
        ]
    }
}

/// Prints the counts by size.
pub(super) fn print<'a>(
    rows: impl Iterator<Item = (usize, &'a Territories)>,
    amazons: u32,
    context: &Context,
) -> Result<(), Failure> {
    let rows: Vec<_> = rows.collect();
    let amazons = Counted(amazons, "amazon");
    context.print(format_args!(
        "k-defective territories with {amazons}, regions/line segment graphs"
    ))?;
    let most = rows.iter().flat_map(|row| &row.1.defective).map(|d| d.defects).max().unwrap_or(0);
    let head: String = (1..=most).map(|k| format!("{k:>20}")).collect();
    context.print(format_args!("size{:>20}{:>16}{head}", "territories", "defective, %"))?;
    for (size, territories) in rows {
        let cell = |k: usize| {
            let found = territories.defective.iter().find(|d| d.defects == k);
            let text = found
                .map(|d| format!("{}/{}", d.regions, d.line_segment_graphs))
                .unwrap_or_default();
            format!("{text:>20}")
        };
        let cells: String = (1..=most).map(cell).collect();
        let all = format!("{}/{}", territories.territories, territories.territory_graphs);
        let [regions, graphs] = territories.shares();
        let shares = format!("{regions:.2}/{graphs:.2}");
        context.print(format!("{size:>4}{all:>20}{shares:>16}{cells}").trim_end())?;
    }
    Ok(())
}
