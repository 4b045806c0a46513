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
use crate::search::ForeignPosition;
use crate::search::solver::{Solver, SolverError};
use crate::search::sum::canonical::Squares;

/// The position has as much as so many of its open moves, divided by two to this power.
const SHARE: u8 = 3;

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
    /// If the position is none of the solver's.
    pub fn new(solver: &Solver<'_>, position: &Position) -> Result<Self, ForeignPosition> {
        let (board, position) = (position.board(), solver.bitboards(position)?);
        let data = solver.board_data();
        let (mut after, mut first) = (Vec::new(), HashMap::new());
        let mut moves = Vec::new();
        for played in data.rules().moves(&position) {
            let left = data.rules().play_unchecked(&position, played);
            let canonical = data.canonizer.canonical(Squares::of(board, &left));
            let place = *first.entry(canonical).or_insert_with(|| {
                after.push(ThresholdSearch::new(solver, left));
                after.len() - 1
            });
            moves.push((played, place));
        }
        let mut survey = Self { position: ThresholdSearch::new(solver, position), after, moves };
        survey.conclude();
        Ok(survey)
    }

    /// Takes over what is known of the threshold of the position; it is believed.
    pub fn learn(&mut self, known: ThresholdRange) {
        self.position.learn(known);
        self.conclude();
    }

    /// Takes over what is known of the thresholds that the makers of moves have by them; it is
    /// believed.
    pub fn learn_moves(&mut self, known: &[(IndexedMove, ThresholdRange)]) {
        let known: HashMap<IndexedMove, ThresholdRange> = known.iter().copied().collect();
        for &(played, at) in &self.moves {
            if let Some(&range) = known.get(&played) {
                self.after[at].learn(ThresholdRange::of_move(range));
            }
        }
        self.conclude();
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
                None => &mut self.position,
                Some(at) => &mut self.after[at],
            };
            // Who wins, and by how much, is told of the position.
            solver.monitor().hold_root(item.is_some());
            let asked = search.ask(solver, turn.spare, effort, &mut between);
            solver.monitor().hold_root(false);
            asked?;
            self.position.recall(solver);
            self.conclude();
            news(self);
        }
        Ok(())
    }

    /// What is next: the position, or a position after a move.
    fn turn(&self, solver: &Solver<'_>) -> Option<(Option<usize>, ThresholdTurn)> {
        let of_moves = self.after.iter().enumerate();
        let of_moves = of_moves.filter_map(|(at, after)| Some((Some(at), after.turn(solver)?)));
        let of_moves: Vec<_> = of_moves.collect();
        let share = (of_moves.len() >> SHARE).max(1).ilog2() as u8;
        let of_position = self.position.turn(solver).map(|turn| (None, turn));
        let lag = |item: Option<usize>, turn: ThresholdTurn| match item {
            None => turn.had.saturating_sub(share),
            Some(_) => turn.had,
        };
        // Of equal ones the first: the position, then the moves in their order.
        of_position.into_iter().chain(of_moves).min_by_key(|&(item, turn)| lag(item, turn))
    }

    /// Takes over what follows from what is known.
    fn conclude(&mut self) {
        let moves = || (0..self.after.len()).map(|at| self.of_move(at));
        let most = moves().map(ThresholdRange::most).min();
        // Without a move that wins, a spare move may.
        let least = moves().map(ThresholdRange::least).min().unwrap_or(Threshold::new(1));
        let mut known = self.position.range();
        if let Some(most) = most {
            known = known.with(most.spare(), Outcome::Win).unwrap_or(known);
        }
        let lost = least.spare().min(1) - 1;
        known = known.with(lost, Outcome::Loss).unwrap_or(known);
        self.position.learn(known);
        // The maker of a move has no more by it than the side to move has.
        let best = self.position.range().least();
        for after in &mut self.after {
            let range = after.range();
            let most = Threshold::of_move(best).spare();
            after.learn(range.with(most, Outcome::Win).unwrap_or(range));
        }
    }
}
