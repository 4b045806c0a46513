//! One position proved by several processes: proof-number search on the job level.
//!
//! There are two levels (Wu, Lin, Lin et al., *Job-level proof number search*, 2011; Čížek, Balko,
//! Schmid, *SPOTS*, 2025). Rank 0 holds the top of the proof as a graph with proof numbers
//! ([`graph`]) and hands out its leaves. Each rank searches its leaf with all its threads on its
//! own table, as it would search a position alone, until the leaf is solved, another one has become
//! better, or so many positions are evaluated. Then rank 0 has new numbers for the leaf, and for
//! all above it. A leaf that has cost a whole job and is not solved becomes a node: the rank tells
//! its children with the numbers that its table has for them.
//!
//! What a rank finds with much effort, proofs and numbers, it tells with the result, and rank 0
//! passes it on with the next job of each other rank. Ranks believe each other as threads do: they
//! run the same program, and the keys of the table are the positions themselves. So the verdict
//! rests on proofs alone, whoever found them, and not on the order of messages; how many positions
//! are evaluated depends on both.
//!
//! Rank 0's own table is told of the graph too. So a checkpoint of that table has the graph in it,
//! and a search that goes on grows it again from there, whatever the number of ranks is then.
//!
//! One rank searches the root, as without others.

mod budget;
mod graph;
mod master;
mod message;
#[cfg(any(test, feature = "internals"))]
mod simulation;

use std::sync::{Mutex, PoisonError};

pub use budget::Budget;
use graph::{Graph, node_of};
pub use master::JobDone;
use master::Proving;
use message::{Job, Searched, pack, unpack};
#[cfg(any(test, feature = "internals"))]
pub use simulation::{Fault, Network, Simulated, simulate, simulate_faults};

use super::checkpoint::format::Entries;
use super::solver::{Solver, SolverError};
use super::sum::key::Key;
use super::sum::numbers::Numbers;
use super::sum::reduction::Reduced;
use super::table::Entry;
use super::table::noted::Noted;
use crate::game::Outcome;
use crate::game::rules::Position;
use crate::machine::clock::Instant;
use crate::machine::ranks::{Ranks, StopFlags, Unfinished};

impl Solver<'_> {
    /// As [`Solver::solve_in_runs`], by all ranks together, each with a solver of its own, of the
    /// same board and seed. The solvers must give up when `halt` is set. `news` is told at rank 0
    /// of each job that is done. All ranks get what was found; of the solvers that of rank 0 knows
    /// it, and what the verdict rests on as far as others have told it.
    ///
    /// # Errors
    /// [`Unfinished`]: as [`Solver::solve`], or if somebody asked to stop.
    pub fn solve_on(
        &mut self,
        ranks: &Ranks,
        position: &Position,
        budget: Budget,
        flags: StopFlags<'_>,
        between: impl FnMut(&Self) -> Option<Instant> + Send,
        news: impl FnMut(JobDone),
    ) -> Result<Option<Outcome>, Unfinished<SolverError>> {
        let root = self.bitboards(position).map_err(|error| Unfinished::Here(error.into()))?;
        // Bounds that rest on the table may differ, so all do what rank 0 says.
        let reduced = match self.reduce(&root) {
            Reduced::Decided(outcome) => Err(outcome),
            Reduced::Open { sum, key, .. } => Ok((key.value(), sum.spare)),
        };
        let root = match ranks.tell(|| reduced).map_err(Unfinished::Elsewhere)? {
            Err(outcome) => return Ok(Some(outcome)),
            Ok((key, spare)) => (Key::from_value(key), spare),
        };
        // From now on each takes up what the others find.
        let resting = ranks.gather(&self.rests_on_digest).map_err(Unfinished::Elsewhere)?;
        self.rests_on_digest = resting.contains(&true);
        let mut graph = Graph::new(root);
        if ranks.is_first() && ranks.size() > 1 {
            graph.grow(self, budget.graph / 2);
        }
        let deadline = self.end();
        let proving = {
            let here = Mutex::new((&mut *self, between));
            let search = |job: &[u8]| {
                let mut here = here.lock().unwrap_or_else(PoisonError::into_inner);
                let (solver, between) = &mut *here;
                solver.do_job(job, between)
            };
            let master = || Proving::new(&mut graph, ranks.size(), budget, deadline, news);
            ranks.hand_out(master, flags, search).map(|master| master.map(Proving::rest))
        };
        self.note_from(Noted::NOTHING);
        // Whatever came of it, what the graph has found is kept.
        let (rest, why) = match proving {
            Ok(rest) => (rest, None),
            Err(why) => (None, Some(why)),
        };
        let found = graph.news().into_iter();
        found.for_each(|(key, entry)| self.table.insert(key, entry));
        self.take_up(&rest.unwrap_or_default());
        match why {
            Some(why) => Err(why),
            None => ranks.tell(|| graph.outcome()).map_err(Unfinished::Elsewhere),
        }
    }

    /// Takes up entries that another solver of the same board and seed has found.
    fn take_up(&mut self, entries: &Entries) {
        entries.iter().for_each(|(key, entry)| self.table.insert(key, entry));
    }

    /// Searches a leaf.
    fn do_job(
        &mut self,
        job: &[u8],
        between: &mut impl FnMut(&Self) -> Option<Instant>,
    ) -> Result<Vec<u8>, SolverError> {
        let (job, told): (Job, Entries) = unpack(job);
        self.take_up(&told);
        self.note_from(job.told_from);
        let (begun, before) = (Instant::now(), self.nodes());
        let place = (Key::from_value(job.key), job.spare);
        let node = node_of(self, place);
        let mut thresholds = job.thresholds();
        let mut numbers = loop {
            let left = job.positions - (self.nodes() - before).min(job.positions);
            let numbers = self.search_node(node, thresholds, left, between)?;
            let enough = self.nodes() - before >= job.least.max(1) || self.is_over();
            if enough || numbers.verdict().is_some() {
                break numbers;
            }
            thresholds = thresholds.raised_above(numbers);
        };
        let mut entries = Entries::default();
        if numbers.verdict().is_none() && self.nodes() - before >= job.expanded_after {
            match self.children(&node) {
                Err(outcome) => numbers = Numbers::solved(outcome),
                Ok(children) => children.iter().for_each(|(child, numbers)| {
                    entries.push(child.key, Entry::new(child.sum.spare, *numbers, 0));
                }),
            }
        }
        let children = entries.len();
        for (key, spare) in self.note_from(Noted::NOTHING) {
            if let Some(entry) = self.table.probe(key, spare).entry(spare) {
                entries.push(key, entry);
            }
        }
        let numbers = (numbers.proof, numbers.disproof);
        let (positions, time) = (self.nodes() - before, begun.elapsed());
        Ok(pack(&Searched { numbers, positions, time, children }, &entries))
    }
}

#[cfg(test)]
mod tests;
