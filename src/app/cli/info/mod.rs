//! `amazons info`: what a file or a directory is, and what it holds. It does not check the content:
//! `check` and `verify` do.

mod certificate;
mod checkpoint;
mod csv;
mod digest;
#[cfg(feature = "gpu")]
mod gpu;
mod opening;
mod table;

use std::path::{Path, PathBuf};

use super::context::failure::as_word;
use super::context::{Context, Failure};
use super::files::kind::{FileKind, is_there};
use crate::machine::pieces;
use crate::machine::shown::Shown as _;
use csv::Figures;

/// What a table holds: counts by tier, bytes, hashes; what an opening table, a certificate, a
/// digest or a checkpoint is about
///
/// The first bytes of a file say which it is. Of a certificate nothing is checked but that its
/// header can be: `verify` checks it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory of a table; or an opening table, a certificate, a digest or a checkpoint
    #[cfg_attr(feature = "gpu", arg(value_name = "DIR|FILE", required_unless_present = "gpu"))]
    #[cfg_attr(not(feature = "gpu"), arg(value_name = "DIR|FILE", required = true))]
    target: Option<PathBuf>,

    /// Print one kind of figure by tier as CSV, as `results/` keeps it
    #[arg(long, value_enum, conflicts_with = "json")]
    csv: Option<Figures>,

    /// List the graphics cards of this machine, as `build --gpu` takes them
    #[cfg(feature = "gpu")]
    #[arg(long, conflicts_with_all = ["target", "csv"])]
    gpu: bool,
}

/// What can be told about, in words.
const EXPECTED: &str =
    "the directory of a table, an opening table, a certificate, a digest or a checkpoint";

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    #[cfg(feature = "gpu")]
    if args.gpu {
        return gpu::run(context);
    }
    let path = args.target.as_deref().unwrap_or_else(|| Path::new("."));
    // A certificate may be there in pieces.
    let first = pieces::beginning(path);
    if path.is_dir() || !is_there(&first)? {
        return match args.csv {
            Some(figures) => csv::run(path, figures, context),
            None => table::run(path, context),
        };
    }
    let kind = FileKind::of(&first)
        .map_err(|error| Failure::failed(format!("cannot read {}: {error}", path.shown())))?;
    if let Some(kind) = kind.filter(|&kind| args.csv.is_some() && kind != FileKind::Tier) {
        return Err(Failure::usage(format!("--csv is for tables, {kind} has no tiers")));
    }
    match kind {
        Some(FileKind::Opening) => opening::run(path, context),
        Some(FileKind::Certificate) => match pieces::whole(path) {
            Some(whole) if pieces::beginning(&whole) == path => Err(Failure::failed(format!(
                "{} is a piece of {}; `amazons info {}` says what that claims",
                path.shown(),
                whole.shown(),
                as_word(&whole)
            ))),
            _ => certificate::run(path, context),
        },
        Some(FileKind::Digest) => digest::run(path, context),
        Some(FileKind::Checkpoint) => checkpoint::run(path, context),
        Some(FileKind::Tier) => Err(FileKind::Tier.instead_of(path, EXPECTED)),
        None => Err(Failure::failed(format!(
            "{}: expected {EXPECTED}, found a file with other first bytes",
            path.shown()
        ))),
    }
}
