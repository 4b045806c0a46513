//! Who wins a position, from the first table that knows it or by a search with a limit of time.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::solve_table::Source;
use super::{Context, Failure, OrFail};
use crate::app::annotation::{Finding, Method};
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::{Bitboards, Position};
use crate::machine::progress::StopFlag;
use crate::search::{Oracle, Settings, Solver};

/// Several tables as one.
#[derive(Debug)]
pub(super) struct Sources(Vec<Source>);

impl Sources {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Source> {
        self.0.iter()
    }
}

impl Oracle for Sources {
    fn outcome(&self, board: Board, position: &Bitboards) -> Option<Outcome> {
        self.0.iter().find_map(|source| source.outcome(board, position))
    }
}

/// Opens the tables of some directories.
pub(super) fn open(directories: &[PathBuf]) -> Result<Sources, Failure> {
    directories
        .iter()
        .map(|directory| Source::open(directory))
        .collect::<Result<_, _>>()
        .map(Sources)
}

/// Finds out about positions of one board, one after the other; what a search has proved helps the
/// next one.
#[derive(Debug)]
pub(super) struct Appraiser<'a> {
    tables: &'a Sources,
    time: Duration,
    solver: Option<Solver<'a>>,
    stop: StopFlag,
}

/// Less memory than this is refused.
const LEAST_MEMORY: u64 = 4 << 20;

impl<'a> Appraiser<'a> {
    /// One that asks these tables, then searches for `time` a position; boards of more than 64
    /// squares are not searched.
    pub(super) fn new(
        board: Board,
        tables: &'a Sources,
        time: Duration,
        context: &Context,
        stop: StopFlag,
    ) -> Result<Self, Failure> {
        let searches = board.fits::<u64>() && !time.is_zero();
        if searches && context.memory() < LEAST_MEMORY {
            return Err(Failure::usage("--memory is too small for a search: give at least 4MiB"));
        }
        // An eighth is left for the smaller table while the table grows.
        let settings =
            Settings { table_bytes: context.memory() / 9 * 8, threads: context.threads(), seed: 0 };
        let solver =
            || Solver::new(board, settings, stop.clone()).map(|solver| solver.with_oracle(tables));
        let solver = searches.then(solver).transpose().or_failed()?;
        Ok(Self { tables, time, solver, stop })
    }

    /// What is found out about a position; an interruption finds nothing.
    ///
    /// # Errors
    /// If a table is damaged or there is no memory.
    pub(super) fn judge(&mut self, position: &Position) -> Result<Finding, Failure> {
        if self.stop.is_set() {
            return Ok(Finding::unknown());
        }
        for table in self.tables.iter() {
            if let Some(answer) = table.answer(position, false)? {
                let winning = answer
                    .moves
                    .iter()
                    .filter(|(_, outcome)| outcome.is_win())
                    .map(|(played, _)| *played)
                    .collect();
                let (outcome, method) = (Some(answer.outcome), Method::Tables);
                return Ok(Finding { outcome, winning, complete: true, method });
            }
        }
        let Some(solver) = self.solver.take() else { return Ok(Finding::unknown()) };
        // A deadline that is too far away to be told is none.
        let mut solver = solver.with_deadline(Instant::now().checked_add(self.time));
        let finding = search(&mut solver, position);
        self.solver = Some(solver);
        finding
    }
}

fn search(solver: &mut Solver<'_>, position: &Position) -> Result<Finding, Failure> {
    let Some(plain) = position.bitboards::<u64>() else { return Ok(Finding::unknown()) };
    match solver.solve(&plain).or_failed()? {
        None => Ok(Finding::unknown()),
        Some(Outcome::Loss) => Ok(Finding::lost(Method::Proof)),
        Some(Outcome::Win) => {
            let winning = solver.winning_move(&plain, |_| None).or_failed()?;
            Ok(Finding {
                outcome: Some(Outcome::Win),
                winning: winning.into_iter().collect(),
                complete: false,
                method: Method::Proof,
            })
        }
    }
}
