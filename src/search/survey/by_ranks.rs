//! A [`Survey`] by several processes.
//!
//! Rank 0 hands out the position and its moves in turn ([`turns`](super::turns)). Each rank has a
//! table of its own, so it goes on with what it had before; who has nothing left takes what another
//! rank has not begun, or is not at work on. Of what its search proves besides, a rank tells the
//! values of moves. What is settled by one rank counts for all.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::Survey;
use super::standing::Item;
use crate::game::Outcome;
use crate::machine::clock::Instant;
use crate::machine::ranks::{Master, Ranks, StopFlags, Unfinished, from_bytes, to_bytes};
use crate::search::solver::{Solver, SolverError};

/// What is known of the position, first, and of its moves, all as the side to move sees them.
type Known = Vec<Option<Outcome>>;

/// What a rank is to search: an item, in a turn of so much effort.
type Job = (Item, u8);

/// What came of a job.
#[derive(Serialize, Deserialize)]
struct Searched {
    job: Job,
    known: Known,
    /// Positions evaluated by this rank in all.
    nodes: u64,
}

/// Hands out the items of a survey.
struct Surveying<'s, F> {
    survey: &'s mut Survey,
    /// Which rank has searched an item, and whether it is at work on it; the position's comes
    /// first.
    ranks: Vec<(usize, bool)>,
    /// Positions evaluated, by rank.
    nodes: Vec<u64>,
    deadline: Option<Instant>,
    news: F,
}

/// Where an item stands among all.
fn place(item: Item) -> usize {
    match item {
        Item::Position => 0,
        Item::Move(index) => 1 + index,
    }
}

impl<F: FnMut(&Survey, u64)> Master for Surveying<'_, F> {
    fn next(&mut self, rank: usize) -> Option<Vec<u8>> {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return None;
        }
        // One's own first.
        let ranks = &self.ranks;
        let free = |item| match ranks[place(item)] {
            (_, true) => None,
            (of, false) => Some(of != rank),
        };
        let job: Job = self.survey.turns().next_by(self.survey.standing(), free)?;
        self.ranks[place(job.0)] = (rank, true);
        Some(to_bytes(&job))
    }

    fn take(&mut self, rank: usize, result: Vec<u8>) {
        let Searched { job: (item, effort), known, nodes } = from_bytes(&result);
        self.ranks[place(item)].1 = false;
        self.nodes[rank] = nodes;
        self.survey.turns_mut().note(item, effort);
        self.survey.learn(&known);
        (self.news)(self.survey, self.nodes.iter().sum());
    }

    fn is_complete(&self) -> bool {
        self.survey.standing().is_complete()
    }

    /// Rank 0 has its items from now on, and whoever is free takes them.
    fn lose(&mut self, lost: usize) -> bool {
        for (rank, is_searched) in self.ranks.iter_mut().filter(|(rank, _)| *rank == lost) {
            (*rank, *is_searched) = (0, false);
        }
        true
    }
}

impl Survey {
    /// What is known of the position and of its moves.
    fn values(&self) -> Known {
        let values = self.standing().moves().iter().map(|&(_, known)| known);
        std::iter::once(self.standing().outcome()).chain(values).collect()
    }

    /// As [`Survey::run`], by all ranks together, each with a solver of its own. The solvers must
    /// give up when `halt` is set. Whatever comes of it, the survey of rank 0 has what was found.
    /// `between` is called as by [`Solver::solve_in_runs`], `news` at rank 0, with the positions
    /// evaluated by all ranks.
    ///
    /// # Errors
    /// [`Unfinished`]: as [`Survey::run`], or if somebody asked to stop.
    pub fn run_on(
        &mut self,
        ranks: &Ranks,
        solver: &mut Solver<'_>,
        flags: StopFlags<'_>,
        between: impl FnMut(&Solver<'_>) -> Option<Instant> + Send,
        news: impl FnMut(&Self, u64),
    ) -> Result<(), Unfinished<SolverError>> {
        self.settle(solver);
        let found = (self.values(), self.efforts(solver), solver.rests_on_digest);
        let all = ranks.gather(&found).map_err(Unfinished::Elsewhere)?;
        let size = ranks.size();
        let count = 1 + self.standing().moves().len();
        // Who has searched an item most has it, and where nobody has, all have some.
        let mut owners: Vec<(u8, usize)> = (0..count).map(|item| (0, item % size)).collect();
        // From now on each learns what the others find.
        solver.rests_on_digest = all.iter().any(|&(.., rests_on_digest)| rests_on_digest);
        for (rank, (known, efforts, _)) in all.iter().enumerate() {
            self.learn(known);
            for ((item, owner), &effort) in self.turns().items().zip(&mut owners).zip(efforts) {
                if effort > owner.0 {
                    *owner = (effort, rank);
                }
                self.turns_mut().note(item, effort);
            }
        }
        let deadline = solver.end();
        let here = Mutex::new((self.clone(), solver, between));
        let search = |job: &[u8]| {
            let job: Job = from_bytes(job);
            let mut here = here.lock().unwrap_or_else(PoisonError::into_inner);
            let (survey, solver, between) = &mut *here;
            let searched = survey.position_of(solver, job.0);
            let found = solver.attempt(&searched, 1 << job.1, between)?;
            survey.record(solver, job.0, found);
            Ok(to_bytes(&Searched { job, known: survey.values(), nodes: solver.nodes() }))
        };
        let master = || Surveying {
            survey: self,
            ranks: owners.into_iter().map(|(_, rank)| (rank, false)).collect(),
            nodes: vec![0; size],
            deadline,
            news,
        };
        ranks.hand_out(master, flags, search).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Board;
    use crate::game::notation::parse_fen;
    use crate::machine::progress::StopFlag;
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
                    let flags = StopFlags { stop: &stop, halt: &halt };
                    survey.run_on(ranks, &mut solver, flags, |_| None, |_, _| ()).unwrap();
                    if ranks.is_first() {
                        assert!(survey.standing().is_complete());
                        assert_eq!(survey.standing().moves(), expected.standing().moves());
                        assert_eq!(survey.standing().outcome(), expected.standing().outcome());
                    }
                    Ending::Done
                });
                assert_eq!(ended, Ending::Done);
            }
        }
    }
}
