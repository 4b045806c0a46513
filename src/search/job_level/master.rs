//! What rank 0 does while leaves are searched: it hands them out, and passes on what was found.

use std::collections::VecDeque;
use std::time::Duration;

use super::budget::Budget;
use super::graph::{Graph, Way};
use super::message::{Job, Searched, pack, unpack};
use crate::machine::clock::Instant;
use crate::machine::ranks::Master;
use crate::search::checkpoint::format::Entries;
use crate::search::sum::key::Key;
use crate::search::sum::numbers::Numbers;
use crate::search::table::Entry;

/// A job is no larger than this share of what each rank has searched so far: so the graph grows
/// with the search, and small searches are divided too.
const SHARE: u64 = 16;
/// A job evaluates at least this share of its positions, however soon it has reached a threshold:
/// the numbers of a rank may be others than those of rank 0, and messages cost more than positions.
const LEAST: u64 = 4;
/// What a job tells has at least this share of its effort below it, as a logarithm.
const TOLD: u32 = 8;

/// What a job was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JobDone {
    /// The rank that did it.
    pub rank: usize,
    /// Positions evaluated in it.
    pub positions: u64,
    /// How long it took.
    pub time: Duration,
    /// How long rank 0 was busy with it.
    pub served: Duration,
    /// Bytes of the job and of its result.
    pub bytes: usize,
    /// Positions evaluated by all ranks.
    pub total: u64,
    /// Positions of the graph.
    pub graph: usize,
    /// Proof and disproof number of the position to be proved.
    pub numbers: Numbers,
}

/// A rank as rank 0 knows it.
#[derive(Clone, Debug, Default)]
struct RankState {
    /// Its job, the bytes of it, and how long it took to choose and write it.
    job: Option<(Way, usize, Duration)>,
    positions: u64,
    time: Duration,
    /// How many entries it has been told of.
    told: u64,
}

/// What is passed on, with the rank that has found it.
#[derive(Debug)]
struct Waiting {
    most: usize,
    entries: VecDeque<(usize, Key, Entry)>,
    /// How many have left the queue.
    gone: u64,
}

impl Waiting {
    fn push(&mut self, from: usize, key: Key, entry: Entry) {
        self.entries.push_back((from, key, entry));
        if self.entries.len() > self.most {
            self.forget(self.gone + 1);
        }
    }

    /// What a rank has not found itself of what has come since `told`, and how much has come by
    /// now.
    fn since(&self, told: u64, rank: usize) -> (impl Iterator<Item = (Key, Entry)>, u64) {
        let new = self.entries.range(told.saturating_sub(self.gone) as usize..);
        let foreign = new.filter(move |&&(from, ..)| from != rank);
        (foreign.map(|&(_, key, entry)| (key, entry)), self.gone + self.entries.len() as u64)
    }

    /// Drops the first so many of all that ever came.
    fn forget(&mut self, first: u64) {
        let count = first.saturating_sub(self.gone).min(self.entries.len() as u64);
        self.entries.drain(..count as usize);
        self.gone += count;
    }
}

/// Hands out the leaves of a graph.
#[derive(Debug)]
pub(super) struct Proving<'g, N> {
    graph: &'g mut Graph,
    budget: Budget,
    ranks: Vec<RankState>,
    waiting: Waiting,
    deadline: Option<Instant>,
    news: N,
}

impl<'g, N: FnMut(JobDone)> Proving<'g, N> {
    /// By so many ranks; `news` is told of each job that is done.
    pub(super) fn new(
        graph: &'g mut Graph,
        ranks: usize,
        budget: Budget,
        deadline: Option<Instant>,
        news: N,
    ) -> Self {
        let ranks = vec![RankState::default(); ranks];
        let waiting = Waiting { most: budget.waiting, entries: VecDeque::new(), gone: 0 };
        Self { graph, budget, ranks, waiting, deadline, news }
    }

    fn total(&self) -> u64 {
        self.ranks.iter().map(|of| of.positions).sum()
    }

