//! The margin of a position and of each of its moves, as far as there is time.
//!
//! The position and its moves are searched in turn, who has had the least first, each turn with
//! twice as many positions as the one before. As in equal turns of a
//! [`Survey`](crate::search::Survey) the position has an eighth of what its open moves have
//! together. No move is worth more than the position, which spares most of the search for the
//! moves: what is known of one narrows the other.

use std::collections::HashMap;

use super::threshold_search::{ThresholdSearch, ThresholdTurn};
use crate::game::rules::{IndexedMove, Position};
use crate::game::{Outcome, Threshold, ThresholdRange};
use crate::machine::clock::Instant;
use crate::search::solver::{Solver, SolverError};
use crate::search::sum::canonical::RegionSquares;
use crate::search::survey::standing::Item;
use crate::search::survey::turns::share_of_position;

/// What is known of the margins of a position and its moves.
#[derive(Clone, Debug)]
pub struct MarginSurvey {
    position: ThresholdSearch,
    /// Each different position after a move.
    after: Vec<ThresholdSearch>,
    /// Each move, and which of those positions it leads to.
    moves: Vec<(IndexedMove, usize)>,
}

impl MarginSurvey {
    /// What is known at once of a position of the solver's board.
    ///
    /// # Errors
    /// [`SolverError::Foreign`] if the position is none of the solver's, and
    /// [`SolverError::Contradiction`] if what its table was told cannot be.
    pub fn new(solver: &Solver<'_>, position: &Position) -> Result<Self, SolverError> {
        let (board, position) = (position.board(), solver.bitboards(position)?);
        let data = solver.board_data();
        let (mut after, mut first) = (Vec::new(), HashMap::new());
        let mut moves = Vec::new();
        for played in data.rules().moves(&position) {
            let left = data.rules().play_unchecked(&position, played);
            let canonical = data.canonizer.canonical(RegionSquares::of(board, &left));
            let place = *first.entry(canonical).or_insert_with(|| {
                after.push(ThresholdSearch::new(solver, left));
                after.len() - 1
            });
            moves.push((played, place));
        }
        let mut survey = Self { position: ThresholdSearch::new(solver, position), after, moves };
        survey.conclude()?;
        Ok(survey)
    }

    /// Takes over what is known of the threshold of the position; it is believed.
    ///
    /// # Errors
    /// [`SolverError::Contradiction`] if it cannot be.
    pub fn learn(&mut self, known: ThresholdRange) -> Result<(), SolverError> {
        self.position.learn(known)?;
        self.conclude()
    }

    /// Takes over what is known of the thresholds that the makers of moves have by them; it is
    /// believed.
    ///
    /// # Errors
    /// [`SolverError::Contradiction`] if it cannot be.
    pub fn learn_moves(
        &mut self,
        known: &[(IndexedMove, ThresholdRange)],
    ) -> Result<(), SolverError> {
        let known: HashMap<IndexedMove, ThresholdRange> = known.iter().copied().collect();
        for &(played, at) in &self.moves {
            if let Some(&range) = known.get(&played) {
                self.after[at].learn(ThresholdRange::of_move(range))?;
            }
        }
        self.conclude()
    }

    /// Between what the threshold of the position lies.
    pub fn range(&self) -> ThresholdRange {
        self.position.range()
    }

    /// Every move, and between what the threshold lies that its maker has by it.
    pub fn moves(&self) -> impl Iterator<Item = (IndexedMove, ThresholdRange)> {
        self.moves.iter().map(|&(played, at)| (played, self.of_move(at)))
    }

    fn of_move(&self, at: usize) -> ThresholdRange {
        ThresholdRange::of_move(self.after[at].range())
    }

    /// Whether the threshold of the position and those of its moves are known.
    pub fn is_complete(&self) -> bool {
        self.position.range().exact().is_some()
            && self.after.iter().all(|after| after.range().exact().is_some())
    }

    /// Searches until all is known or the search is over. `between` is called as by
    /// [`Solver::solve_in_runs`], `news` whenever more may be known.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn run<'o>(
        &mut self,
        solver: &mut Solver<'o>,
        mut between: impl FnMut(&Solver<'o>) -> Option<Instant>,
        mut news: impl FnMut(&Self),
    ) -> Result<(), SolverError> {
        news(self);
        while !solver.is_over()
            && let Some((item, turn)) = self.turn(solver)
        {
            let effort = ThresholdSearch::longer(turn);
            let search = match item {
                Item::Position => &mut self.position,
                Item::Move(at) => &mut self.after[at],
            };
            // Who wins, and by how much, is told of the position.
            if item != Item::Position {
                solver.monitor().hold_root();
            }
            let asked = search.ask(solver, turn.spare, effort, &mut between);
            solver.monitor().release_root();
            asked?;
            self.position.recall(solver);
            self.conclude()?;
            news(self);
        }
        Ok(())
    }

    /// What is next: the position, or one of the different positions after a move.
    fn turn(&self, solver: &Solver<'_>) -> Option<(Item, ThresholdTurn)> {
        let of_moves = self.after.iter().enumerate();
        let of_moves =
            of_moves.filter_map(|(at, after)| Some((Item::Move(at), after.turn(solver)?)));
        let of_moves: Vec<_> = of_moves.collect();
        let share = share_of_position(of_moves.len());
        let of_position = self.position.turn(solver).map(|turn| (Item::Position, turn));
        let lag = |item: Item, turn: ThresholdTurn| match item {
            Item::Position => turn.had.saturating_sub(share),
            Item::Move(_) => turn.had,
        };
        // Of equal ones the first: the position, then the moves in their order.
        of_position.into_iter().chain(of_moves).min_by_key(|&(item, turn)| lag(item, turn))
    }

    /// Takes over what follows from what is known.
    fn conclude(&mut self) -> Result<(), SolverError> {
        let moves = || (0..self.after.len()).map(|at| self.of_move(at));
        let most = moves().map(ThresholdRange::most).min();
        // Without a move that wins, a spare move may.
        let least = moves().map(ThresholdRange::least).min().unwrap_or(Threshold::new(1));
        if let Some(most) = most {
            self.position.learn_outcome(most.spare(), Outcome::Win)?;
        }
        self.position.learn_outcome(least.spare().min(1) - 1, Outcome::Loss)?;
        // The maker of a move has no more by it than the side to move has.
        let most = Threshold::of_move(self.position.range().least()).spare();
        self.after.iter_mut().try_for_each(|after| after.learn_outcome(most, Outcome::Win))
    }
}
