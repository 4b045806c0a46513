//! Who wins a position, from the first table that knows it or by a search with a limit of time.

use std::time::{Duration, Instant};

use super::table_oracle::TableOracles;
use crate::app::annotation::{Finding, FoundBy};
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::Position;
use crate::machine::progress::StopFlag;
use crate::search::Solver;
use crate::tables::value_source::Known;

/// Finds out about positions of one board, one after the other; what a search has proved helps the
/// next one.
#[derive(Debug)]
pub(in crate::app::cli) struct PositionSolver<'a> {
    tables: &'a TableOracles,
    time: Duration,
    solver: Option<Solver<'a>>,
    stop: StopFlag,
}

impl<'a> PositionSolver<'a> {
    /// One that asks these tables, then searches for `time` a position; boards of more than 64
    /// squares are not searched.
    pub(in crate::app::cli) fn new(
        board: Board,
        tables: &'a TableOracles,
        time: Duration,
        context: &Context,
        stop: StopFlag,
    ) -> Result<Self, Failure> {
        let solver = match board.fits::<u64>() && !time.is_zero() {
            true => {
                let solver = Solver::new(board, context.search_settings()?, stop.clone());
                Some(solver.or_failed()?.with_oracle(tables))
            }
            false => None,
        };
        Ok(Self { tables, time, solver, stop })
    }

    /// What is found out about a position; an interruption finds nothing.
    ///
    /// # Errors
    /// If a table is damaged or there is no memory.
    pub(in crate::app::cli) fn solve(&mut self, position: &Position) -> Result<Finding, Failure> {
        if self.stop.is_set() {
            return Ok(Finding::unknown());
        }
        for table in self.tables.iter() {
            if let Some(Known::All(answer)) = table.answer(position, false)? {
                let winning = answer.winning().collect();
                let (outcome, method) = (Some(answer.outcome), FoundBy::Tables);
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

/// Who wins, and by which move, as far as a search finds out before its deadline.
fn search(solver: &mut Solver<'_>, position: &Position) -> Result<Finding, Failure> {
    let Some(plain) = position.bitboards::<u64>() else { return Ok(Finding::unknown()) };
    match solver.solve(position).or_failed()? {
        None => Ok(Finding::unknown()),
        Some(Outcome::Loss) => Ok(Finding::lost(FoundBy::Proof)),
        Some(Outcome::Win) => {
            let winning = solver.winning_move(&plain, |_| None).or_failed()?;
            Ok(Finding {
                outcome: Some(Outcome::Win),
                winning: winning.into_iter().collect(),
                complete: false,
                method: FoundBy::Proof,
            })
        }
    }
}
