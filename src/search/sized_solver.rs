//! A solver in the word that fits a position.

#[cfg(any(test, feature = "internals"))]
use std::sync::Arc;

use super::foreign_position::ForeignPosition;
#[cfg(any(test, feature = "internals"))]
use super::monitor::Monitor;
use super::solver::{Solver, SolverError};
use super::sum::oracle::Oracle;
#[cfg(any(test, feature = "internals"))]
use super::survey::{Survey, standing::Wanted};
use crate::game::Outcome;
use crate::game::rules::Position;
#[cfg(any(test, feature = "internals"))]
use crate::game::{Move, board::Word, rules::IndexedMove};
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::search::Settings;

/// A solver of whatever position there is a search for.
#[derive(Debug)]
pub enum SizedSolver<'o> {
    /// Of all positions of a board of at most 64 squares.
    Board(Solver<'o>),
    /// Of a late position of a larger board, and of those that come from it.
    Endgame(Solver<'o, u128>),
}

impl<'o> SizedSolver<'o> {
    /// A solver for a position that knows nothing yet, and gives up when `stop` is set.
    ///
    /// # Errors
    /// [`SolverError::Ground`] if too many squares take part, or there is no memory for the table.
    pub fn of(
        position: &Position,
        settings: Settings,
        stop: StopFlag,
    ) -> Result<Self, SolverError> {
        Ok(match position.board().fits::<u64>() {
            true => Self::Board(Solver::new(position.board(), settings, stop)?),
            false => Self::Endgame(Solver::of_endgame(position, settings, stop)?),
        })
    }

    /// The solver that was kept if it takes a position, else a new one. The table of the one that was
    /// kept is given back before the next one is made.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn kept_or_new(
        kept: Option<Self>,
        position: &Position,
        settings: Settings,
        stop: StopFlag,
    ) -> Result<Self, SolverError> {
        match kept.filter(|kept| kept.takes(position)) {
            Some(kept) => Ok(kept),
            None => Self::of(position, settings, stop),
        }
    }

    /// As [`Solver::takes`].
    pub fn takes(&self, position: &Position) -> bool {
        match self {
            Self::Board(solver) => solver.takes(position),
            Self::Endgame(solver) => solver.takes(position),
        }
    }

    /// As [`Solver::known`].
    ///
    /// # Errors
    /// As [`Solver::known`].
    pub fn known(&self, position: &Position) -> Result<Option<Outcome>, ForeignPosition> {
        match self {
            Self::Board(solver) => solver.known(position),
            Self::Endgame(solver) => solver.known(position),
        }
    }

    /// Positions evaluated so far.
    pub fn nodes(&self) -> u64 {
        match self {
            Self::Board(solver) => solver.nodes(),
            Self::Endgame(solver) => solver.nodes(),
        }
    }

    /// As [`Solver::with_oracle`].
    pub fn with_oracle(self, oracle: &'o dyn Oracle) -> Self {
        match self {
            Self::Board(solver) => Self::Board(solver.with_oracle(oracle)),
            Self::Endgame(solver) => Self::Endgame(solver.with_oracle(oracle)),
        }
    }

    /// As [`Solver::with_deadline`].
    pub fn with_deadline(self, deadline: Option<Instant>) -> Self {
        match self {
            Self::Board(solver) => Self::Board(solver.with_deadline(deadline)),
            Self::Endgame(solver) => Self::Endgame(solver.with_deadline(deadline)),
        }
    }
}

/// What those need who know no word, such as the module for Python.
#[cfg(any(test, feature = "internals"))]
impl SizedSolver<'_> {
    /// As [`Solver::solve`].
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn solve(&mut self, position: &Position) -> Result<Option<Outcome>, SolverError> {
        match self {
            Self::Board(solver) => solver.solve(position),
            Self::Endgame(solver) => solver.solve(position),
        }
    }

    /// As [`Solver::best_move`].
    ///
    /// # Errors
    /// As [`Solver::best_move`].
    pub fn best_move(&mut self, position: &Position) -> Result<Option<Move>, SolverError> {
        match self {
            Self::Board(solver) => solver.best_move(position),
            Self::Endgame(solver) => solver.best_move(position),
        }
    }

    /// The legal moves, in increasing order, each with what it reaches; nothing of those that were
    /// not decided before the search was over.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn all_moves(
        &mut self,
        position: &Position,
    ) -> Result<Vec<(IndexedMove, Option<Outcome>)>, SolverError> {
        match self {
            Self::Board(solver) => moves_by(solver, position),
            Self::Endgame(solver) => moves_by(solver, position),
        }
    }

    /// As [`Solver::monitor`].
    pub fn monitor(&self) -> Arc<Monitor> {
        match self {
            Self::Board(solver) => solver.monitor(),
            Self::Endgame(solver) => solver.monitor(),
        }
    }

    /// As [`Solver::with_stop`].
    pub fn with_stop(self, stop: StopFlag) -> Self {
        match self {
            Self::Board(solver) => Self::Board(solver.with_stop(stop)),
            Self::Endgame(solver) => Self::Endgame(solver.with_stop(stop)),
        }
    }
}

#[cfg(any(test, feature = "internals"))]
fn moves_by<W: Word>(
    solver: &mut Solver<'_, W>,
    position: &Position,
) -> Result<Vec<(IndexedMove, Option<Outcome>)>, SolverError> {
    let mut survey = Survey::new(solver, position, Wanted::All)?;
    survey.run(solver, |_| None, |_| ())?;
    Ok(survey.standing().moves().to_vec())
}
