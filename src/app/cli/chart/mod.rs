//! `amazons chart`: as a picture, what a table or a list of counts says of each number of arrows,
//! how far a search was over its time, how searches of hard instances grow, or which regions there
//! are.

mod lines;
mod regions;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::context::failure::all_margins_command;
use super::context::{Context, Failure, OrFail};
use super::files::kind::{FileKind, TABLE, expect_directory};
use super::files::{output, overwriting};
use super::text::plot::{self, Bands, Figures, Scale, Series};
use crate::machine::shown::Shown as _;
use crate::search::{History, Moment};
use crate::tables::format::{Manifest, MarginCount, Table, TableName};
use crate::tables::index::TableRules;
use crate::verify::results::read_counts;
use regions::Counted;

/// Draw figures of a table by the number of arrows, of a search over its time, or of hard instances
/// or regions by their size, as SVG
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory of a table, a counts.csv of Amazons as `info --csv counts` prints it, a checkpoint
    /// of `solve`, or lines of JSON as `instance hamilton --solve --json` or `regions --json`
    /// prints them
    source: PathBuf,

    /// What is drawn; by default the wins of a table, the nodes of a checkpoint
    #[arg(long, value_enum)]
    of: Option<What>,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// The share of the positions that the side to move wins
    Wins,
    /// Positions, every placement counted
    Positions,
    /// Bytes of the files; of a table only
    Bytes,
    /// Bits of the files for each stored position; of a table only
    Bits,
    /// Positions by margin, in bands that stand on each other; of a table of margins only
    Margins,
    /// The share of the positions that are won or lost by 0 or 1; of a table of margins only
    Sharpness,
    /// Positions that a search has evaluated, over its time; of a checkpoint only
    Nodes,
    /// Moves whose value a search has found, by the positions evaluated; of a checkpoint of
    /// `solve --all-moves` only
    Moves,
    /// Positions that the search of a longest play visits, by the vertices of the graph; of lines
    /// of `instance hamilton` only
    LongestPlay,
    /// Line segment graphs as a share of the regions, and their trend from 7 squares on with its
    /// standard error; of lines of `regions` only
    Graphs,
    /// Defective ones as a share of the territories, with any and with each number of defects, and
    /// their trend as for graphs; of lines of `regions` only
    Defective,
    /// The same of the line segment graphs of territories; of lines of `regions` only
    DefectiveGraphs,
}

impl What {
    /// Whether it is what checkpoints tell.
    fn is_of_search(self) -> bool {
        matches!(self, Self::Nodes | Self::Moves)
    }

    /// Whether it is what tables of margins tell.
    fn is_of_margins(self) -> bool {
        matches!(self, Self::Margins | Self::Sharpness)
    }
}

/// A tier, or both of its kinds together.
#[derive(Clone, Copy, Debug, Default)]
struct Tier {
    arrows: u32,
    positions: f64,
    wins: f64,
    bytes: f64,
    stored_positions: f64,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    overwriting::refuse([&args.source], [&args.out])?;
    let kind = FileKind::of(&args.source).ok().flatten();
    let (file, of_search) = (args.source.is_file(), kind == Some(FileKind::Checkpoint));
    if let Some(other) = kind.filter(|_| !of_search) {
        let expected = "the directory of a table, counts, a checkpoint or lines of JSON";
        return Err(other.instead_of(&args.source, expected));
    }
    let what = args.of.unwrap_or(if of_search { What::Nodes } else { What::Wins });
    let path = args.source.shown();
    if what.is_of_margins() {
        return draw_margins(args, what, context);
    }
    let figures = match (of_search, what.is_of_search()) {
        (true, true) => search_figures(args, what)?,
        (true, false) => {
            return Err(Failure::usage(format!(
                "{path} is a checkpoint: draw --of nodes or moves"
            )));
        }
        (false, true) => {
            return Err(Failure::usage(format!("{path} is no checkpoint of `amazons solve`")));
        }
        (false, false) => match what {
            What::LongestPlay => play_figures(args)?,
            What::Graphs => regions::graphs(&args.source)?,
            What::Defective => regions::defective(&args.source, Counted::Regions)?,
            What::DefectiveGraphs => regions::defective(&args.source, Counted::Graphs)?,
            _ if file && is_of_json(&args.source) => {
                return Err(Failure::usage(format!(
                    "{path} has lines of JSON: draw --of graphs, defective, defective-graphs or \
                     longest-play"
                )));
            }
            _ if file => table_figures(of_counts(args, what)?, what),
            _ => table_figures(of_table(args)?, what),
        },
    };
    output::write(&args.out, plot::line(&figures)?.as_bytes())?;
    context.remark(format_args!("{}: {}", args.out.shown(), figures.title));
    Ok(())
}

