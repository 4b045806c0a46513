//! `amazons perft`: counts move sequences.

use std::time::Instant;

use serde::Serialize;

use super::arguments::position::PositionArgs;
use super::arguments::rules::RulesArgs;
use super::{Context, Failure, OrFail, input, variants};
use crate::game::board::Word;
use crate::game::notation::{fen, move_text};
use crate::game::rules::{self, IndexedMove, Position, Rules};

/// Count the sequences of DEPTH moves from POSITION, after the MOVEs
#[derive(Debug, clap::Args)]
#[command(allow_missing_positional = true)]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// Moves in a sequence
    #[arg(value_parser = input::number::<u32>(0..=100))]
    depth: u32,

    /// List the count of every first move
    #[arg(long)]
    divide: bool,

    #[command(flatten)]
    rules: RulesArgs,
}

/// How many sequences there are.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) position: String,
    /// The rules, unless they are those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rules: Option<String>,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) moves: Option<Vec<MoveReport>>,
}

/// How many begin with one move.
#[derive(Serialize)]
pub(super) struct MoveReport {
    #[serde(rename = "move")]
    pub(super) played: String,
    pub(super) nodes: u64,
}

impl Report {
    /// Prints it as text or JSON.
    pub(super) fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        for leaf in self.moves.iter().flatten() {
            context.print(format_args!("{} {}", leaf.played, leaf.nodes))?;
        }
        context.print(format_args!("{}", self.nodes))?;
        let rate = self.nodes as f64 / self.seconds.max(1e-9);
        context.remark(format_args!("{:.3} s, {:.0} million leaves/s", self.seconds, rate / 1e6));
        Ok(())
    }
}

pub(super) fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    if let Some(rules) = args.rules.variant() {
        let position = args.position.read_variant(rules)?;
        return variants::perft(&position, args.depth, args.divide, context);
    }
    let position = args.position.read()?.position;
    let board = position.board();
    let leaves = if board.fits::<u64>() {
        count::<u64>(&position, args.depth, context)
    } else {
        count::<u128>(&position, args.depth, context)
    }?;
    let nodes = if args.depth == 0 { 1 } else { leaves.iter().map(|leaf| leaf.1).sum() };
    let named = |&(played, nodes): &(IndexedMove, u64)| MoveReport {
        played: move_text(board, played),
        nodes,
    };
    let report = Report {
        position: fen(&position),
        rules: None,
        depth: args.depth,
        nodes,
        seconds: began.elapsed().as_secs_f64(),
        moves: args.divide.then(|| leaves.iter().map(named).collect()),
    };
    report.print(context)
}

fn count<W: Word>(
    position: &Position,
    depth: u32,
    context: &Context,
) -> Result<Vec<(IndexedMove, u64)>, Failure> {
    let rules = Rules::<W>::new(position.board()).or_usage()?;
    let position = position.bitboards().ok_or_else(|| Failure::usage("the board is too large"))?;
    Ok(rules::divide(&rules, &position, depth, &context.progress()))
}
