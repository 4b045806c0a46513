//! `amazons show`: draws a position, perhaps after some moves.

use std::path::PathBuf;

use serde::Serialize;

use super::arguments::position::{Given, PositionArgs};
use super::arguments::rules::RulesArgs;
use super::batch::answer_lines;
use super::files::output;
use super::{Context, Failure, variants};
use crate::app::parts::Parts;
use crate::game::notation::{Drawing, Symbols, fen, labelled_diagram, svg};
use crate::game::rules::{Colour, Position};

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
    svg: Option<String>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    regions: Option<Parts>,
}

/// The most memory for exact values of parts.
const STORED: u64 = 128 << 20;

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    if let Some(rules) = args.rules.variant() {
        let missing = [
            (args.given.is_dash()?, "-"),
            (args.svg.is_some(), "--svg"),
            (args.regions, "--regions"),
        ];
        if let Some((_, what)) = missing.into_iter().find(|(asked, _)| *asked) {
            return Err(variants::for_amazons_only(what, rules));
        }
        let symbols = if args.ascii { Symbols::Ascii } else { Symbols::Unicode };
        return variants::show(&args.given.read_variant(rules)?, symbols, context);
    }
    if args.given.is_dash()? {
        if args.svg.is_some() {
            return Err(Failure::usage("--svg is one file: give one position"));
        }
        let stop = context.stop_on_interrupt()?;
        return answer_lines(&stop, |line| {
            let position = args.given.read_line(line)?.position;
            let parts = args.regions.then(|| parts(&position, context)).transpose()?;
            Ok(report(args, &position, parts))
        });
    }
    let Given { position, last } = args.given.read()?;
    let position = &position;
    let parts = args.regions.then(|| parts(position, context)).transpose()?;
    if let Some(file) = &args.svg {
        let areas = parts.as_ref().map_or(&[][..], Parts::areas);
        let drawing = last.map_or(Drawing::of(position), |last| Drawing::after(position, last));
        output::write(file, svg(&drawing.with_areas(areas)).as_bytes())?;
    }
    if context.json() {
        return context.print_json(&report(args, position, parts));
    }
    match &args.svg {
        Some(file) => context.remark(format_args!("wrote {}", file.display())),
        None => context.print(diagram(args, position, parts.as_ref()).trim_end())?,
    }
    parts.iter().flat_map(Parts::lines).try_for_each(|line| context.print(line))
}

fn parts(position: &Position, context: &Context) -> Result<Parts, Failure> {
    Ok(Parts::of(position, &context.evaluator(STORED)?))
}

fn diagram(args: &Args, position: &Position, parts: Option<&Parts>) -> String {
    let symbols = if args.ascii { Symbols::Ascii } else { Symbols::Unicode };
    labelled_diagram(position, symbols, |square| parts.and_then(|parts| parts.label(square)))
}

fn report(args: &Args, position: &Position, parts: Option<Parts>) -> Report {
    Report {
        position: fen(position),
        board: position.board().to_string(),
        side_to_move: position.turn().to_string(),
        white: position.amazons(Colour::White).len(),
        black: position.amazons(Colour::Black).len(),
        arrows: position.setup().arrows.len(),
        diagram: diagram(args, position, parts.as_ref()).lines().map(str::to_string).collect(),
        svg: args.svg.as_ref().map(|path| path.display().to_string()),
        regions: parts,
    }
}
