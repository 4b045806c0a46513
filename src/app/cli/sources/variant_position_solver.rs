//! Who wins positions by other rules, from what is known or by a search with a limit of time.

use std::time::{Duration, Instant};

use crate::app::cli::context::{Context, Failure, OrFail};
use crate::game::Outcome;
use crate::game::variants::{SingleMove, VariantPosition};
use crate::knowledge::{Basis, Finding, Knowledge};
use crate::machine::progress::StopFlag;
use crate::search::variants::VariantSolver;

/// Finds out about positions of one game on one board, one after the other; what a search has proved
/// helps with the next one.
#[derive(Debug)]
pub(in crate::app::cli) struct VariantPositionSolver {
    time: Duration,
    /// `None` if nothing is to be searched, or the board is too large.
    solver: Option<VariantSolver>,
}

impl VariantPositionSolver {
    /// Of positions of the game and the board of this one. Each is searched for so long at most;
    /// nothing is searched in no time.
    ///
    /// # Errors
    /// If there is too little memory.
    pub(in crate::app::cli) fn new(
        position: &VariantPosition,
        time: Duration,
        context: &Context,
        stop: &StopFlag,
    ) -> Result<Self, Failure> {
        let (board, rules) = (position.board(), position.rules());
        if time.is_zero() || !board.fits::<u64>() {
            return Ok(Self { time, solver: None });
        }
        let memory = context.left("the search", VariantSolver::LEAST_TABLE_BYTES)?;
        let solver = VariantSolver::new(board, rules, memory, stop.clone()).or_failed()?;
        Ok(Self { time, solver: Some(solver) })
    }

    /// What is known of a position, and found out as far as there is time: who wins, and by which
    /// move.
    ///
    /// # Errors
    /// If a source is damaged, or the position is of another game or board.
    pub(in crate::app::cli) fn solve(
        &mut self,
        position: &VariantPosition,
        knowledge: &Knowledge,
    ) -> Result<Finding<SingleMove>, Failure> {
        let mut finding = knowledge.by_other_rules(position).or_failed()?;
        let wins = finding.of_value(Some(Outcome::Win)).next().is_some();
        let Some(solver) = &mut self.solver else { return Ok(finding) };
        if wins || finding.value() == Some(Outcome::Loss) || solver.is_stopped() {
            return Ok(finding);
        }
        solver.limit(Instant::now().checked_add(self.time), u64::MAX);
        let Some(value) = solver.solve(position).or_failed()? else { return Ok(finding) };
        finding.tell_value(value, &Basis::Proof).or_failed()?;
        if value == Outcome::Win
            && let Some(played) = solver.best_move(position).or_failed()?
        {
            finding.tell_move(played, Outcome::Win, &Basis::Proof).or_failed()?;
        }
        Ok(finding)
    }
}
