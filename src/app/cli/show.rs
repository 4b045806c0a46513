//! `amazons show`: draws a position, perhaps after some moves.

use std::path::PathBuf;

use serde::Serialize;

use super::parts::Parts;
use super::position_args::PositionArgs;
use super::{Context, Failure, output};
use crate::game::notation::{Drawing, Symbols, fen, labelled_diagram, svg};
use crate::game::rules::Colour;

/// Draw POSITION as text, or into an SVG file
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    given: PositionArgs,

    /// Write an SVG picture to FILE in place of the diagram
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Part the position into its components and what amazons wall off: letters on the diagram, and
    /// a legend with the owner of each part and bounds on both sides' moves
    #[arg(long)]
    regions: bool,

    /// Draw with letters: Q white, q black, * burned
    #[arg(long)]
    ascii: bool,
}

#[derive(Serialize)]
struct Report {
    position: String,
    board: String,
    side_to_move: String,
    white: usize,
    black: usize,
    arrows: usize,
    diagram: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    svg: Option<PathBuf>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    regions: Option<Parts>,
}

pub(super) fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let mut given = args.given;
    let last = given.play()?;
    let position = &given.position;
    let parts = args.regions.then(|| Parts::of(position, context)).transpose()?;
    if let Some(file) = &args.svg {
        let areas = parts.as_ref().map_or(&[][..], Parts::areas);
        let drawing = last.map_or(Drawing::of(position), |last| Drawing::after(position, last));
        output::write(file, svg(&drawing.with_areas(areas)).as_bytes())?;
    }
    let symbols = if args.ascii { Symbols::Ascii } else { Symbols::Unicode };
    let label = |square| parts.as_ref().and_then(|parts| parts.label(square));
    let diagram = labelled_diagram(position, symbols, label);
    if context.json() {
        return context.print_json(&Report {
            position: fen(position),
            board: position.board().to_string(),
            side_to_move: position.turn().to_string(),
            white: position.amazons(Colour::White).len(),
            black: position.amazons(Colour::Black).len(),
            arrows: position.setup().arrows.len(),
            diagram: diagram.lines().map(str::to_string).collect(),
            svg: args.svg,
            regions: parts,
        });
    }
    match &args.svg {
        Some(file) => context.remark(format_args!("wrote {}", file.display())),
        None => context.print(diagram.trim_end())?,
    }
    parts.iter().flat_map(Parts::lines).try_for_each(|line| context.print(line))
}
