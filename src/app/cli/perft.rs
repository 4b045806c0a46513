//! `amazons perft`: counts move sequences.

use std::time::Instant;

use serde::Serialize;

use super::{Context, Failure, OrFail, input};
use crate::game::board::Word;
use crate::game::notation::{fen, move_text};
use crate::game::rules::{self, IndexedMove, Position, Rules};

/// Count the sequences of DEPTH moves from POSITION
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A board (its start position) or a FEN
    #[arg(value_parser = input::position)]
    position: Position,

    /// Moves in a sequence
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,

    /// List the count of every first move
    #[arg(long)]
    divide: bool,
}

#[derive(Serialize)]
struct Report {
    position: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveReport>>,
}

#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    played: String,
    nodes: u64,
}

pub(super) fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    let board = args.position.board();
    let leaves = if board.fits::<u64>() {
        count::<u64>(&args, context)
    } else {
        count::<u128>(&args, context)
    }?;
    let nodes = if args.depth == 0 { 1 } else { leaves.iter().map(|leaf| leaf.1).sum() };
    let named = |&(played, nodes): &(IndexedMove, u64)| MoveReport {
        played: move_text(board, played),
        nodes,
    };
    let report = Report {
        position: fen(&args.position),
        depth: args.depth,
        nodes,
        seconds: began.elapsed().as_secs_f64(),
        moves: args.divide.then(|| leaves.iter().map(named).collect()),
    };
    if context.json() {
        return context.print_json(&report);
    }
    for leaf in report.moves.iter().flatten() {
        context.print(format_args!("{} {}", leaf.played, leaf.nodes))?;
    }
    context.print(format_args!("{nodes}"))?;
    let rate = nodes as f64 / report.seconds.max(1e-9);
    context.remark(format_args!("{:.3} s, {:.0} million leaves/s", report.seconds, rate / 1e6));
    Ok(())
}

fn count<W: Word>(args: &Args, context: &Context) -> Result<Vec<(IndexedMove, u64)>, Failure> {
    let rules = Rules::<W>::new(args.position.board()).or_usage()?;
    let position =
        args.position.bitboards().ok_or_else(|| Failure::usage("the board is too large"))?;
    Ok(rules::divide(&rules, &position, args.depth, &context.progress()))
}
