//! `amazons solve --mpi`: a position, or all its moves, by several processes.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::arguments::{Args, Method};
use super::certificate::{certify, set_aside_codes};
use super::report::{Report, Solved, print_known};
use super::saver::Saver;
use super::search::{set_aside_files, take_up};
use super::search_share::SearchShare;
use super::sources::{Sources, answers};
use crate::app::cli::context::{Context, Failure, OrFail, Progress};
use crate::app::cli::files::output::writable;
use crate::app::cli::files::overwriting;
use crate::game::rules::Position;
use crate::knowledge::{Basis, Finding};
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::ranks::{Ranks, StopFlags, Unfinished};
use crate::search::{Budget, JobDone, Solver, SolverError, Survey, Wanted};

/// With less memory no top of a proof is begun.
const LEAST_GRAPH: u64 = 16 << 20;
/// The share of the memory for the top of the proof.
const GRAPH_SHARE: u64 = 8;

pub(super) fn run(args: &Args, context: &Context, ranks: &Ranks) -> Result<(), Failure> {
    let began = Instant::now();
    refuse(args)?;
    let position = &args.given.read()?.position;
    refuse_overwriting(args, ranks)?;
    let finding = match ranks.is_first() {
        true => Sources::open(args, context)?.finding(args, position)?,
        false => Finding::of_moves(position.board(), position.indexed_moves()),
    };
    if ranks.tell(|| answers(args, position, &finding))? {
        return match ranks.is_first() {
            true => print_known(args, position, &finding, began, context),
            false => Ok(()),
        };
    }
    if !position.board().fits::<u64>() {
        let board = position.board();
        let words = "--mpi searches boards of at most 64 squares";
        return Err(Failure::usage(format!("{words}, found {board}: leave it out")));
    }
    search_by_all(args, position, &finding, began, context, ranks)
}

/// Searches a position that no source answers.
fn search_by_all(
    args: &Args,
    position: &Position,
    finding: &Finding,
    began: Instant,
    context: &Context,
    ranks: &Ranks,
) -> Result<(), Failure> {
    let memory = Memory::set_aside(args, ranks, context)?;
    let deadline = args.time.map(|time| began + time);
    let checkpoint = args.checkpoint.as_deref().map(|path| of_rank(path, ranks.rank()));
    let mut saver = Saver::new(checkpoint.as_deref(), deadline)?;
    let (stop, halt) = (context.stop_on_interrupt()?, StopFlag::new());
    let solver = Solver::new(position.board(), context.search_settings()?, halt.clone());
    let mut solver = solver.or_failed()?.with_deadline(deadline);
    if !take_up(args, position, &mut solver, &mut saver, context)? {
        saver.spare();
    }
    let progress = context.progress();
    progress.begin("search", 0, "nodes");
    let mut search = RankSearch {
        ranks,
        position,
        flags: StopFlags { stop: &stop, halt: &halt },
        saver: &mut saver,
        progress: &progress,
    };
    let mut reached = match args.all_moves {
        true => search.all_moves(&mut solver)?,
        false => search.one_value(&mut solver, Budget::within(memory.graph), context)?,
    };
    // Jobs are over: from now on this rank goes on alone, unless somebody asks it to stop.
    let mut solver = solver.with_stop(stop.clone());
    if reached.complete && ranks.is_first() {
        // The table has the move that wins.
        reached.survey.run(&mut solver, |_| None, |_| ()).or_failed()?;
    }
    let is_done = reached.complete && args.certificate.is_none();
    saver.save_at_end(is_done, &solver, position, &progress);
    drop(progress);
    let shares = ranks.gather(&SearchShare::of(&solver, 0))?;
    if !ranks.is_first() {
        return saver.check();
    }
    let share = SearchShare::of_all(&shares);
    let solved = Solved::by_search(&reached.survey, share, Basis::Proof).with(args, finding);
    // A file that was asked for is written also where nobody reads the answer any more.
    let printed = Report::new(args, position, &solved, began).print(context);
    for rank in ranks.lost() {
        context.remark(format_args!("rank {rank} is lost: the others went on without it"));
    }
    let nodes: Vec<u64> = shares.iter().map(|share| share.nodes).collect();
    remark_busiest(&nodes, context);
    let done = match reached.survey.standing().outcome() {
        Some(outcome) if reached.complete => {
            certify(args, position, &mut solver, outcome, memory.codes, context)
        }
        _ if solved.is_answer(args) && args.certificate.is_none() => saver.check(),
        _ => Err(saver.limit(&stop)),
    };
    done.and(printed)
}

