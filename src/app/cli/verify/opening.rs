//! `amazons verify FILE` for opening tables.

use std::path::Path;
use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;

use super::summary::{Verified, conclude, white_to_move};
use crate::app::cli::context::failure::with_advice;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::counted::{Counted, by_count};
use crate::game::Outcome;
use crate::game::code::Code;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::shown::Shown as _;
use crate::search::Solver;
use crate::tables::opening::{Opening, OpeningError, Ply};
use crate::verify::opening::verify;
use crate::verify::table::Comparison;

/// With less memory no opening table is read.
const LEAST: u64 = 1 << 20;

/// Which positions of the last ply are proved. What the file says of them follows from nothing else
/// in it.
#[derive(Clone, Copy, Debug)]
pub(super) enum LastPly {
    /// Those that take few positions each, as long as they take few together: all of a small board.
    Cheap,
    /// So many random ones, whatever that takes.
    Sample { count: u64, seed: u64 },
}

impl LastPly {
    /// The most positions that the search evaluates for one of them.
    fn each(self) -> u64 {
        match self {
            Self::Cheap => 1 << 18,
            Self::Sample { .. } => u64::MAX,
        }
    }

    /// After so many of them no further one is begun, if as many positions have been evaluated: of
    /// `Cheap` what takes some seconds, and 2^11 for each, which they take up to 5x4.
    fn together(self, tried: u64) -> u64 {
        match self {
            Self::Cheap => (1 << 22) + (tried << 11),
            Self::Sample { .. } => u64::MAX,
        }
    }

    /// How many are drawn of a ply, and listed.
    fn drawn(self, ply: &Ply) -> u64 {
        match self {
            Self::Cheap => 0,
            Self::Sample { count, .. } => count.min(ply.len() as u64),
        }
    }

    /// They themselves, with what the file says of them.
    fn of(self, ply: &Ply) -> Box<dyn Iterator<Item = (Code, Outcome)> + '_> {
        match self {
            Self::Cheap => Box::new(ply.entries()),
            Self::Sample { seed, .. } => {
                let mut random = StdRng::seed_from_u64(seed);
                let drawn = self.drawn(ply) as usize;
                Box::new(ply.entries().choose_multiple(&mut random, drawn).into_iter())
            }
        }
    }
}

/// Derives every value before the last ply from those of the next, and proves values of the last.
/// These proofs are of the search, which shares no code of solving with what builds tables; the
/// rest is checked by the rules alone.
pub(super) fn run(path: &Path, last: LastPly, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    let stop = context.stop_on_interrupt()?;
    let (opening, mut report) = derive_again(path, context, &stop)?;
    if report.mismatches == 0 {
        prove(&opening, last, &mut report, context, &stop)?;
    }
    let not_checked = not_checked(&opening, &report);
    let verified = Verified {
        checked: report.checked,
        mismatches: report.mismatches,
        not_checked: Some(not_checked),
        ..Verified::of(path, "positions of the opening", began)
    };
    conclude(&verified, wrong(&opening, &report), &stop, context)?;
    if not_checked > 0 {
        context.remark(format_args!(
            "the values of {} of the last ply were held against nothing; --sample {not_checked} \
             proves as many, whatever that takes",
            Counted(not_checked, "position")
        ));
    }
    Ok(())
}

/// How many positions were held against nothing.
pub(super) fn not_checked(opening: &Opening, report: &Comparison) -> u64 {
    let all: u64 = opening.plies().iter().map(|ply| ply.len() as u64).sum();
    all - report.checked
}

/// Reads an opening table and checks it against the rules.
pub(super) fn derive_again(
    path: &Path,
    context: &Context,
    stop: &StopFlag,
) -> Result<(Opening, Comparison), Failure> {
    let named =
        |error: OpeningError| Failure::failed(format!("{} {}", path.shown(), with_advice(&error)));
    // Checking takes a byte a position beside the 9 that it takes itself.
    let memory = context.left("an opening table", LEAST)? / 10 * 9;
    let opening = Opening::open(path, memory).map_err(named)?;
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
            "{mismatches} of {} {} not what the moves or a proof say{example}",
            Counted(*checked, "position"),
            by_count(*mismatches, "is", "are")
        )
    })
}

/// Proves positions of the last ply by search, and adds them to what was checked.
fn prove(
    opening: &Opening,
    last: LastPly,
    report: &mut Comparison,
    context: &Context,
    stop: &StopFlag,
) -> Result<(), Failure> {
    let Some(ply) = opening.plies().last() else { return Ok(()) };
    let drawn = last.drawn(ply) * size_of::<(Code, Outcome)>() as u64;
    context.set_aside("proving positions of it", opening.memory() + drawn)?;
    let settings = context.search_settings()?;
    let mut solver = Solver::new(opening.board(), settings, stop.clone()).or_failed()?;
    let progress = context.progress();
    progress.begin("proofs", 0, "positions");
    for (tried, (code, outcome)) in (0..).zip(last.of(ply)) {
        if stop.is_set() || solver.nodes() >= last.together(tried) {
            break;
        }
        let Some(position) = opening.coder().position(code) else { continue };
        let Some(found) = solver.attempt(&position, last.each(), |_| None).or_failed()? else {
            continue;
        };
        report.checked += 1;
        progress.add(1);
        if found != outcome {
            report.mismatches += 1;
            report.first.get_or_insert(position);
        }
    }
    Ok(())
}
