//! A [`Survey`] by several processes.
//!
//! Rank 0 hands out the position and its moves, each with a time, which grows from round to round.
//! Each rank has a table of its own, so it goes on with what it had before; who has nothing left
//! takes what another rank has not begun, or is not at work on. Of what its search proves besides,
//! a rank tells the values of moves. What is settled by one rank counts for all.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::solver::{Solver, SolverError};
use super::survey::{GROWTH, Survey};
use crate::game::Outcome;
use crate::game::rules::Bitboards;
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::machine::ranks::{Master, Ranks, Unfinished, from_bytes, to_bytes};

/// What is known of the position, first, and of its moves, all as the side to move sees them.
type Known = Vec<Option<Outcome>>;

/// What came of a job.
#[derive(Serialize, Deserialize)]
struct Searched {
    item: usize,
    known: Known,
    /// Positions evaluated by this rank in all.
    nodes: u64,
}

/// The position or one of its moves.
#[derive(Clone, Debug)]
struct Item {
    round: u32,
    /// Which rank has searched it.
    rank: usize,
    busy: bool,
}

/// Hands out the items of a survey.
struct Surveying<'s, F> {
    survey: &'s mut Survey,
    /// The time for each move in the first round.
    first_round: Duration,
    items: Vec<Item>,
    /// Positions evaluated, by rank.
    nodes: Vec<u64>,
    deadline: Option<Instant>,
    news: F,
}

impl<F: FnMut(&Survey, u64)> Surveying<'_, F> {
    fn is_open(&self, item: usize) -> bool {
        let is_due = match item.checked_sub(1) {
            None => self.survey.outcome().is_none(),
            Some(played) => self.survey.is_due(played),
        };
        is_due && !self.items[item].busy
    }
}

impl<F: FnMut(&Survey, u64)> Master for Surveying<'_, F> {
    fn next(&mut self, rank: usize) -> Option<Vec<u8>> {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || self.is_complete() {
            return None;
        }
        let open = (0..self.items.len()).filter(|&item| self.is_open(item));
        // One's own first, of those the least searched.
        let item = open.min_by_key(|&item| {
            let of = &self.items[item];
            (of.rank != rank, of.round, item)
        })?;
        let of = &mut self.items[item];
        let slice = self.first_round.saturating_mul(GROWTH.saturating_pow(of.round));
        (of.rank, of.busy) = (rank, true);
        of.round += 1;
        let time = if item == 0 { self.survey.time_of_position(slice) } else { Some(slice) };
        Some(to_bytes(&(item, time)))
    }

    fn take(&mut self, rank: usize, result: Vec<u8>) {
        let Searched { item, known, nodes } = from_bytes(&result);
        self.items[item].busy = false;
        self.nodes[rank] = nodes;
        self.survey.learn(&known);
        (self.news)(self.survey, self.nodes.iter().sum());
    }

    fn is_complete(&self) -> bool {
        self.survey.is_complete()
    }
}

impl Survey {
    /// What is known of the position and of its moves.
    fn known(&self) -> Known {
        let values = self.moves().iter().map(|&(_, known)| known);
        std::iter::once(self.outcome()).chain(values).collect()
    }

    /// As [`Survey::run`], by all ranks together, each with a solver of its own. The solvers must
    /// give up when `halt` is set; `stop` is set by who asks this process to stop. Whatever comes
    /// of it, the survey of rank 0 has what was found. `between` is called as by
    /// [`Solver::solve_in_runs`], `news` at rank 0, with the positions evaluated by all ranks.
    ///
    /// # Errors
    /// [`Unfinished`]: as [`Survey::run`], or if somebody asked to stop.
    pub fn run_on(
        &mut self,
        ranks: &Ranks,
        solver: &mut Solver<'_>,
        [stop, halt]: [&StopFlag; 2],
        between: impl FnMut(&Solver<'_>) -> Option<Instant> + Send,
        news: impl FnMut(&Self, u64),
    ) -> Result<(), Unfinished<SolverError>> {
        self.settle(solver);
        let all = ranks.gather(&self.known()).map_err(Unfinished::Elsewhere)?;
        all.iter().for_each(|known| self.learn(known));
        let positions: Vec<Bitboards> = std::iter::once(*self.position())
            .chain(self.moves().iter().map(|&(played, _)| {
                solver.board_data().rules().play_unchecked(self.position(), played)
            }))
            .collect();
        let deadline = solver.end();
        let first_round = self.slice_after(solver.searched_before());
        let here = Mutex::new((self.clone(), solver, between));
        let search = |job: &[u8]| {
            let (item, time): (usize, Option<Duration>) = from_bytes(job);
            let mut here = here.lock().unwrap_or_else(PoisonError::into_inner);
            let (survey, solver, between) = &mut *here;
            let found = solver.attempt(&positions[item], time, between)?;
            survey.note(item, found);
            survey.settle(solver);
            let (known, nodes) = (survey.known(), solver.nodes());
            Ok(to_bytes(&Searched { item, known, nodes }))
        };
        let size = ranks.size();
        let count = positions.len();
        let master = || Surveying {
            survey: self,
            first_round,
            items: (0..count)
                .map(|item| Item { round: 0, rank: item % size, busy: false })
                .collect(),
            nodes: vec![0; size],
            deadline,
            news,
        };
        ranks.hand_out(master, stop, halt, search).map(drop)
    }

    /// Takes note of what a search of an item has found.
    fn note(&mut self, item: usize, found: Option<Outcome>) {
        let mut known = vec![None; item + 1];
        // After a move the other side is to move.
        known[item] = if item == 0 { found } else { found.map(Outcome::reversed) };
        self.learn(&known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Board;
    use crate::game::notation::parse_fen;
    use crate::machine::ranks::{Ending, in_threads};
    use crate::search::{Settings, Wanted};

    #[test]
    fn ranks_find_what_one_process_finds() {
        for text in ["q1q/3/3/Q1Q w", "1qq1/4/4/1QQ1 w"] {
            let position = parse_fen(text).unwrap();
            let board: Board = position.board();
            let settings = Settings { table_bytes: 1 << 24, ..Settings::default() };
            let mut alone = Solver::new(board, settings, StopFlag::new()).unwrap();
            let mut expected = Survey::new(&alone, &position, Wanted::All).unwrap();
            expected.run(&mut alone, |_| None, |_| ()).unwrap();
            for size in [1, 2, 5] {
                let ended = in_threads(size, |ranks| {
                    let (stop, halt) = (StopFlag::new(), StopFlag::new());
                    let mut solver = Solver::new(board, settings, halt.clone()).unwrap();
                    let mut survey = Survey::new(&solver, &position, Wanted::All).unwrap();
                    let flags = [&stop, &halt];
                    survey.run_on(ranks, &mut solver, flags, |_| None, |_, _| ()).unwrap();
                    if ranks.is_first() {
                        assert!(survey.is_complete());
                        assert_eq!(survey.moves(), expected.moves());
                        assert_eq!(survey.outcome(), expected.outcome());
                    }
                    Ending::Done
                });
                assert_eq!(ended, Ending::Done);
            }
        }
    }
}
