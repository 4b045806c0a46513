//! `amazons verify FILE` for opening tables.

use std::path::Path;
use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;

use super::summary::{Verified, conclude, white_to_move};
use crate::app::cli::context::failure::with_advice;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::game::Outcome;
use crate::game::code::Code;
use crate::machine::files::open_regular;
use crate::machine::progress::{Observer, StopFlag};
use crate::search::Solver;
use crate::tables::opening::{Opening, OpeningError};
use crate::verify::opening::verify;
use crate::verify::table::Comparison;

/// With less memory no opening table is read.
const LEAST: u64 = 1 << 20;

/// Derives every value before the last ply from those of the next, and proves `sample` random ones
/// of the last.
pub(super) fn run(path: &Path, sample: u64, seed: u64, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    let stop = context.stop_on_interrupt()?;
    let (opening, mut report) = derive_again(path, context, &stop)?;
    if report.mismatches == 0 {
        prove_sample(&opening, sample, seed, &mut report, context, &stop)?;
    }
    let verified = Verified {
        checked: report.checked,
        mismatches: report.mismatches,
        ..Verified::of(path, "positions of the opening", began)
    };
    conclude(&verified, wrong(&opening, &report), &stop, context)
}

/// Reads an opening table and checks it against the rules.
pub(super) fn derive_again(
    path: &Path,
    context: &Context,
    stop: &StopFlag,
) -> Result<(Opening, Comparison), Failure> {
    let named = |error: OpeningError| {
        Failure::failed(format!("{} {}", path.display(), with_advice(&error)))
    };
    // Checking takes a byte a position beside the 9 that it takes itself.
    let memory = context.left("an opening table", LEAST)? / 10 * 9;
    let opening = open_regular(path).map_err(Into::into);
    let opening = opening.and_then(|file| Opening::read_within(file, memory)).map_err(named)?;
    let progress = context.progress();
    let report = verify(&opening, &progress, stop);
    Ok((opening, report))
}

/// What is wrong, in words.
pub(super) fn wrong(opening: &Opening, report: &Comparison) -> Option<String> {
    let example = report.first.map(|position| white_to_move(opening.board(), &position));
    let example = example.map_or(String::new(), |fen| format!(", for example {fen}"));
    let Comparison { checked, mismatches, .. } = report;
    (*mismatches > 0).then(|| {
        format!(
            "{mismatches} of {checked} positions are not what the moves or a proof say{example}"
        )
    })
}

/// Solves random positions of the last ply by proof search.
fn prove_sample(
    opening: &Opening,
    sample: u64,
    seed: u64,
    report: &mut Comparison,
    context: &Context,
    stop: &StopFlag,
) -> Result<(), Failure> {
    let Some(last) = opening.plies().last().filter(|_| sample > 0) else { return Ok(()) };
    let drawn = sample.min(last.len() as u64) * size_of::<(Code, Outcome)>() as u64;
    context.set_aside("proving positions of it", opening.memory() + drawn)?;
    let settings = context.search_settings()?;
    let mut solver = Solver::new(opening.board(), settings, stop.clone()).or_failed()?;
    let mut random = StdRng::seed_from_u64(seed);
    let progress = context.progress();
    progress.begin("proofs", sample, "positions");
    for (code, outcome) in last.entries().choose_multiple(&mut random, sample as usize) {
        let Some(position) = opening.coder().position(code) else { continue };
        let Some(found) = solver.search(&position, |_| None).or_failed()? else { return Ok(()) };
        report.checked += 1;
        progress.add(1);
        if found != outcome {
            report.mismatches += 1;
            report.first.get_or_insert(position);
        }
    }
    Ok(())
}
