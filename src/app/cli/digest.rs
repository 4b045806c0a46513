//! `amazons digest`: what was costliest to find of a checkpoint, or of a larger digest, in a small
//! file.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use super::context::{Context, Failure, OrFail};
use super::files::kind::FileKind;
use super::files::output::{Output, refused};
use super::files::overwriting;
use crate::app::input;
use crate::game::notation::fen;
use crate::game::rules::{Colour, Position};
use crate::machine::shown::Shown as _;
use crate::search::digest::{DigestError, write_digest, writing_bytes};

/// Write a digest of a checkpoint: what was costliest to find, in a file small enough to keep
///
/// `solve --digest` takes it up: a search that begins anew, on another machine, then needs a small
/// part of the time. The checkpoint may be that of a search that is running. In its place stands a
/// digest, of which a smaller one is made.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The checkpoint of a search, or a digest
    checkpoint: PathBuf,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The most bytes that it may have
    #[arg(long, value_name = "SIZE", default_value = "15MB", value_parser = input::size)]
    size: u64,
}

#[derive(Serialize)]
struct Summary {
    /// With White to move: a checkpoint knows no colours.
    position: String,
    board: String,
    nodes: u64,
    positions: u64,
    solved: u64,
    open: u64,
    least_effort: u8,
    bytes: usize,
    seconds: f64,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    overwriting::refuse([&args.checkpoint], [&args.out])?;
    if !FileKind::Digest.is_of(&args.checkpoint) {
        FileKind::Checkpoint.expect(&args.checkpoint)?;
    }
    let memory = writing_bytes(args.size);
    context.set_aside(format_args!("a digest of {} bytes", args.size), memory)?;
    // Tried before the work, so that an unwritable place costs nothing.
    let output = Output::create(&args.out)?;
    let stop = context.stop_on_interrupt()?;
    let (bytes, digest) = match write_digest(&args.checkpoint, args.size, &stop) {
        Err(error @ DigestError::TooSmall(_)) => Err(error).or_usage()?,
        Err(error @ DigestError::Interrupted) => Err(error).or_limit()?,
        Err(error) => return Err(Failure::of_file(&args.checkpoint, &error)),
        Ok(written) => written,
    };
    output.file().write_all(&bytes).map_err(|error| refused(&args.out, &error))?;
    output.keep()?;
    let position = Position::new(digest.board, &digest.position, Colour::White).or_failed()?;
    let summary = Summary {
        position: fen(&position),
        board: digest.board.to_string(),
        nodes: digest.nodes,
        positions: digest.positions,
        solved: digest.solved,
        open: digest.open,
        least_effort: digest.least_effort,
        bytes: bytes.len(),
        seconds: began.elapsed().as_secs_f64(),
    };
    summary.print(&args.out, context)
}

impl Summary {
    /// Prints it as text or JSON.
    fn print(&self, out: &Path, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let Self { positions, solved, open, board, nodes, least_effort, bytes, seconds, .. } = self;
        context.print(format_args!(
            "{positions} positions of {board} after {nodes} nodes, {solved} solved and {open} \
             open, each with 2^{least_effort} or more positions evaluated below it"
        ))?;
        context.print(format_args!("{bytes} bytes in {} ({seconds:.1} s)", out.shown()))
    }
}
