//! Counts of regions, line segment graphs, defective territories and zugzwangs, by size.

use serde::Serialize;

use super::territories::{self, Territories};
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::theory::region::Census;
use crate::theory::values::{Dyadic, Evaluator, FoundZugzwang, ZugzwangCensus, zugzwangs};

/// One size.
#[derive(Serialize)]
struct SizeReport {
    size: usize,
    regions: u64,
    line_segment_graphs: u64,
    #[serde(flatten)]
    territories: Territories,
    #[serde(skip_serializing_if = "Option::is_none")]
    zugzwangs: Option<ZugzwangReport>,
}

#[derive(Serialize)]
struct ZugzwangReport {
    plain: u64,
    hidden: u64,
    gain_above_0: u64,
    gain_2_or_more: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    list: Vec<ZugzwangLine>,
}

#[derive(Serialize)]
struct ZugzwangLine {
    region: String,
    left: String,
    right: String,
    value: String,
    hidden: bool,
}

/// What is counted.
pub(super) struct Sizes {
    /// The largest size.
    pub(super) most: usize,
    /// The largest size whose zugzwangs are searched.
    pub(super) most_of_zugzwangs: usize,
    /// Whether the zugzwangs with a gain are listed.
    pub(super) list: bool,
}

impl Sizes {
    /// Counts every size up to the largest.
    pub(super) fn run(&self, evaluator: &Evaluator, context: &Context) -> Result<(), Failure> {
        let mut reports = Vec::new();
        for size in 1..=self.most {
            let report = self.count(size, evaluator, context)?;
            if context.json() {
                context.print_json(&report)?;
            }
            reports.push(report);
        }
        if context.json() { Ok(()) } else { print(&reports, context) }
    }

    fn count(
        &self,
        size: usize,
        evaluator: &Evaluator,
        context: &Context,
    ) -> Result<SizeReport, Failure> {
        let stop = context.stop_on_interrupt()?;
        let progress = context.progress();
        let stopped = || {
            Failure::limit(format!(
                "stopped while counting size {size}; smaller sizes are complete"
            ))
        };
        let census = Census::of(size, &progress, &stop).ok_or_else(stopped)?;
        let zugzwangs = match size <= self.most_of_zugzwangs {
            true => {
                let census = zugzwangs(evaluator, size, &progress, &stop).or_limit()?;
                Some(ZugzwangReport::of(&census.ok_or_else(stopped)?, self.list))
            }
            false => None,
        };
        Ok(SizeReport {
            size,
            regions: census.regions,
            line_segment_graphs: census.graphs,
            territories: Territories::of(&census.defective),
            zugzwangs,
        })
    }
}

impl ZugzwangReport {
    fn of(census: &ZugzwangCensus, list: bool) -> Self {
        let line = |found: &FoundZugzwang| ZugzwangLine {
            region: found.game.to_string(),
            left: found.zugzwang.left.to_string(),
            right: found.zugzwang.right.to_string(),
            value: found.zugzwang.value().to_string(),
            hidden: found.hidden,
        };
        Self {
            plain: census.plain(),
            hidden: census.hidden(),
            gain_above_0: census.gainful.len() as u64,
            gain_2_or_more: census.with_gain(Dyadic::integer(2)),
            list: if list { census.gainful.iter().map(line).collect() } else { Vec::new() },
        }
    }
}

/// Prints all sizes, as tables.
fn print(reports: &[SizeReport], context: &Context) -> Result<(), Failure> {
    context.print(
        "size     regions  line segment graphs   zugzwangs plain    hidden  gain > 0  gain >= 2",
    )?;
    for report in reports {
        let zugzwangs = report.zugzwangs.as_ref();
        let zugzwangs = zugzwangs
            .map(|z| {
                format!(
                    "{:>18}{:>10}{:>10}{:>11}",
                    z.plain, z.hidden, z.gain_above_0, z.gain_2_or_more
                )
            })
            .unwrap_or_default();
        let (size, regions, graphs) = (report.size, report.regions, report.line_segment_graphs);
        context.print(format_args!("{size:>4}{regions:>12}{graphs:>21}{zugzwangs}"))?;
    }
    context.print("")?;
    let rows = reports.iter().map(|report| (report.size, &report.territories));
    territories::print(rows, 1, context)?;
    let lists = reports.iter().filter_map(|report| Some((report.size, report.zugzwangs.as_ref()?)));
    for (size, zugzwangs) in lists.filter(|(_, zugzwangs)| !zugzwangs.list.is_empty()) {
        context.print(format_args!("\nzugzwangs of size {size}"))?;
        for line in &zugzwangs.list {
            let kind = if line.hidden { "  hidden" } else { "" };
            context.print(format_args!(
                "{}  {}|{} = {}{kind}",
                line.region, line.left, line.right, line.value
            ))?;
        }
    }
    Ok(())
}
