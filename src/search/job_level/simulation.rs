//! Ranks of a simulation: any number of them in one thread, the same in every run.
//!
//! How much many ranks search together, and how long they take, depends on which result comes
//! first. Here time is not that of a clock. It is counted in the positions that a rank evaluates
//! meanwhile. A job takes as long as it evaluates positions, a message as long as the *latency*
//! says, and rank 0 is busy with each job for the time of *serving*. So a simulation of a thousand
//! ranks is as long as their searches one after another, and repeatable.
//!
//! What is simulated is [`Master`] with the jobs of real solvers: verdicts are proofs, too. Ranks
//! may have [faults](Fault).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use super::budget::Budget;
use super::graph::Graph;
use super::master::Proving;
use super::message::{Searched, pack, unpack};
use crate::game::Outcome;
use crate::game::rules::Position;
use crate::machine::ranks::Master;
use crate::search::checkpoint::format::Entries;
use crate::search::solver::{Solver, SolverError};
use crate::search::sum::reduction::Reduced;

/// What is supposed of ranks, and of what is between them.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    /// How long a message takes between rank 0 and another rank, in positions.
    pub latency: u64,
    /// How long rank 0 is busy with a job, in positions.
    pub serving: u64,
    /// Positions that a rank evaluates in a second: what the seconds of a [`Budget`] are.
    pub rate: f64,
}

/// What is wrong with a rank other than rank 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It takes so many times as long.
    Slow(u64),
    /// Each message to it or from it takes so much longer, in positions.
    Late(u64),
    /// After so many jobs nothing comes from it any more; rank 0 has lost it so many positions
    /// later.
    Lost {
        /// The jobs.
        after: u64,
        /// The positions.
        noticed: u64,
    },
}

/// A rank: what is wrong with it, and how many jobs it has had.
#[derive(Clone, Debug, Default)]
struct Simulant {
    faults: Vec<Fault>,
    jobs: u64,
}

impl Simulant {
    /// How many times as long a job takes.
    fn slowness(&self) -> u64 {
        let times = |fault: &Fault| if let Fault::Slow(times) = fault { *times } else { 1 };
        self.faults.iter().map(times).product()
    }

    /// How much longer a message takes.
    fn delay(&self) -> u64 {
        let delay = |fault: &Fault| if let Fault::Late(delay) = fault { *delay } else { 0 };
        self.faults.iter().map(delay).sum()
    }

    /// After how long it is lost, if nothing comes of its next job.
    fn silence(&self) -> Option<u64> {
        self.faults.iter().find_map(|fault| match fault {
            Fault::Lost { after, noticed } if *after <= self.jobs => Some(*noticed),
            _ => None,
        })
    }

    /// What comes of its next job, which it is given at a moment.
    fn work(
        &mut self,
        rank: usize,
        solver: &mut Solver<'_>,
        job: &[u8],
        now: u64,
        network: Network,
    ) -> Result<AtWork, SolverError> {
        let away = if rank == 0 { 0 } else { network.latency + self.delay() };
        let result = solver.do_job(job, &mut |_| None)?;
        let (searched, entries): (Searched, Entries) = unpack(&result);
        let positions = searched.positions;
        // A job that evaluates nothing takes a moment, too.
        let (from, takes) = (now + away, positions.max(1) * self.slowness());
        let time = positions * self.slowness();
        let time = Duration::from_secs_f64(time as f64 / network.rate);
        let result = pack(&Searched { time, ..searched }, &entries);
        let (until, result) = match self.silence() {
            None => (from + takes + away, Some(result)),
            Some(silence) => (from + silence, None),
        };
        self.jobs += 1;
        Ok(AtWork { until, number: 0, rank, from, positions, result })
    }
}

/// What came of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulated {
    /// What the side to move reaches.
    pub outcome: Outcome,
    /// Positions that all ranks evaluated until that was known.
    pub positions: u64,
    /// When it was known, in positions of one rank.
    pub time: u64,
    /// Jobs that were done.
    pub jobs: u64,
    /// How long rank 0 was busy with jobs, in positions.
    pub served: u64,
}

/// A job at work, by when its result comes to rank 0.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct AtWork {
    until: u64,
    /// Which of all jobs it is.
    number: u64,
    rank: usize,
    /// When the rank begins with it.
    from: u64,
    positions: u64,
    /// None of a rank that is lost.
    result: Option<Vec<u8>>,
}

