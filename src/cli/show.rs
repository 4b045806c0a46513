//! `amazons show`: draws a position, perhaps after some moves.

use std::path::PathBuf;

use serde::Serialize;

use super::given::Given;
use super::{Context, Failure, output};
use crate::notation::{Drawing, Symbols, diagram, fen, svg};
use crate::rules::Colour;

/// Draw POSITION as text, or into an SVG file
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    given: Given,

    /// Write an SVG picture to FILE in place of the diagram
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

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
}

pub(super) fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let mut given = args.given;
    let last = given.play()?;
    let position = &given.position;
    if let Some(file) = &args.svg {
        let drawing = last.map_or(Drawing::of(position), |last| Drawing::after(position, last));
        output::write(file, svg(&drawing).as_bytes())?;
    }
    let symbols = if args.ascii { Symbols::Ascii } else { Symbols::Unicode };
    let diagram = diagram(position, symbols);
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
        });
    }
    match &args.svg {
        Some(file) => context.remark(format_args!("wrote {}", file.display())),
        None => context.print(diagram.trim_end())?,
    }
    Ok(())
}
