//! `amazons solve --all-moves --mpi`: the moves of a position by several processes.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Args, Saver, Solved, believe, limit, print, take_up, too_large};
use crate::app::cli::output::writable;
use crate::app::cli::{Context, Failure, OrFail};
use crate::game::Outcome;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::ranks::{Ranks, Unfinished};
use crate::search::digest::READING_BYTES;
use crate::search::{Solver, Survey, Wanted, checkpoint_memory};

pub(super) fn run(args: &Args, context: &Context, ranks: &Ranks) -> Result<(), Failure> {
    let began = Instant::now();
    if args.rules.variant().is_some() || args.given.is_dash()? {
        return Err(Failure::usage("--mpi takes one POSITION of the game itself"));
    }
    let position = &args.given.read()?.position;
    let board = position.board();
    if !board.fits::<u64>() {
        return Err(too_large(board));
    }
    if args.time == Some(Duration::ZERO) {
        return Err(Failure::usage("--time is zero: give a duration such as 10m"));
    }
    let path = args.checkpoint.as_deref().map(|path| of_rank(path, ranks.rank()));
    if let Some(path) = &path {
        context.set_aside("a checkpoint", checkpoint_memory(context.threads()))?;
        writable(path)?;
    }
    if args.digest.is_some() {
        context.set_aside("a digest", READING_BYTES)?;
    }
    let stop = context.stop_on_interrupt()?;
    let (halt, deadline) = (StopFlag::new(), args.time.map(|time| began + time));
    let solver = Solver::new(board, context.search_settings()?, halt.clone()).or_failed()?;
    let mut solver = solver.with_deadline(deadline);
    believe(args, &mut solver, context)?;
    let mut saver = Saver::new(path.as_deref(), deadline);
    take_up(path.as_deref(), position, &mut solver, &mut saver, context)?;
    let mut survey = Survey::new(&solver, position, Wanted::All).or_failed()?;
    let (progress, mut told) = (context.progress(), 0);
    progress.begin("search", 0, "nodes");
    let searched = survey.run_on(
        ranks,
        &mut solver,
        [&stop, &halt],
        |solver| saver.between(solver, position, &progress),
        |survey, nodes| {
            progress.add(nodes.saturating_sub(told));
            told = nodes;
            let count = |value| survey.of_value(value).len();
            let [win, lose, open] = [Some(Outcome::Win), Some(Outcome::Loss), None].map(count);
            progress.status(&format!("{win} moves win, {lose} lose, {open} open"));
        },
    );
    match searched {
        Ok(()) => {}
        Err(Unfinished::Stopped) => stop.stop(),
        Err(Unfinished::Elsewhere(failed)) => return Err(failed.into()),
        Err(Unfinished::Here(error)) => return Err(error).or_failed(),
    }
    let complete = ranks.tell(|| survey.is_complete())?;
    if !complete {
        saver.save(&solver, position, &progress);
    }
    drop(progress);
    let nodes = ranks.gather(&solver.nodes())?;
    if !ranks.is_first() {
        return saver.error.map_or(Ok(()), |error| Err(Failure::failed(error)));
    }
    let busiest = nodes.iter().max().copied().unwrap_or(0);
    let solved = Solved::by_search(&survey, nodes.iter().sum());
    print(args, position, &solved, began, context)?;
    if context.verbosity() > 0 {
        context.remark(format_args!("{busiest} nodes by the busiest rank of {}", ranks.size()));
    }
    if complete { Ok(()) } else { Err(limit(&saver, &stop)) }
}

/// The checkpoint of a rank: that of rank 0 has the name that was given.
fn of_rank(path: &Path, rank: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    if rank > 0 {
        name.push(format!(".rank-{rank}"));
    }
    name.into()
}