/// One position by as many ranks as there are solvers, which know nothing yet, are of the
/// position's board and have one seed and one thread.
///
/// # Errors
/// As [`Solver::solve`].
///
/// # Panics
/// If there is no solver.
pub fn simulate(
    solvers: &mut [Solver<'_>],
    position: &Position,
    budget: Budget,
    network: Network,
) -> Result<Simulated, SolverError> {
    simulate_faults(solvers, position, budget, network, &[])
}

/// As [`simulate`], by ranks with these faults, each with the rank that has it.
///
/// # Errors
/// As [`simulate`].
///
/// # Panics
/// As [`simulate`], or if rank 0 has a fault.
pub fn simulate_faults(
    solvers: &mut [Solver<'_>],
    position: &Position,
    budget: Budget,
    network: Network,
    faults: &[(usize, Fault)],
) -> Result<Simulated, SolverError> {
    assert!(faults.iter().all(|&(rank, _)| rank > 0), "without rank 0 there is no search");
    let mut simulants = vec![Simulant::default(); solvers.len()];
    faults.iter().for_each(|&(rank, fault)| simulants[rank].faults.push(fault));
    let reduced = solvers[0].reduce(&solvers[0].bitboards(position)?);
    let root = match reduced {
        Reduced::Decided(outcome) => {
            return Ok(Simulated { outcome, positions: 0, time: 0, jobs: 0, served: 0 });
        }
        Reduced::Open { sum, key, .. } => (key, sum.spare),
    };
    let mut graph = Graph::new(root);
    let mut master = Proving::new(&mut graph, solvers.len(), budget, None, |_| ());
    let mut free: Vec<usize> = (0..solvers.len()).collect();
    let mut at_work: BinaryHeap<Reverse<AtWork>> = BinaryHeap::new();
    let (mut now, mut jobs, mut positions) = (0, 0, 0);
    while !master.is_complete() {
        for rank in std::mem::take(&mut free) {
            let Some(job) = master.next(rank) else {
                free.push(rank);
                continue;
            };
            // Rank 0 serves one rank after another.
            now += network.serving;
            let work = simulants[rank].work(rank, &mut solvers[rank], &job, now, network)?;
            at_work.push(Reverse(AtWork { number: jobs, ..work }));
            jobs += 1;
        }
        let Some(Reverse(done)) = at_work.pop() else { break };
        now = now.max(done.until);
        positions += done.positions;
        match done.result {
            Some(result) => {
                master.take(done.rank, result);
                free.push(done.rank);
            }
            None => assert!(master.lose(done.rank), "the others go on"),
        }
    }
    // The jobs that are still at work are given up.
    let given_up =
        at_work.iter().map(|Reverse(job)| now.saturating_sub(job.from).min(job.positions));
    positions += given_up.sum::<u64>();
    drop(master);
    let outcome = graph.outcome().expect("nobody stops a simulation");
    Ok(Simulated { outcome, positions, time: now, jobs, served: jobs * network.serving })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::progress::StopFlag;
    use crate::search::Settings;

    fn solvers(position: &Position, ranks: usize) -> Vec<Solver<'static>> {
        let settings = Settings { table_bytes: 4 << 20, threads: 1, seed: 1 };
        let solver = |_| Solver::new(position.board(), settings, StopFlag::new()).unwrap();
        (0..ranks).map(solver).collect()
    }

    #[test]
    fn ranks_of_a_simulation_find_what_one_search_finds_and_the_same_each_time() {
        let budget = Budget { positions: 64, time: None, ..Budget::default() };
        let network = Network { latency: 20, serving: 4, rate: 1e6 };
        for (board, outcome) in [("4x5", Outcome::Loss), ("5x4", Outcome::Win)] {
            let position = Position::start(board.parse().unwrap()).unwrap();
            let run = |ranks| {
                let mut solvers = solvers(&position, ranks);
                simulate(&mut solvers, &position, budget, network).unwrap()
            };
            let one = run(1);
            for ranks in [2, 8] {
                let many = run(ranks);
                assert_eq!((one.outcome, many.outcome), (outcome, outcome), "{board}");
                assert_eq!(many, run(ranks), "{board}");
                assert!(many.jobs >= one.jobs && many.time > 0);
                // No rank does two things at once.
                assert!(many.positions <= many.time * ranks as u64, "{many:?}");
            }
        }
    }

    #[test]
    fn a_search_goes_on_whatever_happens_to_the_other_ranks() {
        let budget = Budget { positions: 64, time: None, ..Budget::default() };
        let network = Network { latency: 20, serving: 4, rate: 1e6 };
        let lost = |after| Fault::Lost { after, noticed: 5000 };
        for (board, outcome) in [("4x5", Outcome::Loss), ("5x4", Outcome::Win)] {
            let position = Position::start(board.parse().unwrap()).unwrap();
            let run = |faults: &[(usize, Fault)]| {
                let mut solvers = solvers(&position, 4);
                simulate_faults(&mut solvers, &position, budget, network, faults).unwrap()
            };
            let sound = run(&[]);
            for faults in [
                &[(1, Fault::Slow(100))][..],
                &[(2, Fault::Late(100_000))],
                &[(1, Fault::Slow(100)), (1, Fault::Late(1000)), (3, Fault::Late(1000))],
                &[(1, lost(0))],
                &[(1, lost(3)), (2, lost(1)), (3, Fault::Slow(100))],
                // Rank 0 goes on alone.
                &[(1, lost(0)), (2, lost(2)), (3, lost(5))],
            ] {
                let found = run(faults);
                assert_eq!(found.outcome, outcome, "{board} {faults:?}");
                assert_eq!(found, run(faults), "{board} {faults:?}");
                assert!(found.time > sound.time / 2, "{board} {faults:?}: {found:?}, {sound:?}");
            }
        }
    }
}
