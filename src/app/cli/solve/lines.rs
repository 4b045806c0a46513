//! `amazons solve -`: positions by the line.

use std::time::Instant;

use super::arguments::Args;
use super::margin;
use super::report::{Report, Solved};
use super::search::{no_search, too_large_for_margins};
use super::search_share::SearchShare;
use super::sources::{Sources, answers};
use crate::app::cli::batch::answer_lines;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::counted::{Counted, by_count};
use crate::game::board::Word;
use crate::game::rules::Position;
use crate::knowledge::Finding;
use crate::machine::progress::StopFlag;
use crate::search::{Settings, SizedSolver, Solver, SolverError, Survey};

/// Solves the positions of standard input, each for at most `--time`. What is not solved then has
/// the value `unknown`, and the exit status at the end says that there was such a line.
pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    if let Some(option) = args.option_of_search() {
        return Err(Failure::usage(format!("{option} is for one position, - are many")));
    }
    let sources = Sources::open(args, context)?;
    let settings = context.search_settings()?;
    let stop = context.stop_on_interrupt()?;
    let mut searcher = Searcher { sources: &sources, settings, stop: &stop, solver: None };
    let (mut unsolved, mut larger) = (0, 0);
    answer_lines(&stop, |line| {
        let began = Instant::now();
        let position = args.given.read_line(line)?.position;
        let report = searcher.solve(args, &position, began)?;
        sources.check()?;
        match report.is_unfinished() && position.board().fits::<u64>() {
            true => unsolved += 1,
            // What is known of a margin on a larger board, of which there is no search.
            false => {
                larger += u64::from(report.is_unfinished() && args.option_of_margins().is_some())
            }
        }
        Ok(report)
    })?;
    unsolved_lines(unsolved)?;
    match larger {
        0 => Ok(()),
        count => Err(Failure::limit(format!(
            "{} {} answered in part: margins are searched on boards of at most 64 squares",
            Counted(count, "line"),
            by_count(count, "was", "were")
        ))),
    }
}

/// How it ends where so many lines were not solved.
///
/// # Errors
/// A limit, if there are any.
pub(super) fn unsolved_lines(count: u64) -> Result<(), Failure> {
    match count {
        0 => Ok(()),
        count => Err(Failure::limit(format!(
            "the time was up for {count} of the lines; give more --time"
        ))),
    }
}

/// Solves one position after the other; what is proved of one helps with the next that its solver
/// takes.
struct Searcher<'a> {
    sources: &'a Sources,
    settings: Settings,
    stop: &'a StopFlag,
    solver: Option<SizedSolver<'a>>,
}

impl<'a> Searcher<'a> {
    fn solve(
        &mut self,
        args: &Args,
        position: &Position,
        began: Instant,
    ) -> Result<Report, Failure> {
        if args.option_of_margins().is_some() {
            return self.margin(args, position, began);
        }
        let finding = self.sources.finding(args, position)?;
        if answers(args, position, &finding) {
            return Ok(Report::new(args, position, &Solved::by_knowledge(args, &finding), began));
        }
        let solver = self.solver_for(position)?.with_deadline(args.time.map(|time| began + time));
        let solved = match self.solver.insert(solver) {
            SizedSolver::Board(solver) => search(args, position, &finding, solver, self.sources),
            SizedSolver::Endgame(solver) => search(args, position, &finding, solver, self.sources),
        };
        Ok(Report::new(args, position, &solved?, began))
    }

    /// Answers a question about spare moves.
    fn margin(
        &mut self,
        args: &Args,
        position: &Position,
        began: Instant,
    ) -> Result<Report, Failure> {
        margin::refuse(args, position)?;
        let margins = self.sources.margins(args, position)?;
        if let Some(found) = margin::known(args, position, &margins) {
            let solved = Solved::by_margin(&found, margins.basis().as_ref());
            return Ok(margin::report(args, position, &found, &solved, began));
        }
        let deadline = args.time.map(|time| began + time);
        let solver = self.solver_for(position)?.with_deadline(deadline);
        let SizedSolver::Board(solver) = self.solver.insert(solver) else {
            return Err(Failure::usage(too_large_for_margins(position.board())));
        };
        let before = solver.nodes();
        let found = margin::ask(args, position, &margins, solver, &mut |_| None).or_failed()?;
        let basis = margin::basis(&found, &margins, self.sources);
        let share = SearchShare::of(solver, before);
        let solved = Solved::by_margin(&found, Some(&basis)).of_search(share);
        Ok(margin::report(args, position, &found, &solved, began))
    }

    /// The solver of the line before if it takes the position.
    fn solver_for(&mut self, position: &Position) -> Result<SizedSolver<'a>, Failure> {
        let (kept, stop) = (self.solver.take(), self.stop.clone());
        let solver = SizedSolver::kept_or_new(kept, position, self.settings, stop);
        let solver = solver.map_err(|error| match error {
            SolverError::Ground(error) => no_search(&error),
            error => Failure::failed(error.to_string()),
        })?;
        Ok(match &self.sources.oracle {
            Some(oracle) => solver.with_oracle(oracle),
            None => solver,
        })
    }
}

/// What a search says of a position, and what is known of it beside.
fn search<W: Word>(
    args: &Args,
    position: &Position,
    finding: &Finding,
    solver: &mut Solver<'_, W>,
    sources: &Sources,
) -> Result<Solved, Failure> {
    let before = solver.nodes();
    let mut survey = Survey::new(solver, position, args.wanted()).or_failed()?;
    survey.run(solver, |_| None, |_| {}).or_failed()?;
    let share = SearchShare::of(solver, before);
    Ok(Solved::by_search(&survey, share, sources.basis()).with(args, finding))
}
