//! Exact answers where few squares are left: a proof search that takes a share of the time of a
//! move.
//!
//! Its table is kept from move to move, so what was proved for one position answers those below it.
//! A search that is limited by nodes has no clock, and has to be the same each time: there the
//! proof search gets one thread and a fresh table as large as its share of the nodes, and ends when
//! that was full after so many nodes.
//!
//! A search that has no hope to end only takes time from the rest: it is not begun unless its share
//! fits the number of empty squares. Measured on start positions, 5x5 (17 empty squares) takes 3
//! million nodes, 4x4 (8) thousands.

use std::time::Duration;

use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::{Bitboards, IndexedMove};
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::search;

/// Bytes of table for a node's worth of search.
const NODE_BYTES: u64 = 16;
/// Positions searched in a second, about, by one thread.
const NODES_PER_SECOND: f64 = 500_000.0;
/// A table smaller than this many nodes' worth is full before anything is proved.
const FEWEST_NODES: f64 = 4096.0;
/// The least table.
const LEAST_TABLE: u64 = 1 << 20;
/// Positions for a better margin, where it is known who wins: a tenth of a second.
const EFFORT: u64 = 1 << 15;
/// How long it takes at most until somebody's wish to stop is seen.
const SLICE: Duration = Duration::from_millis(10);

/// How far a proof search may go: whatever comes first. There is at least one limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// Until a moment.
    pub(super) until: Option<Instant>,
    /// About so many positions.
    pub(super) nodes: Option<u64>,
}

impl Share {
    /// Whether there is hope to solve a position with so many empty squares.
    fn is_enough(self, empty: usize) -> bool {
        let in_time = self.until.map_or(f64::INFINITY, |end| {
            end.saturating_duration_since(Instant::now()).as_secs_f64() * NODES_PER_SECOND
        });
        let nodes = self.nodes.map_or(in_time, |nodes| in_time.min(nodes as f64));
        nodes >= FEWEST_NODES && empty as f64 <= 6.0 + 2.0 * nodes.log10()
    }
}

/// What a proof says of the side to move; `M` is a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof<M> {
    /// It wins by this move.
    Win(M),
    /// It loses.
    Loss,
}

/// A proof search that remembers.
#[derive(Debug)]
pub(super) struct Prover {
    board: Board,
    threads: usize,
    table_bytes: u64,
    kept: Option<(search::Solver<'static>, StopFlag)>,
}

impl Prover {
    /// A prover for a board, with this much memory; `None` if the board has more than 64 squares.
    pub(super) fn new(board: Board, threads: usize, table_bytes: u64) -> Option<Self> {
        let table_bytes = table_bytes.max(LEAST_TABLE);
        board.fits::<u64>().then_some(Self { board, threads, table_bytes, kept: None })
    }

    /// Tries to prove who wins. Also gives the number of positions that were looked at.
    pub(super) fn prove(
        &mut self,
        position: &Bitboards,
        share: Share,
        stop: &StopFlag,
    ) -> (Option<Proof<IndexedMove>>, u64) {
        if !share.is_enough(position.empty(self.board).len()) {
            return (None, 0);
        }
        let kept = self.kept.take().filter(|_| share.nodes.is_none());
        let Some((mut solver, own)) = kept.or_else(|| self.solver(share)) else {
            return (None, 0);
        };
        let before = solver.nodes();
        let run = Run { share, stop, own: &own, before };
        let proof = run.prove(&mut solver, position);
        let nodes = solver.nodes() - before;
        // A solver that was told to stop stays stopped, and one for so many nodes is a small one.
        if !own.is_set() && share.nodes.is_none() {
            self.kept = Some((solver, own));
        }
        (proof, nodes)
    }

    /// Of a position whose outcome is known a move that wins by as much, or loses by as little, as
    /// is proved with [`EFFORT`] positions, within the share. `None` if that knows no move that is
    /// better than others. Also gives the number of positions that were looked at.
    pub(super) fn best(
        &mut self,
        position: &Bitboards,
        outcome: Outcome,
        share: Share,
        stop: &StopFlag,
    ) -> (Option<IndexedMove>, u64) {
        let nodes = Some(share.nodes.map_or(EFFORT, |nodes| nodes.min(EFFORT)));
        let bounded = Share { nodes, ..share };
        if !bounded.is_enough(position.empty(self.board).len()) {
            return (None, 0);
        }
        let kept = self.kept.take().filter(|_| share.nodes.is_none());
        let Some((mut solver, own)) = kept.or_else(|| self.solver(share)) else {
            return (None, 0);
        };
        let before = solver.nodes();
        let run = Run { share: bounded, stop, own: &own, before };
        let best = run.best(&mut solver, position, outcome);
        let nodes = solver.nodes() - before;
        if !own.is_set() && share.nodes.is_none() {
            self.kept = Some((solver, own));
        }
        (best, nodes)
    }

