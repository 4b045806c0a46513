//! `amazons regions`: counts regions, line segment graphs, defective territories and zugzwangs. The
//! options choose the job; each has a file.

mod drawings;
mod sizes;
mod strips;
mod territories;

use std::path::PathBuf;

use super::{Context, Failure, input};
use crate::theory::region::MAX_SIZE;

/// Count regions, line segment graphs, defective territories and zugzwangs by size
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The largest size, in squares
    #[arg(long, value_name = "N", default_value = "9", value_parser = input::number::<u8>(1..=MAX_SIZE as u64))]
    size: u8,

    /// The largest size whose zugzwangs are searched; each size more takes about 20 times as long
    #[arg(long, value_name = "N", default_value = "6", value_parser = input::number::<u8>(0..=9))]
    zugzwangs: u8,

    /// List the zugzwangs whose gain b - a - 2 is above 0
    #[arg(long)]
    list: bool,

    /// Count defective territories with N amazons of one colour, and nothing else
    #[arg(long, value_name = "N", value_parser = input::number::<u32>(1..=15))]
    amazons: Option<u32>,

    /// Value all positions of strips of up to N x 2 squares with one amazon a side, and nothing
    /// else
    #[arg(long, value_name = "N", value_parser = input::number::<u8>(1..=15))]
    strips: Option<u8>,

    /// Draw the line segment graphs of sizes up to 5 into DIR as lsg-SIZE.svg
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: Args, context: &Context) -> Result<(), Failure> {
    if let Some(directory) = &args.svg {
        drawings::run(directory, context)?;
    }
    let evaluator = context.evaluator(u64::MAX)?;
    match (args.amazons, args.strips) {
        (Some(amazons), _) => territories::run(args.size.into(), amazons, context),
        (None, Some(longest)) => strips::run(longest.into(), &evaluator, context),
        (None, None) => sizes::run(&args, &evaluator, context),
    }
}
