//! `amazons regions`: counts regions, line segment graphs, defective territories and zugzwangs, and
//! finds regions with something wanted. The options choose the job; each has a file.

mod comb;
mod drawings;
mod ends;
mod forced;
mod listed;
mod sizes;
mod strips;
mod territories;

use std::path::PathBuf;

use super::context::{Context, Failure};
use crate::app::input;
use crate::theory::region::{MAX_SIZE, WantedTerritories};
use sizes::Sizes;

/// Count regions, line segment graphs, defective territories and zugzwangs by size, or find some
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The largest size, in squares
    #[arg(long, value_name = "N", default_value = "9", value_parser = input::number::<u8>(1..=MAX_SIZE as u64))]
    size: u8,

    /// The largest size whose zugzwangs are searched; each size more takes about 20 times as long
    #[arg(long, value_name = "N", default_value = "6", conflicts_with_all = ["amazons", "job"], value_parser = input::number::<u8>(0..=9))]
    zugzwangs: u8,

    /// List the zugzwangs whose gain b - a - 2 is above 0
    #[arg(long, conflicts_with_all = ["amazons", "job"])]
    list: bool,

    /// Count defective territories with N amazons of one colour, and nothing else
    #[arg(long, value_name = "N", conflicts_with_all = ["strips", "ends", "defects", "minimax"], value_parser = input::number::<u32>(1..=15))]
    amazons: Option<u32>,

    /// Value all positions of strips of up to N x 2 squares with one amazon a side, and nothing
    /// else
    #[arg(long, value_name = "N", group = "job", conflicts_with = "size", value_parser = input::number::<u8>(1..=15))]
    strips: Option<u8>,

    /// Find the smallest positions in which play ends at the number A if Left has to begin and at B
    /// if Right has, such as the zugzwang -2|1, and nothing else. Up to 6 squares all positions are
    /// tried; larger ones, up to --size, are grown from the nearest
    #[arg(long, num_args = 2, value_names = ["A", "B"], group = "job", allow_hyphen_values = true)]
    ends: Option<Vec<String>>,

    /// List the territories of --size squares with K defects, those of one line segment graph on a
    /// line, with one amazon or as many as --amazons says; with --svg draw them as
    /// DIR/territories-SIZE-AMAZONS-K.svg in place of the graphs
    #[arg(long, value_name = "K", group = "job", value_parser = input::number::<u32>(0..=15))]
    territories: Option<u32>,

    /// Compare on all positions of up to N squares where play ends with what two searches by
    /// minimax say, in which the sides have to move in turn until everything is decided
    #[arg(long, value_name = "N", group = "job", conflicts_with = "size", value_parser = input::number::<u8>(1..=9))]
    minimax: Option<u8>,

    /// Draw a territory with K defects, and nothing else
    #[arg(long, value_name = "K", group = "job", conflicts_with = "size", value_parser = input::number::<u64>(1..=MOST_DEFECTS))]
    defects: Option<u64>,

    /// Draw the line segment graphs of sizes up to 5 into DIR as lsg-SIZE.svg; with --territories
    /// those territories
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
}

/// The defects of the largest comb whose longest play is searched: 3 K - 2 squares are at most 128.
const MOST_DEFECTS: u64 = 43;

pub(super) fn run(args: Args, context: &Context) -> Result<(), Failure> {
    if let Some(defects) = args.territories {
        let wanted = WantedTerritories {
            size: args.size.into(),
            amazons: args.amazons.unwrap_or(1),
            defects,
        };
        return listed::run(wanted, args.svg.as_deref(), context);
    }
    if let Some(directory) = &args.svg {
        drawings::run(directory, context)?;
    }
    if let Some(defects) = args.defects {
        return comb::run(defects as usize, context);
    }
    let evaluator = context.evaluator(u64::MAX)?;
    if let Some(most) = args.minimax {
        return forced::run(most.into(), &evaluator, context);
    }
    match (args.amazons, args.strips, args.ends.as_deref()) {
        (Some(amazons), ..) => territories::run(args.size.into(), amazons, context),
        (_, Some(longest), _) => strips::run(longest.into(), &evaluator, context),
        (_, _, Some([left, right])) => {
            ends::run([left, right], args.size.into(), &evaluator, context)
        }
        _ => {
            let census = Sizes {
                most: args.size.into(),
                most_of_zugzwangs: args.zugzwangs.into(),
                list: args.list,
            };
            census.run(&evaluator, context)
        }
    }
}