    /// How many positions a rank is to evaluate in its next job.
    fn positions(&self, rank: usize) -> u64 {
        let least = self.budget.positions.max(1);
        let Some(time) = self.budget.time else { return least };
        let RankState { positions, time: spent, .. } = self.ranks[rank];
        let rate = positions as f64 / spent.as_secs_f64().max(1e-3);
        let share = self.total() / (SHARE * self.ranks.len() as u64);
        share.min((rate * time.as_secs_f64()) as u64).max(least)
    }

    /// What a rank has not been told yet.
    fn tell(&mut self, rank: usize) -> Entries {
        let mut entries = Entries::default();
        let (new, told) = self.waiting.since(self.ranks[rank].told, rank);
        new.for_each(|(key, entry)| entries.push(key, entry));
        self.ranks[rank].told = told;
        self.waiting.forget(self.ranks.iter().map(|of| of.told).min().unwrap_or(told));
        if rank == 0 {
            // Its table is what a stopped search goes on from.
            self.graph.news().into_iter().for_each(|(key, entry)| entries.push(key, entry));
        }
        entries
    }

    /// What rank 0 has not been told yet.
    pub(super) fn rest(mut self) -> Entries {
        self.tell(0)
    }
}

impl<N: FnMut(JobDone)> Master for Proving<'_, N> {
    fn next(&mut self, rank: usize) -> Option<Vec<u8>> {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || self.is_complete() {
            return None;
        }
        let begun = Instant::now();
        let way = self.graph.take_leaf()?;
        let (key, spare) = self.graph.leaf(&way);
        // One rank has nobody to share with.
        let alone = self.ranks.len() == 1;
        let positions = if alone { u64::MAX } else { self.positions(rank) };
        // Then leaves are searched on as they are.
        let full = self.graph.len() >= self.budget.graph;
        let expanded_after = positions.saturating_sub(self.graph.work(&way));
        let job = Job {
            key: key.value(),
            spare,
            thresholds: (way.thresholds.proof, way.thresholds.disproof),
            least: positions / LEAST,
            positions,
            expanded_after: if full { u64::MAX } else { expanded_after },
            told_from: positions.ilog2().saturating_sub(TOLD) as u8,
        };
        let bytes = pack(&job, &self.tell(rank));
        self.ranks[rank].job = Some((way, bytes.len(), begun.elapsed()));
        Some(bytes)
    }

    fn take(&mut self, rank: usize, result: Vec<u8>) {
        let begun = Instant::now();
        let (searched, entries): (Searched, _) = unpack(&result);
        let (way, bytes, chosen) = self.ranks[rank].job.take().expect("a result comes of a job");
        self.graph.give_back(&way, searched.positions);
        let mut entries = entries.iter();
        let child = |(key, entry): (Key, Entry)| ((key, entry.spare), entry.numbers);
        let children = entries.by_ref().take(searched.children).map(child).collect();
        for (key, entry) in entries {
            if let Some(outcome) = entry.bounds.verdict(entry.spare) {
                self.graph.learn((key, entry.spare), outcome);
            }
            if self.ranks.len() > 1 {
                self.waiting.push(rank, key, entry);
            }
        }
        self.graph.record(&way, searched.numbers(), children);
        let of = &mut self.ranks[rank];
        of.positions += searched.positions;
        of.time += searched.time;
        let (positions, time) = (searched.positions, searched.time);
        let (total, graph, numbers) = (self.total(), self.graph.len(), self.graph.numbers());
        let bytes = bytes + result.len();
        let served = chosen + begun.elapsed();
        (self.news)(JobDone { rank, positions, time, served, bytes, total, graph, numbers });
    }

    fn is_complete(&self) -> bool {
        self.graph.outcome().is_some()
    }

    /// Another rank gets its leaf. What it has found has not come, and nothing rests on it.
    fn lose(&mut self, rank: usize) -> bool {
        if let Some((way, ..)) = self.ranks[rank].job.take() {
            self.graph.give_back(&way, 0);
        }
        // Nothing waits to be told to it.
        self.ranks[rank].told = u64::MAX;
        true
    }
}
