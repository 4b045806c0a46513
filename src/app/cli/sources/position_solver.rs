//! Who wins a position, from what is known or by a search with a limit of time.

use std::time::{Duration, Instant};

use crate::app::cli::context::{Context, Failure, OrFail};
use crate::game::{Outcome, ThresholdRange};
use crate::game::board::Board;
use crate::game::rules::Position;
use crate::knowledge::{Basis, Finding, Knowledge, TablesOracle};
use crate::machine::progress::StopFlag;
use crate::search::Solver;

/// Finds out about positions of one board, one after the other; what a search has proved helps the
/// next one.
#[derive(Debug)]
pub(in crate::app::cli) struct PositionSolver<'a> {
    knowledge: &'a Knowledge,
    time: Duration,
    solver: Option<Solver<'a>>,
    stop: StopFlag,
}

impl<'a> PositionSolver<'a> {
    /// One that asks what is known, then searches for `time` a position, with tables that the
    /// search may ask; boards of more than 64 squares are not searched.
    pub(in crate::app::cli) fn new(
        board: Board,
        knowledge: &'a Knowledge,
        oracle: &'a TablesOracle,
        time: Duration,
        context: &Context,
        stop: StopFlag,
    ) -> Result<Self, Failure> {
        let solver = match board.fits::<u64>() && !time.is_zero() {
            true => {
                let solver = Solver::new(board, context.search_settings()?, stop.clone());
                Some(solver.or_failed()?.with_oracle(oracle))
            }
            false => None,
        };
        Ok(Self { knowledge, time, solver, stop })
    }

    /// What is found out about a position; an interruption finds nothing. A search is for the value
    /// and, if the side to move wins, a winning move.
    ///
    /// # Errors
    /// If a source is damaged or there is no memory.
    pub(in crate::app::cli) fn solve(&mut self, position: &Position) -> Result<Finding, Failure> {
        let mut finding = self.knowledge.of(position).or_failed()?;
        let wins = finding.of_value(Some(Outcome::Win)).next().is_some();
        if wins || finding.value() == Some(Outcome::Loss) || self.stop.is_set() {
            return Ok(finding);
        }
        let Some(solver) = self.solver.take() else { return Ok(finding) };
        // A deadline that is too far away to be told is none.
        let mut solver = solver.with_deadline(Instant::now().checked_add(self.time));
        let searched = search(&mut solver, position, &mut finding);
        self.solver = Some(solver);
        searched.map(|()| finding)
    }
}

impl PositionSolver<'_> {
    /// Between what the threshold of a position lies of which it is known who wins: as sources know,
    /// and as a search of so long finds out; nothing is searched where the search takes no such
    /// board.
    ///
    /// # Errors
    /// As [`Self::solve`].
    pub(in crate::app::cli) fn margin(
        &mut self,
        position: &Position,
        finding: &Finding,
        time: Duration,
    ) -> Result<ThresholdRange, Failure> {
        let known = self.knowledge.margins_beside(position, finding).or_failed()?.position();
        if known.exact().is_some() || self.stop.is_set() {
            return Ok(known);
        }
        let Some(solver) = self.solver.take() else { return Ok(known) };
        let mut solver = solver.with_deadline(Instant::now().checked_add(time));
        let searched = solver.threshold_in_runs(position, known, |_| None, |_| ());
        self.solver = Some(solver);
        searched.or_failed()
    }
}

/// Who wins, and by which move, as far as a search finds out before its deadline.
fn search(
    solver: &mut Solver<'_>,
    position: &Position,
    finding: &mut Finding,
) -> Result<(), Failure> {
    let Some(plain) = position.bitboards::<u64>() else { return Ok(()) };
    let Some(value) = solver.solve(position).or_failed()? else { return Ok(()) };
    finding.tell_value(value, &Basis::Proof).or_failed()?;
    if value == Outcome::Win
        && let Some(played) = solver.winning_move(&plain, |_| None).or_failed()?
    {
        finding.tell_move(played, Outcome::Win, &Basis::Proof).or_failed()?;
    }
    Ok(())
}
