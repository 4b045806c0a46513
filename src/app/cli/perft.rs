//! `amazons perft`: counts move sequences.

use std::time::Instant;

use serde::Serialize;

use super::arguments::position::PositionArgs;
use super::arguments::rules::RulesArgs;
use super::{Context, Failure, input};
use crate::game::Perft;

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
struct Report {
    position: String,
    /// The rules, unless they are those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    depth: u32,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveReport>>,
}

/// How many begin with one move.
#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    played: String,
    nodes: u64,
}

impl Report {
    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
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
    let position = args.position.read_by(args.rules.variant())?;
    let Perft { nodes, by_move } = position.perft(args.depth, &context.progress());
    let reported = |(played, nodes)| MoveReport { played, nodes };
    let report = Report {
        position: position.fen(),
        rules: position.rules().other_than_amazons().map(|rules| rules.to_string()),
        depth: args.depth,
        nodes,
        seconds: began.elapsed().as_secs_f64(),
        moves: args.divide.then(|| by_move.into_iter().map(reported).collect()),
    };
    report.print(context)
}
