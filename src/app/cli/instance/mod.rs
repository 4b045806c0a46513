//! `amazons instance`: positions that encode hard problems, each reduction a subcommand.

mod hamilton;

use clap::Subcommand;

use super::context::{Context, Failure};

/// Write a position that encodes a hard problem
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    problem: Problem,
}

#[derive(Debug, Subcommand)]
enum Problem {
    /// A territory whose longest play has a stated length exactly if a graph has a Hamilton circuit
    Hamilton(hamilton::Args),
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    match &args.problem {
        Problem::Hamilton(args) => hamilton::run(args, context),
    }
}
