//! The steps that every search of one position has, by one process or by many, and the search by
//! one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::arguments::Args;
use super::hint;
use super::progress::ProgressTeller;
use super::saver::Saver;
use crate::app::cli::context::{Context, Failure, OrFail, Progress};
use crate::app::cli::files::kind::FileKind;
use crate::game::board::{Board, Word};
use crate::game::rules::Position;
use crate::machine::progress::Observer;
use crate::machine::shown::Shown as _;
use crate::search::digest::READING_BYTES;
use crate::search::{DigestError, GroundTooLarge, Solver, Survey, checkpoint_memory};

/// Refuses a search that can come to nothing.
///
/// # Errors
/// If the board is too large, or there is no time.
pub(super) fn refuse_hopeless(args: &Args, board: Board) -> Result<(), Failure> {
    if !board.fits::<u64>() {
        return Err(too_large(board));
    }
    refuse_no_time(args)
}

/// Refuses a search without time.
///
/// # Errors
/// If there is none.
pub(super) fn refuse_no_time(args: &Args) -> Result<(), Failure> {
    if args.time == Some(Duration::ZERO) {
        return Err(Failure::usage("--time is zero: give a duration such as 10m"));
    }
    Ok(())
}

/// A search of a board that is too large for it, where late positions are not searched either.
pub(super) fn too_large(board: Board) -> Failure {
    let squares = board.squares();
    Failure::usage(format!("{board} has {squares} squares, this search takes at most 64"))
}

/// A search of a position of which too many squares take part.
pub(super) fn no_search(error: &GroundTooLarge) -> Failure {
    Failure::usage(format!(
        "{error}, and nothing decides the position without one; `amazons score` says who is ahead, \
         `amazons annotate` estimates"
    ))
}

/// Sets memory aside for the files of a search: its checkpoint and its digest.
///
/// # Errors
/// If there is not enough.
pub(super) fn set_aside_files(args: &Args, context: &Context) -> Result<(), Failure> {
    if args.checkpoint.is_some() {
        context.set_aside("a checkpoint", checkpoint_memory(context.threads()))?;
    }
    if args.digest.is_some() {
        context.set_aside("a digest", READING_BYTES)?;
    }
    Ok(())
}

/// Takes up the digest and the checkpoint, as far as there are any; `false` if there was no time to
/// read all of them.
///
/// # Errors
/// If one is damaged, or is about another search.
pub(super) fn take_up(
    args: &Args,
    position: &Position,
    solver: &mut Solver<'_>,
    saver: &mut Saver<'_>,
    context: &Context,
) -> Result<bool, Failure> {
    Ok(believe(args, solver, context)? && saver.take_up(position, solver, context)?)
}

/// Takes up the digest, if one is given; `false` if there was no time to read all of it.
fn believe(args: &Args, solver: &mut Solver<'_>, context: &Context) -> Result<bool, Failure> {
    let Some(path) = &args.digest else { return Ok(true) };
    FileKind::Digest.expect(path)?;
    let digest = match solver.take_digest(path) {
        Err(DigestError::Stopped) => return Ok(false),
        result => result.map_err(|error| Failure::of_file(path, &error))?,
    };
    context.remark(format_args!(
        "believing {}: {} solved and {} open positions of a search of {} nodes",
        path.shown(),
        digest.solved,
        digest.open,
        digest.nodes
    ));
    Ok(true)
}

/// Searches a position and its moves as far as is wanted and there is time. What it came to is
/// saved by `saver`, at the end only if there is more to do: the search, or a certificate.
///
/// # Errors
/// If the search breaks off.
pub(super) fn search(
    args: &Args,
    position: &Position,
    solver: &mut Solver<'_>,
    saver: &mut Saver<'_>,
    context: &Context,
) -> Result<Survey, Failure> {
    let hint = args.tables.is_none().then(|| hint::of(position, context)).flatten();
    let mut survey = Survey::new(solver, position, args.wanted()).or_failed()?;
    told(solver, position, hint, context, |solver, progress| {
        let outcome =
            survey.run(solver, |solver| saver.save_if_due(solver, position, progress), |_| ());
        if args.certificate.is_some() || !survey.is_complete() {
            saver.save(solver, position, progress);
        }
        outcome.or_failed()
    })?;
    Ok(survey)
}

/// Does some work with a solver, beside which it is told how far the search of a position is.
///
/// # Errors
/// That of the work, or that the position is none of the solver's.
pub(super) fn told<W: Word>(
    solver: &mut Solver<'_, W>,
    position: &Position,
    hint: Option<String>,
    context: &Context,
    work: impl FnOnce(&mut Solver<'_, W>, &Progress) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let teller = ProgressTeller {
        monitor: solver.monitor(),
        follower: solver.follower(position).or_failed()?,
        board: solver.board_data().board(),
        hint,
    };
    let done = AtomicBool::new(false);
    let progress = context.progress();
    progress.begin("search", 0, "nodes");
    progress.go_on(solver.nodes());
    std::thread::scope(|scope| {
        let telling = scope.spawn(|| teller.tell_until(&done, &progress));
        let outcome = work(solver, &progress);
        done.store(true, Ordering::Relaxed);
        telling.thread().unpark();
        outcome
    })
}
