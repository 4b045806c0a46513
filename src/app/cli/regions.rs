//! `amazons regions`: counts regions, line segment graphs, defective territories and zugzwangs.

use std::path::PathBuf;

use serde::Serialize;

use super::{Context, Failure, OrFail};
use crate::theory::region::{Census, Defects, MAX_DEFECTS, MAX_SIZE, count_defects, graphs_svg};
use crate::theory::values::{
    Dyadic, Evaluator, FoundZugzwang, ZugzwangCensus, strip_census, zugzwangs,
};

/// Count regions, line segment graphs, defective territories and zugzwangs by size
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The largest size, in squares
    #[arg(long, value_name = "N", default_value = "9", value_parser = clap::value_parser!(u8).range(1..=MAX_SIZE as i64))]
    size: u8,

    /// The largest size whose zugzwangs are searched; each size more takes about 20 times as long
    #[arg(long, value_name = "N", default_value = "6", value_parser = clap::value_parser!(u8).range(0..=9))]
    zugzwangs: u8,

    /// List the zugzwangs whose gain b - a - 2 is above 0
    #[arg(long)]
    list: bool,

    /// Count defective territories with N amazons of one colour, and nothing else
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=15))]
    amazons: Option<u32>,

    /// Value all positions of strips of up to N x 2 squares with one amazon a side, and nothing
    /// else
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=15))]
    strips: Option<u8>,

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

#[derive(Clone, Copy, Serialize)]
struct Defective {
    defects: usize,
    regions: u64,
    line_segment_graphs: u64,
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

pub(super) fn run(args: Args, context: &Context) -> Result<(), Failure> {
    if let Some(directory) = &args.svg {
        draw(directory, context)?;
    }
    let limit =
        (context.memory() / Evaluator::BYTES_PER_POSITION as u64).try_into().unwrap_or(usize::MAX);
    let evaluator = Evaluator::with_limit(limit);
    if let Some(amazons) = args.amazons {
        return territories(args.size.into(), amazons, context);
    }
    if let Some(longest) = args.strips {
        return strips(longest.into(), &evaluator, context);
    }
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

#[derive(Serialize)]
struct TerritoryReport {
    size: usize,
    amazons: u32,
    defective: Vec<Defective>,
}

fn territories(most: usize, amazons: u32, context: &Context) -> Result<(), Failure> {
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
    if context.json() { Ok(()) } else { print_defective(&reports, amazons, context) }
}

/// The numbers of defects that occur, from 1.
fn defective(counts: &Defects) -> Vec<Defective> {
    let occur = (1..=MAX_DEFECTS).filter(|&k| counts[k].0 > 0);
    let of = |defects: usize| {
        let (regions, line_segment_graphs) = counts[defects];
        Defective { defects, regions, line_segment_graphs }
    };
    occur.map(of).collect()
}

fn print_defective(
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

#[derive(Serialize)]
struct StripReport {
    length: u32,
    boards: u64,
    positions: u64,
    distinct_values: u64,
    numbers: u64,
    highest_temperature: Option<String>,
    hottest: Option<String>,
}

fn strips(longest: u32, evaluator: &Evaluator, context: &Context) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    if !context.json() {
        context.print("length    boards   positions  distinct values     numbers  hottest")?;
    }
    for length in 1..=longest {
        let census = strip_census(evaluator, length, &context.progress(), &stop).or_limit()?;
        let census = census.ok_or_else(|| Failure::limit(format!("stopped at length {length}")))?;
        let report = StripReport {
            length,
            boards: census.boards,
            positions: census.positions,
            distinct_values: census.values,
            numbers: census.numbers,
            highest_temperature: census.hottest.map(|hottest| hottest.0.to_string()),
            hottest: census.hottest.map(|hottest| hottest.1.to_string()),
        };
        if context.json() {
            context.print_json(&report)?;
            continue;
        }
        let hottest = census
            .hottest
            .map(|(temperature, game)| format!("{temperature} {game}"))
            .unwrap_or_default();
        context.print(format_args!(
            "{length:>6}{:>10}{:>12}{:>17}{:>12}  {hottest}",
            report.boards, report.positions, report.distinct_values, report.numbers
        ))?;
    }
    Ok(())
}

fn draw(directory: &std::path::Path, context: &Context) -> Result<(), Failure> {
    let failed = |action: &str, path: &std::path::Path, error: std::io::Error| {
        Failure::failed(format!("cannot {action} {}: {error}", path.display()))
    };
    std::fs::create_dir_all(directory).map_err(|error| failed("make", directory, error))?;
    for size in 1..=5 {
        let file = directory.join(format!("lsg-{size}.svg"));
        std::fs::write(&file, graphs_svg(size)).map_err(|error| failed("write", &file, error))?;
        context.remark(format_args!("wrote {}", file.display()));
    }
    Ok(())
}

fn count(
    size: usize,
    args: &Args,
    evaluator: &Evaluator,
    context: &Context,
) -> Result<SizeReport, Failure> {
    let stop = context.stop_on_interrupt()?;
    let progress = context.progress();
    let stopped = || {
        Failure::limit(format!("stopped while counting size {size}; smaller sizes are complete"))
    };
    let census = Census::of(size, &progress, &stop).ok_or_else(stopped)?;
    let zugzwangs = match size <= usize::from(args.zugzwangs) {
        true => Some(zugzwangs(evaluator, size, &progress, &stop).or_limit()?.ok_or_else(stopped)?),
        false => None,
    };
    Ok(SizeReport {
        size,
        regions: census.regions,
        line_segment_graphs: census.graphs,
        defective: defective(&census.defective),
        zugzwangs: zugzwangs.map(|found| report(&found, args.list)),
    })
}

fn report(found: &ZugzwangCensus, list: bool) -> ZugzwangReport {
    let line = |found: &FoundZugzwang| ZugzwangLine {
        region: found.game.to_string(),
        left: found.zugzwang.left.to_string(),
        right: found.zugzwang.right.to_string(),
        value: found.zugzwang.value().to_string(),
        hidden: found.hidden,
    };
    let list = if list { found.gainful.iter().map(line).collect() } else { Vec::new() };
    ZugzwangReport {
        plain: found.total(false),
        hidden: found.total(true),
        gain_above_0: found.gainful.len() as u64,
        gain_2_or_more: found.with_gain(Dyadic::integer(2)),
        list,
    }
}

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
    let rows: Vec<_> =
        reports.iter().map(|report| (report.size, report.defective.clone())).collect();
    print_defective(&rows, 1, context)?;
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
