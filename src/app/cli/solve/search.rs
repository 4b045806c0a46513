//! The steps that every search of one position has, by one process or by many, and the search by
//! one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;
use std::time::{Duration, Instant};

use super::arguments::Args;
use super::hint;
use super::progress::ProgressTeller;
use super::saver::Saver;
use super::sources::Sources;
use crate::app::cli::context::{Context, Failure, OrFail, Progress};
use crate::app::cli::files::kind::FileKind;
use crate::app::cli::files::output::writable;
use crate::game::board::{Board, Word};
use crate::game::rules::Position;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::shown::Shown as _;
use crate::search::digest::READING_BYTES;
use crate::search::{
    DigestError, GroundTooLarge, Settings, Solver, SolverError, Survey, checkpoint_memory,
};

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

/// A board that is too large for a search of margins.
pub(super) fn too_large_for_margins(board: Board) -> String {
    let squares = board.squares();
    format!(
        "{board} has {squares} squares, and margins are searched on boards of at most 64; without \
         --margin and --spare late positions of larger ones are searched too"
    )
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

/// A search that can begin.
pub(super) struct Prepared<'a, W: Word = u64> {
    pub(super) solver: Solver<'a, W>,
    pub(super) saver: Saver<'a>,
    pub(super) stop: StopFlag,
    /// Whether digest and checkpoint were taken up; if not, there was no time for it.
    pub(super) taken_up: bool,
}

/// Prepares the search of a position that was asked about when it `began`, of a board of at most 64
/// squares.
///
/// # Errors
/// As [`prepare_by`], and if the board is larger.
pub(super) fn prepare<'a>(
    args: &'a Args,
    position: &Position,
    sources: &'a Sources,
    began: Instant,
    context: &Context,
) -> Result<Prepared<'a>, Failure> {
    if !position.board().fits::<u64>() {
        return Err(Failure::usage(too_large_for_margins(position.board())));
    }
    let make = |settings, stop| Solver::new(position.board(), settings, stop);
    prepare_by(make, args, position, sources, began, context)
}

/// As [`prepare`], of a late position of a larger board.
///
/// # Errors
/// As [`prepare_by`], and if too many squares take part.
pub(super) fn prepare_endgame<'a>(
    args: &'a Args,
    position: &Position,
    sources: &'a Sources,
    began: Instant,
    context: &Context,
) -> Result<Prepared<'a, u128>, Failure> {
    GroundTooLarge::check(position).map_err(|error| no_search(&error))?;
    let make = |settings, stop| Solver::of_endgame(position, settings, stop);
    prepare_by(make, args, position, sources, began, context)
}

/// Prepares the search by a solver that is made by `make`.
///
/// # Errors
/// If there is too little memory, or a file is damaged or cannot be written.
fn prepare_by<'a, W: Word>(
    make: impl FnOnce(Settings, StopFlag) -> Result<Solver<'a, W>, SolverError>,
    args: &'a Args,
    position: &Position,
    sources: &'a Sources,
    began: Instant,
    context: &Context,
) -> Result<Prepared<'a, W>, Failure> {
    set_aside_files(args, context)?;
    let settings = context.search_settings()?;
    args.certificate.as_deref().map_or(Ok(()), writable)?;
    let deadline = args.time.map(|time| began + time);
    let mut saver = Saver::new(args.checkpoint.as_deref(), deadline)?;
    let stop = context.stop_on_interrupt()?;
    let mut solver = make(settings, stop.clone()).or_failed()?.with_deadline(deadline);
    if let Some(oracle) = &sources.oracle {
        solver = solver.with_oracle(oracle);
    }
    let taken_up = take_up(args, position, &mut solver, &mut saver, context)?;
    Ok(Prepared { solver, saver, stop, taken_up })
}

/// Takes up the digest and the checkpoint, as far as there are any; `false` if there was no time to
/// read all of them.
///
/// # Errors
/// If one is damaged, or is about another search.
pub(super) fn take_up<W: Word>(
    args: &Args,
    position: &Position,
    solver: &mut Solver<'_, W>,
    saver: &mut Saver<'_>,
    context: &Context,
) -> Result<bool, Failure> {
    Ok(believe(args, solver, context)? && saver.take_up(position, solver, context)?)
}

/// Takes up the digest, if one is given; `false` if there was no time to read all of it.
fn believe<W: Word>(
    args: &Args,
    solver: &mut Solver<'_, W>,
    context: &Context,
) -> Result<bool, Failure> {
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
/// saved by `saver` ([`Saver::save_at_end`]): a certificate is more to do.
///
/// # Errors
/// If the search breaks off.
pub(super) fn search<W: Word>(
    args: &Args,
    position: &Position,
    solver: &mut Solver<'_, W>,
    saver: &mut Saver<'_>,
    context: &Context,
) -> Result<Survey<W>, Failure> {
    let mut survey = Survey::new(solver, position, args.wanted()).or_failed()?;
    saved(args, position, solver, saver, context, |solver, between| {
        survey.run(solver, between, |_| ())?;
        Ok(args.certificate.is_none() && survey.standing().is_complete())
    })?;
    Ok(survey)
}

/// What is called between the runs of a search, and says when the next one is to end.
pub(super) type Between<'a, W = u64> = dyn FnMut(&Solver<'_, W>) -> Option<Instant> + 'a;

/// Runs a search of a position, which says whether there is no more to do, with progress beside it
/// and checkpoints between its runs.
///
/// # Errors
/// If the search breaks off.
pub(super) fn saved<'o, W: Word>(
    args: &Args,
    position: &Position,
    solver: &mut Solver<'o, W>,
    saver: &mut Saver<'_>,
    context: &Context,
    search: impl FnOnce(&mut Solver<'o, W>, &mut Between<'_, W>) -> Result<bool, SolverError>,
) -> Result<(), Failure> {
    let hint = args.tables.is_none().then(|| hint::of(position, context)).flatten();
    told(solver, position, hint, context, |solver, progress| {
        let ended = search(solver, &mut |solver| saver.save_if_due(solver, position, progress));
        saver.save_at_end(matches!(ended, Ok(true)), solver, position, progress);
        ended.or_failed().map(drop)
    })
}

/// Does some work with a solver, beside which it is told how far the search of a position is.
///
/// # Errors
/// That of the work, or that the position is none of the solver's.
fn told<'o, W: Word>(
    solver: &mut Solver<'o, W>,
    position: &Position,
    hint: Option<String>,
    context: &Context,
    work: impl FnOnce(&mut Solver<'o, W>, &Progress) -> Result<(), Failure>,
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
        let _end = EndOnDrop { done: &done, teller: telling.thread().clone() };
        work(solver, &progress)
    })
}

/// Ends the thread that tells, also where the work panics: it would be waited for for ever.
struct EndOnDrop<'a> {
    done: &'a AtomicBool,
    teller: Thread,
}

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        self.teller.unpark();
    }
}
