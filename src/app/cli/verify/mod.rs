//! `amazons verify`: recomputes what a table, an opening table, a certificate or a directory of
//! results claims. The target's content says which of them it is; its name does not matter.

mod certificate;
mod opening;
mod results;
mod summary;
mod table;

use std::path::PathBuf;

use super::{Context, Failure, input};
use crate::machine::ranks::Ranks;
use crate::proof::Part;
use crate::verify::results::is_results;

/// Recompute what a table, an opening table, a certificate or the results directory claims
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A table's directory, a directory of results such as `results`, an opening table's file or a
    /// certificate's
    #[arg(value_name = "DIR | FILE")]
    target: PathBuf,

    /// Verify N random entries of a table in place of all; of an opening table's last ply, prove N
    /// by search
    #[arg(long, value_name = "N", value_parser = input::number::<u64>(0..=u64::MAX))]
    sample: Option<u64>,

    /// Of the results: boards with more positions are not built again; their openings are checked
    /// [default: 100000000000]
    #[arg(long, value_name = "N", value_parser = input::number::<u64>(0..=u64::MAX))]
    up_to: Option<u64>,

    /// Check part K of N of a certificate, here or on another machine: it is a proof if all N parts
    /// hold
    #[arg(long, value_name = "K/N", conflicts_with = "sample")]
    part: Option<Part>,

    /// Seed of the random numbers of --sample [default: 1]
    #[arg(long, value_name = "SEED", requires = "sample", value_parser = input::number::<u64>(0..=u64::MAX))]
    seed: Option<u64>,

    /// Verify a table together with the other processes that mpirun or srun has started
    #[arg(long, conflicts_with = "sample")]
    mpi: bool,
}

/// Boards of results with more positions are not built again, unless more are asked for.
const UP_TO: u64 = 100_000_000_000;

pub(super) fn run(args: &Args, context: &Context, ranks: &Ranks) -> Result<(), Failure> {
    let target = &args.target;
    if args.mpi && (target.is_file() || is_results(target)) {
        return Err(Failure::usage(format!("--mpi is for tables, {} is none", target.display())));
    }
    let refuse = |flag: &str, whose: &str| {
        Err(Failure::usage(format!("{flag} is for {whose}, {} is none", target.display())))
    };
    if args.up_to.is_some() && !is_results(target) {
        return refuse("--up-to", "directories of results");
    }
    let seed = args.seed.unwrap_or(1);
    let is_file = target.is_file();
    let is_opening = is_file && opening::is_one(target);
    if args.part.is_some() && (!is_file || is_opening) {
        return refuse("--part", "certificates");
    }
    if is_opening {
        return opening::run(target, args.sample.unwrap_or(0), seed, context);
    }
    if is_file {
        if args.sample.is_some() {
            return refuse("--sample", "tables and opening tables");
        }
        return certificate::run(target, args.part, context);
    }
    if is_results(target) {
        if args.sample.is_some() {
            return refuse("--sample", "tables and opening tables");
        }
        return results::run(target, args.up_to.unwrap_or(UP_TO), context);
    }
    table::run(target, args.sample, seed, context, ranks)
}