/// Whether a file begins as an object of JSON does.
fn is_of_json(path: &Path) -> bool {
    let mut first = [0];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
    read.is_ok() && first == *b"{"
}

/// The bands of margins, from the bottom up, and the threshold up to which each goes.
const MARGIN_BANDS: [(&str, i16); 6] = [
    ("wins by 4 or more", -4),
    ("wins by 2 or 3", -2),
    ("wins by 0 or 1", 0),
    ("loses by 0 or 1", 2),
    ("loses by 2 or 3", 4),
    ("loses by 4 or more", i16::MAX),
];

/// Draws the margins of a table by the number of arrows.
fn draw_margins(args: &Args, what: What, context: &Context) -> Result<(), Failure> {
    expect_directory(&args.source, TABLE)?;
    let table = Table::open(&args.source).or_failed()?;
    let stored = table.stored();
    let counts = stored.margin_counts();
    // What is known no nearer than a band is wide belongs to none; beyond 4 it does not matter.
    let is_vague = |count: &MarginCount| {
        count.margin.exact().is_none() && (-3..=4).contains(&count.margin.nearest().spare())
    };
    if counts.is_empty() || counts.iter().any(is_vague) {
        let build = all_margins_command(&TableName::of(table.manifest(), &args.source));
        return Err(Failure::failed(format!(
            "{} does not know margins up to 4; {build} makes them",
            args.source.shown()
        )));
    }
    let mut points: Vec<(f64, [f64; 6])> = Vec::new();
    for MarginCount { shape, margin, positions } in counts {
        let (arrows, spare) = (shape.arrows() as f64, margin.nearest().spare());
        if points.last().is_none_or(|(at, _)| *at < arrows) {
            points.push((arrows, [0.0; 6]));
        }
        let band = MARGIN_BANDS.iter().position(|(_, most)| spare <= *most).unwrap_or(5);
        if let Some((_, bands)) = points.last_mut() {
            bands[band] += positions as f64;
        }
    }
    for (_, bands) in &mut points {
        let all: f64 = bands.iter().sum();
        bands.iter_mut().for_each(|share| *share *= 100.0 / all);
    }
    let of = format!("{} {}", table.board(), table.manifest().subject.amazons);
    let (title, svg) = if what == What::Margins {
        let title = format!("Positions by margin, {of}");
        let names = MARGIN_BANDS.map(|(name, _)| name);
        let drawn = plot::bands(&Bands { title: title.clone(), by: "arrows", names, points })?;
        (title, drawn)
    } else {
        let title = format!("Positions decided by 0 or 1, {of}");
        let points = points.iter().map(|(at, bands)| (*at, bands[2] + bands[3])).collect();
        let (top, scale, series) = (Some(100.0), Scale::Linear, Series::alone(points));
        let figures = Figures { title: title.clone(), by: "arrows", axis: "%", series, top, scale };
        (title, plot::line(&figures)?)
    };
    output::write(&args.out, svg.as_bytes())?;
    context.remark(format_args!("{}: {title}", args.out.shown()));
    Ok(())
}

/// A figure of each tier.
fn table_figures((name, tiers): (String, Vec<Tier>), what: What) -> Figures {
    let (title, axis, top) = match what {
        What::Positions => ("Positions", "positions", None),
        What::Bytes => ("Files", "MB", None),
        What::Bits => ("Bits a stored position", "bits", None),
        _ => ("Positions won by the side to move", "%", Some(100.0)),
    };
    let figure = |tier: &Tier| match what {
        What::Positions => tier.positions,
        What::Bytes => tier.bytes / 1e6,
        What::Bits => 8.0 * tier.bytes / tier.stored_positions,
        _ => 100.0 * tier.wins / tier.positions,
    };
    let points = tiers.iter().map(|tier| (f64::from(tier.arrows), figure(tier)));
    let points = points.filter(|(_, figure)| figure.is_finite()).collect();
    let (title, series) = (format!("{title}, {name}"), Series::alone(points));
    Figures { title, by: "arrows", axis, series, top, scale: Scale::Linear }
}

