//! `amazons show`: draws a position, perhaps after some moves.

use std::path::PathBuf;

use serde::Serialize;

use super::arguments::position::{Given, PositionArgs};
use super::arguments::rules::{RulesArgs, for_amazons_only};
use super::batch::answer_lines;
use super::context::OrFail;
use super::files::output;
use super::{Context, Failure};
use crate::app::distances::{Distances, Owned};
use crate::app::parts::Parts;
use crate::game::AnyPosition;
use crate::game::notation::{Area, Drawing, Symbols, labelled_diagram, square_text, svg};
use crate::game::rules::{Colour, Position};
use crate::game::variants::{RuleSet, VariantPosition};
use crate::machine::shown::Shown as _;

/// Draw POSITION as text, or into an SVG file; - reads positions by the line and answers in JSON
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    given: PositionArgs,

    #[command(flatten)]
    rules: RulesArgs,

    /// Write an SVG picture to FILE in place of the diagram
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Part the position into its components and what amazons wall off: letters on the diagram, and
    /// a legend with the owner of each part and bounds on both sides' moves
    #[arg(long)]
    regions: bool,

    /// Write on each empty square how many queen moves White and Black need to reach it, and count
    /// the squares that each side is nearer to
    #[arg(long, conflicts_with = "regions")]
    distances: bool,

    /// Draw with letters: Q white, q black, * burned
    #[arg(long)]
    ascii: bool,
}

impl Args {
    fn symbols(&self) -> Symbols {
        if self.ascii { Symbols::Ascii } else { Symbols::Unicode }
    }
}

#[derive(Serialize)]
struct Report {
    position: String,
    /// The rules, unless they are those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    board: String,
    side_to_move: String,
    #[serde(flatten)]
    contents: Contents,
    diagram: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    svg: Option<String>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    marked: Option<Marked>,
}

/// What is written on the squares.
#[derive(Serialize)]
#[serde(untagged)]
enum Marked {
    /// The parts of the position.
    Regions(Parts),
    /// Who is nearer to each square.
    Distances { distances: Distances, owned: Owned },
}

impl Marked {
    /// What is asked for of a position.
    fn of(args: &Args, position: &Position, context: &Context) -> Result<Option<Self>, Failure> {
        if args.distances {
            let distances = Distances::of(position).or_failed()?;
            let owned = distances.owned();
            return Ok(Some(Self::Distances { distances, owned }));
        }
        let parts = || Ok(Parts::of(position, &context.evaluator(STORED)?));
        args.regions.then(|| parts().map(Self::Regions)).transpose()
    }

    fn areas(&self) -> Vec<Area> {
        match self {
            Self::Regions(parts) => parts.areas().to_vec(),
            Self::Distances { distances, .. } => distances.areas(),
        }
    }

    /// The legend.
    fn lines(&self) -> Vec<String> {
        match self {
            Self::Regions(parts) => parts.lines(),
            Self::Distances { owned, .. } => owned.lines().to_vec(),
        }
    }
}

/// What is on the board.
#[derive(Serialize)]
#[serde(untagged)]
enum Contents {
    /// Of Amazons: how many squares hold what.
    Amazons { white: usize, black: usize, arrows: usize },
    /// Of another game, which may have walls.
    Variant { walls: Vec<String> },
}

impl Contents {
    fn of(position: &AnyPosition) -> Self {
        match position {
            AnyPosition::Amazons(position) => Self::Amazons {
                white: position.amazons(Colour::White).len(),
                black: position.amazons(Colour::Black).len(),
                arrows: position.burned(),
            },
            AnyPosition::Variant(position) => Self::Variant { walls: walls(position) },
        }
    }
}

/// The walls as text, each by the square south or west of it.
fn walls(position: &VariantPosition) -> Vec<String> {
    let walls = position.walls().iter();
    walls.map(|(square, side)| square_text(position.board(), square) + &side.to_string()).collect()
}

/// The most memory for exact values of parts.
const STORED: u64 = 128 << 20;

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    if let Some(rules) = args.rules.variant() {
        return show_variant(args, rules, context);
    }
    if args.given.is_dash()? {
        if args.svg.is_some() {
            return Err(Failure::usage("--svg is one file: give one position"));
        }
        let stop = context.stop_on_interrupt()?;
        return answer_lines(&stop, |line| {
            let position = args.given.read_line(line)?.position;
            let marked = Marked::of(args, &position, context)?;
            Ok(report(args, &AnyPosition::Amazons(position), marked))
        });
    }
    let Given { position, last } = args.given.read()?;
    let position = &position;
    let marked = Marked::of(args, position, context)?;
    let areas = marked.as_ref().map(Marked::areas).unwrap_or_default();
    if let Some(file) = &args.svg {
        let drawing = last.map_or(Drawing::of(position), |last| Drawing::after(position, last));
        output::write(file, svg(&drawing.with_areas(&areas)).as_bytes())?;
    }
    let any = AnyPosition::Amazons(*position);
    if context.json() {
        return context.print_json(&report(args, &any, marked));
    }
    match &args.svg {
        Some(file) => context.remark(format_args!("wrote {}", file.shown())),
        None => context.print(diagram(args, &any, &areas).trim_end())?,
    }
    marked.iter().flat_map(Marked::lines).try_for_each(|line| context.print(line))
}

/// As [`run`] by other rules, of which there are no pictures, parts and distances.
fn show_variant(args: &Args, rules: RuleSet, context: &Context) -> Result<(), Failure> {
    let missing = [
        (args.given.is_dash()?, "-"),
        (args.svg.is_some(), "--svg"),
        (args.regions, "--regions"),
        (args.distances, "--distances"),
    ];
    if let Some((_, what)) = missing.into_iter().find(|(asked, _)| *asked) {
        return Err(for_amazons_only(what, rules));
    }
    let position = args.given.read_by(Some(rules))?;
    if context.json() {
        return context.print_json(&report(args, &position, None));
    }
    let (diagram, fen) = (position.diagram(args.symbols()), position.fen());
    context.print(format_args!("{diagram}{rules}: {fen}"))
}

/// The diagram, with the labels of areas.
fn diagram(args: &Args, position: &AnyPosition, areas: &[Area]) -> String {
    match areas {
        [] => position.diagram(args.symbols()),
        areas => labelled_diagram(position.squares(), args.symbols(), areas),
    }
}

fn report(args: &Args, position: &AnyPosition, marked: Option<Marked>) -> Report {
    let areas = marked.as_ref().map(Marked::areas).unwrap_or_default();
    Report {
        position: position.fen(),
        rules: position.rules().other_than_amazons().map(|rules| rules.to_string()),
        board: position.board().to_string(),
        side_to_move: position.turn().to_string(),
        contents: Contents::of(position),
        diagram: diagram(args, position, &areas).lines().map(str::to_string).collect(),
        svg: args.svg.as_ref().map(|path| path.to_string_lossy().into_owned()),
        marked,
    }
}