/// Refuses what processes do not do together, but for `--tables`, which [`Args`] refuse.
fn refuse(args: &Args) -> Result<(), Failure> {
    if args.rules.variant().is_some() || args.given.is_dash()? {
        return Err(Failure::usage("--mpi takes one POSITION of the game itself"));
    }
    if args.method == Method::Tables {
        return Err(Failure::usage(
            "--mpi searches: expected --method auto or proof, found --method tables",
        ));
    }
    if args.all_moves && args.certificate.is_some() {
        return Err(Failure::usage(
            "--mpi writes no certificate with --all-moves: leave out one of the two",
        ));
    }
    Ok(())
}

/// Refuses files that would be written over, those of all ranks.
fn refuse_overwriting(args: &Args, ranks: &Ranks) -> Result<(), Failure> {
    let checkpoint = args.checkpoint.as_deref();
    let of_ranks = (0..ranks.size()).filter_map(|rank| Some(of_rank(checkpoint?, rank)));
    overwriting::refuse(&args.digest, of_ranks.chain(args.certificate.clone()))
}

/// What rank 0 needs beside its search, in bytes; nothing at other ranks.
struct Memory {
    /// For the codes of the certificate.
    codes: u64,
    /// For the top of the proof.
    graph: u64,
}

impl Memory {
    /// Sets it aside, and what every rank needs for its files.
    fn set_aside(args: &Args, ranks: &Ranks, context: &Context) -> Result<Self, Failure> {
        let (mut codes, mut graph) = (0, 0);
        // A certificate is written by rank 0.
        if let Some(path) = args.certificate.as_ref().filter(|_| ranks.is_first()) {
            writable(path)?;
            codes = set_aside_codes(context)?;
        }
        set_aside_files(args, context)?;
        if ranks.is_first() && ranks.size() > 1 && !args.all_moves {
            graph = context.left("the top of the proof", LEAST_GRAPH)? / GRAPH_SHARE;
            context.set_aside("the top of the proof", graph)?;
        }
        Ok(Self { codes, graph })
    }
}

/// Says with -v how even the work was.
fn remark_busiest(nodes: &[u64], context: &Context) {
    if context.verbosity() > 0 {
        let (busiest, ranks) = (nodes.iter().max().copied().unwrap_or(0), nodes.len());
        context.remark(format_args!("{busiest} nodes by the busiest rank of {ranks}"));
    }
}

/// A search by several ranks.
struct RankSearch<'a, 's> {
    ranks: &'a Ranks,
    position: &'a Position,
    /// Somebody asks this process to stop; the solver is to give up.
    flags: StopFlags<'a>,
    saver: &'a mut Saver<'s>,
    progress: &'a Progress,
}

/// How far the ranks came.
struct Reached {
    survey: Survey,
    /// Whether all ranks know that all is known that was asked for.
    complete: bool,
}

impl RankSearch<'_, '_> {
    /// The value of each move, as far as there is time.
    fn all_moves(&mut self, solver: &mut Solver<'_>) -> Result<Reached, Failure> {
        let Self { ranks, position, flags, progress, .. } = *self;
        let mut survey = Survey::new(solver, position, Wanted::All).or_failed()?;
        let mut reported = 0;
        let outcome = survey.run_on(
            ranks,
            solver,
            flags,
            |solver| self.saver.save_if_due(solver, position, progress),
            |survey, nodes| {
                progress.add(nodes.saturating_sub(reported));
                reported = nodes;
                progress.status(&survey.standing().counts().to_string());
            },
        );
        self.unless_stopped(outcome)?;
        let complete = ranks.tell(|| survey.standing().is_complete())?;
        Ok(Reached { survey, complete })
    }