/// A figure of each moment at which a search was saved.
fn search_figures(args: &Args, what: What) -> Result<Figures, Failure> {
    let path = args.source.shown();
    let history =
        History::of(&args.source).map_err(|error| Failure::failed(format!("{path}: {error}")))?;
    let moments = history.moments();
    let Some(last) = moments.last() else {
        return Err(Failure::failed(format!(
            "{path} has no history: it was written before checkpoints had one; a search that goes on from it begins one"
        )));
    };
    let moves = last.moves.win + last.moves.lose + last.moves.open;
    if what == What::Moves && moves == 0 {
        return Err(Failure::failed(format!("{path} is of a search without --all-moves")));
    }
    let (unit, seconds) = unit_of(last.searched);
    let point = |moment: &Moment| {
        let nodes = moment.nodes as f64 / 1e6;
        match what {
            What::Moves => (nodes, f64::from(moment.moves.win + moment.moves.lose)),
            _ => (moment.searched.as_secs_f64() / seconds, nodes),
        }
    };
    let points = std::iter::once((0.0, 0.0)).chain(moments.iter().map(point)).collect();
    let series = Series::alone(points);
    Ok(match what {
        What::Moves => Figures {
            title: format!("Moves whose value is known, of {moves}"),
            by: "million nodes",
            axis: "moves",
            series,
            top: Some(f64::from(moves)),
            scale: Scale::Linear,
        },
        _ => Figures {
            title: "Positions evaluated".to_string(),
            by: unit,
            axis: "million nodes",
            series,
            top: None,
            scale: Scale::Linear,
        },
    })
}

/// What a line of `instance hamilton --solve --json` says that is drawn.
#[derive(Deserialize)]
struct Play {
    vertices: u32,
    positions: f64,
}

/// A figure of each graph.
fn play_figures(args: &Args) -> Result<Figures, Failure> {
    let plays: Vec<Play> = lines::read(&args.source, "instance hamilton --solve --json", "graph")?;
    let points = plays.iter().map(|play| (f64::from(play.vertices), play.positions)).collect();
    Ok(Figures {
        title: "Positions searched for the longest play".to_string(),
        by: "vertices",
        axis: "positions",
        series: Series::alone(points),
        top: None,
        scale: Scale::Logarithmic,
    })
}

/// The unit in which a time is told, and its seconds.
fn unit_of(time: Duration) -> (&'static str, f64) {
    match time.as_secs() {
        0..120 => ("seconds", 1.0),
        120..7200 => ("minutes", 60.0),
        _ => ("hours", 3600.0),
    }
}

fn of_table(args: &Args) -> Result<(String, Vec<Tier>), Failure> {
    let manifest = Manifest::load(&args.source).or_failed()?;
    let mut tiers: Vec<Tier> = Vec::new();
    for record in &manifest.tiers {
        let stored = manifest.shape(record).filter(|_| record.stored);
        let held = stored.and_then(|shape| shape.count().stored_positions()).unwrap_or(0) as f64;
        add(
            &mut tiers,
            Tier {
                arrows: record.arrows as u32,
                positions: record.positions as f64,
                wins: record.wins as f64,
                bytes: if record.stored { record.bytes as f64 } else { 0.0 },
                stored_positions: held,
            },
        );
    }
    let name = format!("{} {}", manifest.subject.board, manifest.subject.amazons);
    Ok(match manifest.subject.rules {
        TableRules::Amazons => (name, tiers),
        rules => (format!("{name} by the rules of {rules}"), tiers),
    })
}

/// All kinds of a tier are one point.
fn add(tiers: &mut Vec<Tier>, tier: Tier) {
    match tiers.last_mut().filter(|last| last.arrows == tier.arrows) {
        Some(last) => {
            last.positions += tier.positions;
            last.wins += tier.wins;
            last.bytes += tier.bytes;
            last.stored_positions += tier.stored_positions;
        }
        None => tiers.push(tier),
    }
}

fn of_counts(args: &Args, what: What) -> Result<(String, Vec<Tier>), Failure> {
    let path = args.source.shown();
    if matches!(what, What::Bytes | What::Bits) {
        return Err(Failure::usage(format!(
            "{path} has no sizes of files: give the directory of a table"
        )));
    }
    let counted = read_counts(&args.source).or_failed()?;
    let (mut names, mut tiers) = (Vec::new(), Vec::new());
    for (shape, positions, wins) in counted {
        let (mover, opponent) = (shape.mover(), shape.opponent());
        let (more, fewer) = (mover.max(opponent), mover.min(opponent));
        names.push(format!("{} {more}v{fewer}", shape.board()));
        let (positions, wins) = (positions as f64, wins as f64);
        add(&mut tiers, Tier { arrows: shape.arrows() as u32, positions, wins, ..Tier::default() });
    }
    names.sort();
    names.dedup();
    match names.as_slice() {
        [name] => Ok((name.clone(), tiers)),
        _ => Err(Failure::failed(format!(
            "{path}: expected the counts of one board, found those of {}",
            names.len()
        ))),
    }
}
