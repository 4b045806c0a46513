//! `amazons solve -`: positions by the line.

use std::time::Instant;

use super::arguments::Args;
use super::margin;
use super::report::{Report, Solved};
use super::search::too_large;
use super::sources::{Sources, answers};
use crate::app::cli::batch::answer_lines;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::game::board::Board;
use crate::game::rules::Position;
use crate::machine::progress::StopFlag;
use crate::search::{Settings, Solver, Survey};

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
    let mut unsolved = 0;
    answer_lines(&stop, |line| {
        let began = Instant::now();
        let position = args.given.read_line(line)?.position;
        let report = searcher.solve(args, &position, began)?;
        sources.check()?;
        unsolved += u64::from(report.is_unfinished());
        Ok(report)
    })?;
    match unsolved {
        0 => Ok(()),
        count => Err(Failure::limit(format!(
            "the time was up for {count} of the lines; give more --time"
        ))),
    }
}

/// Solves one position after the other; what is proved of one helps with the next on its board.
struct Searcher<'a> {
    sources: &'a Sources,
    settings: Settings,
    stop: &'a StopFlag,
    solver: Option<(Board, Solver<'a>)>,
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
            return Ok(Report::new(args, position, &Solved::by_knowledge(&finding), began));
        }
        let mut solver =
            self.solver_for(position.board())?.with_deadline(args.time.map(|time| began + time));
        let before = solver.nodes();
        let mut survey = Survey::new(&solver, position, args.wanted()).or_failed()?;
        let run = survey.run(&mut solver, |_| None, |_| {});
        let nodes = solver.nodes() - before;
        let solved = Solved::by_search(&survey, &solver, nodes);
        self.solver = Some((position.board(), solver));
        run.or_failed()?;
        let solved = solved.with(&finding);
        Ok(Report::new(args, position, &solved, began))
    }

    /// Answers a question about spare moves.
    fn margin(
        &mut self,
        args: &Args,
        position: &Position,
        began: Instant,
    ) -> Result<Report, Failure> {
        margin::refuse(args, position)?;
        let finding = self.sources.finding(args, position)?;
        let deadline = args.time.map(|time| began + time);
        let mut solver = self.solver_for(position.board())?.with_deadline(deadline);
        let before = solver.nodes();
        let found = margin::ask(args, position, &finding, &mut solver, &mut |_| None).or_failed();
        let report = found.map(|found| {
            margin::report(args, position, &found, &solver, solver.nodes() - before, began)
        });
        self.solver = Some((position.board(), solver));
        report
    }

    /// The solver of the line before if it is one of this board.
    fn solver_for(&mut self, board: Board) -> Result<Solver<'a>, Failure> {
        // The table of another board goes before the next one is made.
        if let Some((_, solver)) = self.solver.take().filter(|(last, _)| *last == board) {
            return Ok(solver);
        }
        if !board.fits::<u64>() {
            return Err(too_large(board));
        }
        let solver = Solver::new(board, self.settings, self.stop.clone()).or_failed()?;
        Ok(match &self.sources.oracle {
            Some(oracle) => solver.with_oracle(oracle),
            None => solver,
        })
    }
}
