//! Who wins a position, from what is known or by a search with a limit of time.

use std::time::{Duration, Instant};

use crate::app::cli::context::{Context, Failure, OrFail};
use crate::game::board::Word;
use crate::game::rules::Position;
use crate::game::{Outcome, ThresholdRange};
use crate::knowledge::{Finding, Knowledge, TablesOracle};
use crate::machine::progress::StopFlag;
use crate::search::{GroundTooLarge, Settings, SizedSolver, Solver};

/// Finds out about positions, one after the other; what a search has proved helps the next one that
/// its solver takes.
#[derive(Debug)]
pub(in crate::app::cli) struct PositionSolver<'a> {
    knowledge: &'a Knowledge,
    oracle: &'a TablesOracle,
    time: SearchTime,
    /// `None` if there is no time for any search.
    settings: Option<Settings>,
    solver: Option<SizedSolver<'a>>,
    stop: StopFlag,
}

/// How long each position is searched at most; nothing is searched in no time.
#[derive(Clone, Copy, Debug)]
pub(in crate::app::cli) struct SearchTime {
    /// For who wins, and by which move.
    pub(in crate::app::cli) value: Duration,
    /// For by how much.
    pub(in crate::app::cli) margin: Duration,
}

impl<'a> PositionSolver<'a> {
    /// One that asks what is known, then searches for so long a position, with tables that the
    /// search may ask. Positions of which too many squares take part are not searched.
    pub(in crate::app::cli) fn new(
        knowledge: &'a Knowledge,
        oracle: &'a TablesOracle,
        time: SearchTime,
        context: &Context,
        stop: StopFlag,
    ) -> Result<Self, Failure> {
        let searches = !time.value.is_zero() || !time.margin.is_zero();
        let settings = searches.then(|| context.search_settings()).transpose()?;
        Ok(Self { knowledge, oracle, time, settings, solver: None, stop })
    }

    /// From now on there is one search of the first of some positions that can be searched, and of
    /// those that come from it.
    ///
    /// # Errors
    /// If there is no memory.
    pub(in crate::app::cli) fn expect<'p>(
        &mut self,
        positions: impl IntoIterator<Item = &'p Position>,
    ) -> Result<(), Failure> {
        let mut positions = positions.into_iter();
        match positions.find(|position| GroundTooLarge::check(position).is_ok()) {
            Some(first) => self.prepare(first),
            None => Ok(()),
        }
    }

    /// Makes a solver that takes a position, unless there is one, or none is to be.
    fn prepare(&mut self, position: &Position) -> Result<(), Failure> {
        let Some(settings) = self.settings else { return Ok(()) };
        let (kept, stop) = (self.solver.take(), self.stop.clone());
        let solver = SizedSolver::kept_or_new(kept, position, settings, stop).or_failed()?;
        self.solver = Some(solver.with_oracle(self.oracle));
        Ok(())
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
        if self.time.value.is_zero() || GroundTooLarge::check(position).is_err() {
            return Ok(finding);
        }
        self.prepare(position)?;
        let Some(solver) = self.solver.take() else { return Ok(finding) };
        // A deadline that is too far away to be told is none.
        let solver = solver.with_deadline(Instant::now().checked_add(self.time.value));
        match self.solver.insert(solver) {
            SizedSolver::Board(solver) => search(solver, position, self.oracle, &mut finding),
            SizedSolver::Endgame(solver) => search(solver, position, self.oracle, &mut finding),
        }?;
        Ok(finding)
    }

    /// Between what the threshold of a position lies of which so much was found out: as sources
    /// know, and as a search finds out. Who wins is told to the finding. Nothing is searched where
    /// the search of margins takes no such board.
    ///
    /// # Errors
    /// As [`Self::solve`].
    pub(in crate::app::cli) fn margin(
        &mut self,
        position: &Position,
        finding: &mut Finding,
    ) -> Result<ThresholdRange, Failure> {
        let margins = self.knowledge.margins_beside(position, finding).or_failed()?;
        let known = margins.position();
        let is_over = known.exact().is_some() || self.stop.is_set();
        let range = if is_over { known } else { self.search_margin(position, known)? };
        if let Some(value) = range.outcome() {
            let before = margins.basis_of_position();
            let basis = match before {
                Some(before) if known.outcome().is_some() => before.clone(),
                before => self.oracle.basis().and(before),
            };
            finding.tell_value(value, &basis).or_failed()?;
        }
        Ok(range)
    }

    fn search_margin(
        &mut self,
        position: &Position,
        known: ThresholdRange,
    ) -> Result<ThresholdRange, Failure> {
        if self.time.margin.is_zero() || !position.board().fits::<u64>() {
            return Ok(known);
        }
        self.prepare(position)?;
        let Some(solver) = self.solver.take() else { return Ok(known) };
        let solver = solver.with_deadline(Instant::now().checked_add(self.time.margin));
        match self.solver.insert(solver) {
            SizedSolver::Board(solver) if solver.takes(position) => {
                solver.threshold_in_runs(position, known, |_| None, |_| ()).or_failed()
            }
            _ => Ok(known),
        }
    }
}

/// Who wins, and by which move, as far as a search finds out before its deadline.
fn search<W: Word>(
    solver: &mut Solver<'_, W>,
    position: &Position,
    oracle: &TablesOracle,
    finding: &mut Finding,
) -> Result<(), Failure> {
    let Some(plain) = position.bitboards::<W>() else { return Ok(()) };
    let Some(value) = solver.solve(position).or_failed()? else { return Ok(()) };
    finding.tell_value(value, &oracle.basis()).or_failed()?;
    if value == Outcome::Win
        && let Some(played) = solver.winning_move(&plain, |_| None).or_failed()?
    {
        finding.tell_move(played, Outcome::Win, &oracle.basis()).or_failed()?;
    }
    Ok(())
}
