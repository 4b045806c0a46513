//! The search of one position's threshold.
//!
//! At first it is asked who wins without spare moves. Then the range is narrowed from both ends:
//! the side that wins is given less and less, and from the other end it is shown to lose with more
//! and more. Far from the threshold proofs are cheap, and the two that enclose it are needed in any
//! case. Turns have twice as many positions as the turn before at that end. The far end has a
//! quarter of what the near one has: a proof at the near end may settle all, as it does where the
//! margin is small, and one at the far end narrows the range by one. So a search that is stopped
//! knows something from both ends.

use std::collections::HashMap;

use crate::game::rules::Bitboards;
use crate::game::{Outcome, ThresholdRange};
use crate::machine::clock::Instant;
use crate::search::solver::{Solver, SolverError};
use crate::search::sum::canonical::RegionSquares;

/// The logarithm of the number of positions in the first turn of an end.
const FIRST: u8 = 14;
/// The far end has as much as the near one, divided by two to this power.
const FAR: u8 = 2;
/// The logarithm of more positions than any search evaluates.
const WITHOUT_END: u8 = u64::BITS as u8 - 1;

/// What is to be asked next about a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct ThresholdTurn {
    /// The spare moves of the side to move.
    pub(in crate::search) spare: i16,
    /// The logarithm of the positions that have been searched for it in one turn; 0 for none.
    pub(in crate::search) had: u8,
    /// Whether nothing else is to be asked.
    pub(in crate::search) alone: bool,
}

/// What is known of a position's threshold, and what has been searched for it.
#[derive(Clone, Debug)]
pub(in crate::search) struct ThresholdSearch {
    position: Bitboards,
    range: ThresholdRange,
    /// By spare moves, the logarithm of the positions of the longest turn.
    had: HashMap<i16, u8>,
}

impl ThresholdSearch {
    /// What bounds and the solver's table say, and that the threshold is at most 1 where the
    /// position is its own mirror image with the colours exchanged
    /// ([`ThresholdRange::with_other_side`]).
    pub(in crate::search) fn new(solver: &Solver<'_>, position: Bitboards) -> Self {
        let data = solver.board_data();
        let all = ThresholdRange::of_empty(position.empty(data.board()).len());
        let squares = RegionSquares::of(data.board(), &position);
        let canonical = |squares| data.canonizer.canonical(squares);
        // With the other side to move it has the same threshold then: 1 at most.
        let is_alike = canonical(squares) == canonical(squares.swapped());
        let possible = if is_alike { all.with(1, Outcome::Win).unwrap_or(all) } else { all };
        let range = solver.narrowed(&position, possible);
        Self { position, range, had: HashMap::new() }
    }

    /// Between what the threshold lies.
    pub(in crate::search) fn range(&self) -> ThresholdRange {
        self.range
    }

    /// Takes over what follows from elsewhere.
    ///
    /// # Errors
    /// [`SolverError::Contradiction`]: proofs do not contradict each other, but what the search was
    /// told may be wrong.
    pub(in crate::search) fn learn(&mut self, range: ThresholdRange) -> Result<(), SolverError> {
        self.range = self.range.and(range).ok_or(SolverError::Contradiction)?;
        Ok(())
    }

    /// As [`Self::learn`], that the side to move reaches this with so many spare moves.
    ///
    /// # Errors
    /// As [`Self::learn`].
    pub(in crate::search) fn learn_outcome(
        &mut self,
        spare: i16,
        outcome: Outcome,
    ) -> Result<(), SolverError> {
        self.range = self.range.with(spare, outcome).ok_or(SolverError::Contradiction)?;
        Ok(())
    }

    /// Takes over what the solver has proved beside what was asked.
    pub(in crate::search) fn recall(&mut self, solver: &Solver<'_>) {
        self.range = solver.narrowed(&self.position, self.range);
    }

    /// What is to be asked next; `None` if the threshold is known.
    pub(in crate::search) fn turn(&self, solver: &Solver<'_>) -> Option<ThresholdTurn> {
        if self.range.exact().is_some() {
            return None;
        }
        let [near, far] = match self.range.outcome() {
            None => [0, 0],
            Some(Outcome::Win) => [self.range.most().spare() - 1, self.range.least().spare()],
            Some(Outcome::Loss) => [self.range.least().spare(), self.range.most().spare() - 1],
        };
        let turn =
            |spare| ThresholdTurn { spare, had: self.had(solver, spare), alone: near == far };
        let (near, far) = (turn(near), turn(far));
        Some(if far.had.max(FIRST - 1) + FAR < near.had { far } else { near })
    }

    /// What has been searched with so many spare moves, by this search or by one whose table it
    /// goes on with. Where the table has merged entries of a sum, that may be the effort for other
    /// spare moves, and too much: then a turn is longer, and nothing else.
    fn had(&self, solver: &Solver<'_>, spare: i16) -> u8 {
        let here = self.had.get(&spare).copied().unwrap_or_default();
        here.max(solver.effort_with(&self.position, spare))
    }

    /// Searches with so many spare moves until 2^`effort` positions are evaluated.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub(in crate::search) fn ask<'o>(
        &mut self,
        solver: &mut Solver<'o>,
        spare: i16,
        effort: u8,
        between: &mut impl FnMut(&Solver<'o>) -> Option<Instant>,
    ) -> Result<(), SolverError> {
        let positions = if effort >= WITHOUT_END { u64::MAX } else { 1 << effort };
        let found = solver.attempt_with(&self.position, spare, positions, between)?;
        self.had.insert(spare, effort);
        if let Some(outcome) = found {
            self.learn_outcome(spare, outcome)?;
        }
        self.recall(solver);
        Ok(())
    }

    /// How long the next turn is that is to be longer than those before.
    pub(in crate::search) fn longer(turn: ThresholdTurn) -> u8 {
        (turn.had + 1).clamp(FIRST, WITHOUT_END)
    }

    /// Searches until the threshold is known or the search is over. `between` is called as by
    /// [`Solver::solve_in_runs`], `news` whenever more is known.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub(in crate::search) fn run<'o>(
        mut self,
        solver: &mut Solver<'o>,
        mut between: impl FnMut(&Solver<'o>) -> Option<Instant>,
        mut news: impl FnMut(ThresholdRange),
    ) -> Result<ThresholdRange, SolverError> {
        while !solver.is_over()
            && let Some(turn) = self.turn(solver)
        {
            let before = self.range;
            let effort = if turn.alone { WITHOUT_END } else { Self::longer(turn) };
            self.ask(solver, turn.spare, effort, &mut between)?;
            if self.range != before {
                news(self.range);
            }
        }
        Ok(self.range)
    }
}