    /// The value of the position.
    fn one_value(
        &mut self,
        solver: &mut Solver<'_>,
        budget: Budget,
        context: &Context,
    ) -> Result<Reached, Failure> {
        let Self { ranks, position, flags, progress, .. } = *self;
        let outcome = solver.solve_on(
            ranks,
            position,
            budget,
            flags,
            |solver| self.saver.save_if_due(solver, position, progress),
            |job| {
                progress.add(job.positions);
                let JobDone { rank, positions, time, served, bytes, graph, numbers, .. } = job;
                let (proof, disproof) = (numbers.proof, numbers.disproof);
                progress.status(&format!("proof {proof} disproof {disproof}, graph {graph}"));
                if context.verbosity() > 1 {
                    progress.line(&format!(
                        "job of rank {rank}: {positions} nodes in {:.6} s; {bytes} bytes, served in {:.6} s",
                        time.as_secs_f64(),
                        served.as_secs_f64()
                    ));
                }
            },
        );
        let complete = self.unless_stopped(outcome)?.flatten().is_some();
        let survey = Survey::new(solver, position, Wanted::One).or_failed()?;
        Ok(Reached { survey, complete })
    }

    /// What the ranks came to, unless somebody asked to stop or a rank has failed.
    fn unless_stopped<T>(
        &self,
        outcome: Result<T, Unfinished<SolverError>>,
    ) -> Result<Option<T>, Failure> {
        match outcome {
            Ok(reached) => Ok(Some(reached)),
            Err(Unfinished::Stopped) => {
                self.flags.stop.stop();
                Ok(None)
            }
            Err(Unfinished::Elsewhere(failed)) => Err(failed.into()),
            Err(Unfinished::Here(error)) => Err(error).or_failed(),
        }
    }
}

/// The checkpoint of a rank: that of rank 0 has the name that was given.
fn of_rank(path: &Path, rank: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    if rank > 0 {
        name.push(format!(".rank-{rank}"));
    }
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::cli::context::Status;
    use clap::Parser;
    use clap::error::ErrorKind;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    fn parse(given: &str) -> Result<Args, clap::Error> {
        let words = ["solve", "--mpi"].into_iter().chain(given.split_whitespace());
        Command::try_parse_from(words).map(|command| command.args)
    }

    #[test]
    fn what_is_not_done_together_is_refused() {
        for given in [
            "4x4",
            "4x4 --method auto",
            "4x4 --method proof --all-moves --time 1s",
            "4x4 b1-b2/b1 --certificate F --walls --checkpoint C --digest D",
        ] {
            assert!(refuse(&parse(given).unwrap()).is_ok(), "{given}");
        }
        for (given, expected) in [
            ("4x4 --method tables", "expected --method auto or proof, found --method tables"),
            ("4x4 --rules cowboys", "--mpi takes one POSITION of the game itself"),
            ("4x4 --turns 1,2", "--mpi takes one POSITION of the game itself"),
            ("-", "--mpi takes one POSITION of the game itself"),
            ("4x4 --all-moves --certificate F", "--mpi writes no certificate with --all-moves"),
        ] {
            let failure = refuse(&parse(given).unwrap()).unwrap_err();
            assert!(matches!(failure, Failure::Message(Status::Usage, _)), "{given}: {failure}");
            assert!(failure.to_string().contains(expected), "{given}: {failure}");
        }
        for method in ["auto", "proof", "tables"] {
            let error = parse(&format!("4x4 --tables T --method {method}")).err().unwrap();
            assert_eq!((error.kind(), error.exit_code()), (ErrorKind::ArgumentConflict, 2));
        }
    }
}
