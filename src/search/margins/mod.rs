//! By how much a position is won, and by how much each of its moves: in spare moves
//! ([`margin`](crate::game::margin)).
//!
//! The search carries spare moves anyway: those that decided parts of a position give
//! ([`reduction`](super::sum::reduction)). A position with `s` spare moves is that position with
//! `s` more of them at the root. What is proved for one number of spare moves stands in the same
//! table as what is proved for another, and helps there.
//!
//! A threshold `t` is two proofs: the side to move wins with `t`, and loses with `t - 1`. They are
//! found from both ends ([`ThresholdSearch`]).

pub(super) mod survey;
pub(super) mod threshold_search;

use super::solver::{Solver, SolverError};
use crate::game::rules::{Bitboards, IndexedMove, Position};
use crate::game::{Outcome, ThresholdRange};
use crate::machine::clock::Instant;
use crate::search::ForeignPosition;
use threshold_search::ThresholdSearch;

impl Solver<'_> {
    /// What the side to move reaches with `spare` spare moves more than the other side, fewer if it
    /// is below 0; `None` if the search was stopped. Every number is answered: with more than there
    /// are empty squares it is plain who wins. `between` is called as by [`Solver::solve_in_runs`].
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn solve_with_spare_in_runs(
        &mut self,
        position: &Position,
        spare: i16,
        between: impl FnMut(&Self) -> Option<Instant>,
    ) -> Result<Option<Outcome>, SolverError> {
        let position = self.bitboards(position)?;
        self.attempt_with(&position, spare, u64::MAX, between)
    }

    /// By how much the side to move wins or loses, or between what, if the search was stopped.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn threshold(&mut self, position: &Position) -> Result<ThresholdRange, SolverError> {
        let known = self.known_threshold(position)?;
        self.threshold_in_runs(position, known, |_| None, |_| ())
    }

    /// As [`Self::threshold`], of which something is known; it is believed. `between` is called as
    /// by [`Solver::solve_in_runs`], `news` whenever more is known.
    ///
    /// # Errors
    /// As [`Solver::solve`]; [`SolverError::Contradiction`] if it cannot be.
    pub fn threshold_in_runs(
        &mut self,
        position: &Position,
        known: ThresholdRange,
        between: impl FnMut(&Self) -> Option<Instant>,
        news: impl FnMut(ThresholdRange),
    ) -> Result<ThresholdRange, SolverError> {
        let position = self.bitboards(position)?;
        let mut search = ThresholdSearch::new(self, position);
        search.learn(known)?;
        search.run(self, between, news)
    }

    /// What is known of the threshold of a position without searching: by its bounds and by the
    /// table.
    ///
    /// # Errors
    /// If the position is none of the solver's.
    pub fn known_threshold(&self, position: &Position) -> Result<ThresholdRange, ForeignPosition> {
        let position = self.bitboards(position)?;
        Ok(ThresholdSearch::new(self, position).range())
    }

    /// Whether the side to move, which has so many spare moves, wins by spending one; `None` if the
    /// search is over before that is known. `between` is called as by
    /// [`Self::solve_in_runs`].
    ///
    /// # Errors
    /// As [`Self::solve`].
    pub fn wins_by_spending_in_runs(
        &mut self,
        position: &Position,
        spare: i16,
        mut between: impl FnMut(&Self) -> Option<Instant>,
    ) -> Result<Option<bool>, SolverError> {
        if spare <= 0 {
            return Ok(Some(false));
        }
        let passed = self.bitboards(position)?.swapped();
        let reached = match self.proved_with(&passed, 1 - spare) {
            None => self.attempt_with(&passed, 1 - spare, u64::MAX, &mut between)?,
            known => known,
        };
        Ok(reached.map(|reached| reached == Outcome::Loss))
    }

    /// A move that is known to win if the side to move has so many spare moves.
    ///
    /// # Errors
    /// If the position is none of the solver's.
    pub fn known_move_with_spare(
        &self,
        position: &Position,
        spare: i16,
    ) -> Result<Option<IndexedMove>, ForeignPosition> {
        Ok(self.proved_move_with(&self.bitboards(position)?, spare))
    }

    /// A move with which the side to move wins if it has so many spare moves; `None` if the search
    /// is over before one is found, or if there is none, and only spending a spare move wins.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn best_move_with_spare(
        &mut self,
        position: &Position,
        spare: i16,
        between: impl FnMut(&Self) -> Option<Instant>,
    ) -> Result<Option<IndexedMove>, SolverError> {
        let position = self.bitboards(position)?;
        self.winning_move_with(&position, spare, between)
    }

    /// What is left of a range of thresholds of a position by what bounds and the table say.
    pub(super) fn narrowed(&self, position: &Bitboards, range: ThresholdRange) -> ThresholdRange {
        let mut left = range;
        while left.exact().is_none()
            && let Some(less) = self.without_least(position, left)
        {
            left = less;
        }
        while left.exact().is_none()
            && let Some(less) = self.without_most(position, left)
        {
            left = less;
        }
        left
    }

    /// A range without its least threshold, if that is proved not to be the one.
    fn without_least(&self, position: &Bitboards, range: ThresholdRange) -> Option<ThresholdRange> {
        let spare = range.least().spare();
        let lost = self.proved_with(position, spare) == Some(Outcome::Loss);
        lost.then(|| range.with(spare, Outcome::Loss)).flatten()
    }

    /// A range without its greatest threshold, if that is proved not to be the one.
    fn without_most(&self, position: &Bitboards, range: ThresholdRange) -> Option<ThresholdRange> {
        let spare = range.most().spare().saturating_sub(1);
        let won = self.proved_with(position, spare) == Some(Outcome::Win);
        won.then(|| range.with(spare, Outcome::Win)).flatten()
    }
}

#[cfg(test)]
mod tests;