    /// A fresh solver. Without memory for its table there is none.
    fn solver(&self, share: Share) -> Option<(search::Solver<'static>, StopFlag)> {
        let (threads, table_bytes) = match share.nodes {
            None => (self.threads, self.table_bytes),
            Some(nodes) => {
                (1, nodes.saturating_mul(NODE_BYTES).clamp(LEAST_TABLE / 16, self.table_bytes))
            }
        };
        let own = StopFlag::new();
        let settings = search::Settings::within(table_bytes, threads);
        let solver = search::Solver::new(self.board, settings, own.clone()).ok()?;
        Some((solver, own))
    }
}

/// One search, with what may end it.
struct Run<'a> {
    share: Share,
    stop: &'a StopFlag,
    own: &'a StopFlag,
    before: u64,
}

impl Run<'_> {
    fn prove(
        &self,
        solver: &mut search::Solver<'static>,
        position: &Bitboards,
    ) -> Option<Proof<IndexedMove>> {
        if self.solve(solver, position)? == Outcome::Loss {
            return Some(Proof::Loss);
        }
        let found = solver.winning_move(position, |solver| self.between(solver));
        found.ok().flatten().map(Proof::Win)
    }

    /// As [`Prover::best`]. The side that wins is given less and less until it is not known to win
    /// any more, the one that loses more and more until it wins.
    fn best(
        &self,
        solver: &mut search::Solver<'static>,
        position: &Bitboards,
        outcome: Outcome,
    ) -> Option<IndexedMove> {
        let began = solver.nodes();
        let wins = |solver: &mut search::Solver<'static>, spare: i16| {
            let left = self.share.nodes.unwrap_or(EFFORT).saturating_sub(solver.nodes() - began);
            // Enough positions end what is asked, and not the solver.
            let run = Run { share: Share { nodes: None, ..self.share }, ..*self };
            let found = solver.attempt_with(position, spare, left, |solver| run.between(solver));
            found.ok().flatten()
        };
        let most = position.empty(solver.board_data().board()).len() as i16 + 1;
        match outcome {
            Outcome::Win => {
                let proved = (1..=most).take_while(|&less| wins(solver, -less) == Some(Outcome::Win));
                let least = proved.last()?;
                solver.proved_move_with(position, -least)
            }
            Outcome::Loss => {
                let enough = (1..=most).find(|&more| wins(solver, more) != Some(Outcome::Loss))?;
                solver.proved_move_with(position, enough)
            }
        }
    }

    /// What the side to move reaches; `None` if the share is used up. Memory that the
    /// system refuses ends it too.
    fn solve(&self, solver: &mut search::Solver<'static>, position: &Bitboards) -> Option<Outcome> {
        let known = solver.proved(position);
        if known.is_some() {
            return known;
        }
        let verdict = solver.search(position, |solver| self.between(solver));
        verdict.ok().flatten()
    }

    /// Ends the search if the share is used up; else says when the next run ends.
    fn between(&self, solver: &search::Solver<'static>) -> Option<Instant> {
        let Self { share, stop, own, before } = *self;
        // Each run but the first begins because its time was up or the table was full. A search
        // that is limited by nodes alone has no clock.
        let now = share.until.map(|end| (Instant::now(), end));
        let late = now.is_some_and(|(now, end)| now >= end);
        let enough = share.nodes.is_some_and(|most| solver.nodes() - before >= most);
        if late || enough || stop.is_set() {
            own.stop();
        }
        now.map(|(now, end)| end.min(now + SLICE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_comes_first_ends_a_search() {
        let prover = Prover::new("3x3".parse().unwrap(), 1, LEAST_TABLE).unwrap();
        let (now, stop) = (Instant::now(), StopFlag::new());
        let later = now + Duration::from_secs(3600);
        for (until, nodes, ends) in [
            (Some(now), Some(u64::MAX), true),
            (Some(later), Some(0), true),
            (Some(later), Some(u64::MAX), false),
            (Some(now), None, true),
            (None, Some(0), true),
        ] {
            let share = Share { until, nodes };
            let (solver, own) = prover.solver(share).unwrap();
            let next = Run { share, stop: &stop, own: &own, before: 0 }.between(&solver);
            assert_eq!(own.is_set(), ends, "{share:?}");
            assert_eq!(next.is_some(), until.is_some());
        }
    }
}
