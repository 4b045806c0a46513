//! The certificate of a position that a search has solved.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use super::arguments::Args;
use super::saver::not_saved;
use crate::app::cli::context::{Context, Failure};
use crate::app::cli::files::output::{Output, refused};
use crate::app::counted::Counted;
use crate::game::Outcome;
use crate::game::board::Word;
use crate::game::rules::Position;
use crate::machine::shown::Shown as _;
use crate::proof::{Claim, default_leaf};
use crate::search::{Solver, StrategyError, write_certificate_within};

/// With less memory no certificate is begun.
const LEAST: u64 = 24 << 20;
/// The share of the memory for the codes of a certificate.
const SHARE: u64 = 2;

/// Sets memory aside for the codes of two tiers, which a certificate needs beside the table of the
/// search, and says how much.
///
/// # Errors
/// If there is not enough.
pub(super) fn set_aside_codes(context: &Context) -> Result<u64, Failure> {
    let codes = context.left("a certificate", LEAST)? / SHARE;
    context.set_aside("a certificate", codes)?;
    Ok(codes)
}

/// Writes the certificate, if one is asked for, under another name until it is complete. Its codes
/// have `memory`.
///
/// # Errors
/// If it cannot be written. The verdict, which is printed, stands all the same.
pub(super) fn certify<W: Word>(
    args: &Args,
    position: &Position,
    solver: &mut Solver<'_, W>,
    outcome: Outcome,
    memory: u64,
    context: &Context,
) -> Result<(), Failure> {
    let Some(path) = &args.certificate else { return Ok(()) };
    let leaf = args.leaf.unwrap_or(default_leaf(args.walls));
    let claim = Claim { position: *position, outcome, leaf, walls: args.walls };
    let output = Output::create(path)?;
    let out: BufWriter<&File> = BufWriter::new(output.file());
    let progress = context.progress();
    let result = write_certificate_within(solver, &claim, memory, out, &progress);
    drop(progress);
    let positions = result.map_err(|error| failure(&error, path, args, position, solver))?;
    let bytes = output.file().metadata().map_err(|error| refused(path, &error))?.len();
    output.keep()?;
    let positions = Counted(positions, "position");
    context.remark(format_args!("{}: {positions}, {bytes} bytes", path.shown()));
    Ok(())
}

/// Why there is no certificate, and what to do about it.
fn failure<W: Word>(
    error: &StrategyError,
    path: &Path,
    args: &Args,
    position: &Position,
    solver: &Solver<'_, W>,
) -> Failure {
    let path = path.shown();
    match error {
        StrategyError::Stopped => {
            let stands = format!("{path}: {error}; the verdict stands");
            match save_proofs(args, position, solver) {
                Ok(how) => Failure::limit(format!("{stands}; {how}")),
                Err(lost) => Failure::failed(format!("{stands}; {lost}")),
            }
        }
        StrategyError::Memory { .. } => {
            let words = "the verdict stands; give more --memory for the certificate";
            Failure::limit(format!("{path}: {error}; {words}"))
        }
        _ => Failure::failed(format!("{path}: {error}")),
    }
}

/// Saves the proofs that were searched again for the certificate; says how to go on, or why that is
/// not possible.
fn save_proofs<W: Word>(
    args: &Args,
    position: &Position,
    solver: &Solver<'_, W>,
) -> Result<String, String> {
    let Some(path) = &args.checkpoint else {
        return Ok("with --checkpoint FILE the search would not have to be run again".to_string());
    };
    match solver.save(path, position) {
        Ok(()) => Ok(format!("the same command writes it from {}", path.shown())),
        Err(error) => Err(not_saved(path, &error, path.exists())),
    }
}
