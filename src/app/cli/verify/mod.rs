//! `amazons verify`: recomputes what a table, an opening table, a certificate, a directory of
//! certificates or one of results claims. The target's content says which of them it is; its name
//! does not matter.

mod certificate;
mod certificates;
mod opening;
mod results;
mod summary;
mod table;

use std::path::{Path, PathBuf};

use super::context::{Context, Failure};
use super::files::kind::{FileKind, expect_there};
use crate::app::input;
use crate::machine::pieces;
use crate::machine::ranks::Ranks;
use crate::machine::shown::Shown as _;
use crate::proof::Part;
use crate::tables::format::{Manifest, TableName};
use crate::verify::results::is_results;
use opening::LastPly;

/// Recompute what a table, an opening table, a certificate or the results directory claims
///
/// Of an opening table each value before the last ply is held against those of the next. What the
/// last ply says is proved by search where that is cheap, of a small board all of it; what is left
/// is counted as not checked.
///
/// Of a directory with certificates, `*.proof`, that is neither a table's nor one of results, each
/// certificate is checked, in order of name. The exit status is 1 if one of them is refused.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The directory of a table, of results (such as `results`) or of certificates; or the file of
    /// an opening table or a certificate
    #[arg(value_name = "DIR | FILE")]
    target: PathBuf,

    /// Verify N random entries of a table in place of all. Of an opening table, prove N random
    /// positions of the last ply by search, whatever that takes, in place of all that are cheap
    #[arg(long, value_name = "N", value_parser = input::number::<u64>(0..=u64::MAX))]
    sample: Option<u64>,

    /// Of the results, build no board again that has more positions, and no margins that have more
    /// in all their planes; of such a board only the opening table is checked [default:
    /// 100000000000]
    #[arg(long, value_name = "N", value_parser = input::number::<u64>(0..=u64::MAX))]
    up_to: Option<u64>,

    /// Check part K of N of a certificate, here or on another machine. It is a proof if all N parts
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

/// What a target is, by its content.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    /// A table's directory, or what is to be refused as one.
    Table,
    Results,
    /// A directory of certificates: these, in order of name.
    Certificates(Vec<PathBuf>),
    Opening,
    Certificate,
}

/// What can be verified, in words.
const EXPECTED: &str = "a table, an opening table, a certificate or results";

pub(super) fn run(args: &Args, context: &Context, ranks: &Ranks) -> Result<(), Failure> {
    let (path, sample, seed) = (&args.target, args.sample, args.seed.unwrap_or(1));
    let target = Target::of(path)?;
    target.refuse_options(args)?;
    match target {
        Target::Table => table::run(path, sample, seed, context, ranks),
        Target::Results => results::run(path, args.up_to.unwrap_or(UP_TO), context),
        Target::Certificates(files) => certificates::run(path, &files, context),
        Target::Opening => {
            let sample = sample.map(|count| LastPly::Sample { count, seed });
            opening::run(path, sample.unwrap_or(LastPly::Cheap), context)
        }
        Target::Certificate => certificate::run(path, args.part, context),
    }
}

impl Target {
    fn of(path: &Path) -> Result<Self, Failure> {
        if path.is_dir() {
            return Self::of_directory(path);
        }
        let begins = &pieces::beginning(path);
        expect_there(begins)?;
        let expected = |found: &str| {
            Failure::failed(format!("{}: expected {EXPECTED}, found {found}", path.shown()))
        };
        match FileKind::of(begins) {
            Ok(Some(FileKind::Opening)) => Ok(Self::Opening),
            Ok(Some(FileKind::Certificate)) => Ok(Self::Certificate),
            Ok(Some(other)) => Err(other.instead_of(path, EXPECTED)),
            Ok(None) => Err(expected("a file with other first bytes")),
            Err(error) => Err(Failure::failed(format!("cannot read {}: {error}", path.shown()))),
        }
    }

    fn of_directory(path: &Path) -> Result<Self, Failure> {
        if Manifest::path(path).exists() {
            return Ok(Self::Table);
        }
        if is_results(path) {
            return Ok(Self::Results);
        }
        let files = certificates::files(path)?;
        if !files.is_empty() {
            return Ok(Self::Certificates(files));
        }
        // Of a table that has lost its manifest it is said how it gets one again.
        if TableName::of_tiers(path).is_some() {
            return Ok(Self::Table);
        }
        Err(Failure::failed(format!(
            "{}: expected {EXPECTED}, found a directory without manifest.json, \
             verdicts.csv and *.proof",
            path.shown()
        )))
    }

    /// Refuses options that mean nothing for such a target.
    fn refuse_options(&self, args: &Args) -> Result<(), Failure> {
        let refused = [
            (args.mpi && *self != Self::Table, "--mpi is for tables"),
            (
                args.up_to.is_some() && *self != Self::Results,
                "--up-to is for directories of results",
            ),
            (
                args.part.is_some() && *self != Self::Certificate,
                "--part is for certificates, one at a time",
            ),
            (
                args.sample.is_some() && !matches!(self, Self::Table | Self::Opening),
                "--sample is for tables and opening tables",
            ),
        ];
        match refused.into_iter().find(|(refused, _)| *refused) {
            Some((_, rule)) => {
                let path = args.target.shown();
                Err(Failure::usage(format!("{rule}, {path} is none")))
            }
            None => Ok(()),
        }
    }
}
