//! `amazons regions`: counts regions, line segment graphs, defective territories and zugzwangs.

use std::path::PathBuf;

use anyhow::Context as _;
use serde::Serialize;

use super::{Context, Failure, OrFail};
use crate::region::{Census, MAX_DEFECTS, MAX_SIZE, graphs_svg};
use crate::values::{Evaluator, FoundZugzwang, zugzwangs};

/// Count regions, line segment graphs, defective territories and zugzwangs by size
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The largest size, in squares
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u8).range(1..=MAX_SIZE as i64))]
    size: u8,

    /// The largest size whose zugzwangs are searched; each size more takes about 20 times as long
    #[arg(long, value_name = "N", default_value = "6", value_parser = clap::value_parser!(u8).range(0..=9))]
    zugzwangs: u8,

    /// List the zugzwangs found
    #[arg(long)]
    list: bool,

    /// Draw the line segment graphs of sizes up to 5 into DIR as lsg-SIZE.svg
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
}

#[derive(Serialize)]
struct SizeReport {
    size: usize,
    regions: u64,
    line_segment_graphs: u64,
    /// By number of defects, from 1.
    defective: Vec<Defective>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zugzwangs: Option<ZugzwangReport>,
}

#[derive(Serialize)]
struct Defective {
    defects: usize,
    regions: u64,
    line_segment_graphs: u64,
}

#[derive(Serialize)]
struct ZugzwangReport {
    plain: usize,
    hidden: usize,
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

pub(super) fn run(args: Args, context: &Context) -> Result<(), Failure> {
    if let Some(directory) = &args.svg {
        draw(directory, context)?;
    }
    let limit = (context.memory() / Evaluator::BYTES_PER_POSITION as u64).try_into().unwrap_or(usize::MAX);
    let evaluator = Evaluator::with_limit(limit);
    let mut reports = Vec::new();
    for size in 1..=usize::from(args.size) {
        let report = count(size, &args, &evaluator, context)?;
        if context.json() {
            context.print_json(&report)?;
        }
        reports.push(report);
    }
    if context.json() { Ok(()) } else { print(&reports, context) }
}

fn draw(directory: &std::path::Path, context: &Context) -> Result<(), Failure> {
    let create = std::fs::create_dir_all(directory);
    create.with_context(|| format!("cannot make {}", directory.display())).or_failed()?;
    for size in 1..=5 {
        let file = directory.join(format!("lsg-{size}.svg"));
        let write = std::fs::write(&file, graphs_svg(size));
        write.with_context(|| format!("cannot write {}", file.display())).or_failed()?;
        context.remark(format_args!("wrote {}", file.display()));
    }
    Ok(())
}

fn count(size: usize, args: &Args, evaluator: &Evaluator, context: &Context) -> Result<SizeReport, Failure> {
    let stop = context.stop_on_interrupt()?;
    let progress = context.progress();
    let stopped =
        || Failure::limit(format!("stopped while counting size {size}; smaller sizes are complete"));
    let census = Census::of(size, &progress, &stop).ok_or_else(stopped)?;
    let zugzwangs = match size <= usize::from(args.zugzwangs) {
        true => Some(zugzwangs(evaluator, size, &progress, &stop).or_limit()?.ok_or_else(stopped)?),
        false => None,
    };
    let defective = (1..=MAX_DEFECTS).filter(|&k| census.defective[k].0 > 0);
    let defective = defective.map(|defects| {
        let (regions, line_segment_graphs) = census.defective[defects];
        Defective { defects, regions, line_segment_graphs }
    });
    Ok(SizeReport {
        size,
        regions: census.regions,
        line_segment_graphs: census.graphs,
        defective: defective.collect(),
        zugzwangs: zugzwangs.map(|found| report(&found, args.list)),
    })
}

fn report(found: &[FoundZugzwang], list: bool) -> ZugzwangReport {
    let hidden = found.iter().filter(|found| found.hidden).count();
    let line = |found: &FoundZugzwang| ZugzwangLine {
        region: found.game.to_string(),
        left: found.zugzwang.left.to_string(),
        right: found.zugzwang.right.to_string(),
        value: found.zugzwang.value().to_string(),
        hidden: found.hidden,
    };
    let list = if list { found.iter().map(line).collect() } else { Vec::new() };
    ZugzwangReport { plain: found.len() - hidden, hidden, list }
}

fn print(reports: &[SizeReport], context: &Context) -> Result<(), Failure> {
    context.print("size     regions  line segment graphs   zugzwangs plain  hidden")?;
    for report in reports {
        let zugzwangs = report.zugzwangs.as_ref();
        let zugzwangs = zugzwangs.map(|z| format!("{:>18}{:>8}", z.plain, z.hidden)).unwrap_or_default();
        let (size, regions, graphs) = (report.size, report.regions, report.line_segment_graphs);
        context.print(format_args!("{size:>4}{regions:>12}{graphs:>21}{zugzwangs}"))?;
    }
    context.print("\nk-defective territories with one amazon, regions/line segment graphs")?;
    let most = reports.iter().flat_map(|report| &report.defective).map(|d| d.defects).max().unwrap_or(0);
    let head: String = (1..=most).map(|k| format!("{k:>20}")).collect();
    context.print(format_args!("size{head}"))?;
    for report in reports {
        let cell = |d: &Defective| format!("{:>20}", format!("{}/{}", d.regions, d.line_segment_graphs));
        let cells: String = report.defective.iter().map(cell).collect();
        context.print(format_args!("{:>4}{cells}", report.size))?;
    }
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
