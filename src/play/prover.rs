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
//! million nodes, 4x4 (8) thousands. Endgames of 10x10 have walls, and are easier: of those with 40
//! empty squares in contested parts half take fewer than ten thousand.

use std::time::Duration;

use crate::game::Outcome;
use crate::game::board::{Bitboard, Kings, U512, Word};
use crate::game::rules::{Bitboards, Colour, IndexedMove, Position};
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::search::{self, GroundTooLarge, SizedSolver, Solver};

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
/// So many moves that are preferred are tried, so that the first one leaves effort for others.
const PREFERRED: usize = 4;
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
    /// Whether there is hope to solve a position with so much room.
    fn is_enough(self, room: Room) -> bool {
        let in_time = self.until.map_or(f64::INFINITY, |end| {
            end.saturating_duration_since(Instant::now()).as_secs_f64() * NODES_PER_SECOND
        });
        let nodes = self.nodes.map_or(in_time, |nodes| in_time.min(nodes as f64));
        nodes >= FEWEST_NODES && room.nodes() <= nodes
    }
}

/// What makes a position hard to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    /// On a board of at most 64 squares, so many empty ones.
    Board(usize),
    /// On a larger one, so many empty squares of parts with amazons of both sides.
    Endgame(usize),
}

impl Room {
    fn of(position: &Position) -> Self {
        let [white, black] = [Colour::White, Colour::Black].map(|side| position.amazons(side));
        let cells = position.board().all::<U512>().without(position.setup().arrows);
        let empty = cells.without(white | black);
        let kings = Kings::<U512>::new(position.board()).ok();
        let Some(kings) = kings.filter(|_| !position.board().fits::<u64>()) else {
            return Self::Board(empty.len());
        };
        let contested = kings
            .components(white, cells)
            .filter(|part| part.intersects(black))
            .fold(Bitboard::EMPTY, |all, part| all | part);
        Self::Endgame((empty & contested).len())
    }

    /// Positions that a search may take, about.
    fn nodes(self) -> f64 {
        let power = match self {
            Self::Board(empty) => (empty as f64 - 6.0) / 2.0,
            Self::Endgame(empty) => (empty as f64 - 10.0) / 6.0,
        };
        10f64.powf(power)
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
    threads: usize,
    table_bytes: u64,
    kept: Option<(SizedSolver<'static>, StopFlag)>,
}

impl Prover {
    /// A prover with this much memory.
    pub(super) fn new(threads: usize, table_bytes: u64) -> Self {
        Self { threads, table_bytes: table_bytes.max(LEAST_TABLE), kept: None }
    }

    /// Tries to prove who wins. Also gives the number of positions that were looked at.
    pub(super) fn prove(
        &mut self,
        position: &Position,
        share: Share,
        stop: &StopFlag,
    ) -> (Option<Proof<IndexedMove>>, u64) {
        if GroundTooLarge::check(position).is_err() || !share.is_enough(Room::of(position)) {
            return (None, 0);
        }
        self.search(position, share, stop, |run, solver| match solver {
            SizedSolver::Board(solver) => run.prove(solver, position),
            SizedSolver::Endgame(solver) => run.prove(solver, position),
        })
    }

    /// Of a position whose outcome is known a move that wins by as much, or loses by as little, as
    /// is proved with [`EFFORT`] positions, within the share. Of moves that lose by as little the
    /// first of `preferred` for which that is proved. `None` if that knows no move that is better
    /// than others. Also gives the number of positions that were looked at.
    pub(super) fn best(
        &mut self,
        position: &Position,
        outcome: Outcome,
        preferred: &[IndexedMove],
        share: Share,
        stop: &StopFlag,
    ) -> (Option<IndexedMove>, u64) {
        let nodes = Some(share.nodes.map_or(EFFORT, |nodes| nodes.min(EFFORT)));
        let bounded = Share { nodes, ..share };
        // Margins are searched on boards of at most 64 squares.
        if !position.board().fits::<u64>() || !bounded.is_enough(Room::of(position)) {
            return (None, 0);
        }
        self.search(position, share, stop, |run, solver| match solver {
            SizedSolver::Board(solver) => {
                let run = Run { share: bounded, ..*run };
                run.best(solver, &position.bitboards()?, outcome, preferred)
            }
            SizedSolver::Endgame(_) => None,
        })
    }

    /// Has a solver that takes a position do something within a share; the one that was kept, if it
    /// does. Also gives the number of positions that were looked at.
    fn search<T>(
        &mut self,
        position: &Position,
        share: Share,
        stop: &StopFlag,
        work: impl FnOnce(&Run<'_>, &mut SizedSolver<'static>) -> Option<T>,
    ) -> (Option<T>, u64) {
        let kept = self.kept.take();
        let kept = kept.filter(|(solver, _)| share.nodes.is_none() && solver.takes(position));
        let Some((mut solver, own)) = kept.or_else(|| self.solver(position, share)) else {
            return (None, 0);
        };
        let before = solver.nodes();
        let found = work(&Run { share, stop, own: &own, before }, &mut solver);
        let nodes = solver.nodes() - before;
        // A solver that was told to stop stays stopped, and one for so many nodes is a small one.
        if !own.is_set() && share.nodes.is_none() {
            self.kept = Some((solver, own));
        }
        (found, nodes)
    }

    /// A fresh solver. Without memory for its table there is none.
    fn solver(
        &self,
        position: &Position,
        share: Share,
    ) -> Option<(SizedSolver<'static>, StopFlag)> {
        let (threads, table_bytes) = match share.nodes {
            None => (self.threads, self.table_bytes),
            Some(nodes) => {
                (1, nodes.saturating_mul(NODE_BYTES).clamp(LEAST_TABLE / 16, self.table_bytes))
            }
        };
        let own = StopFlag::new();
        let settings = search::Settings::within(table_bytes, threads);
        let solver = SizedSolver::of(position, settings, own.clone()).ok()?;
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
    fn prove<W: Word>(
        &self,
        solver: &mut Solver<'static, W>,
        position: &Position,
    ) -> Option<Proof<IndexedMove>> {
        let position = &position.bitboards()?;
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
        preferred: &[IndexedMove],
    ) -> Option<IndexedMove> {
        let began = solver.nodes();
        let reaches = |solver: &mut search::Solver<'static>, position: &Bitboards, spare: i16| {
            let left = self.share.nodes.unwrap_or(EFFORT).saturating_sub(solver.nodes() - began);
            // Enough positions end what is asked, and not the solver.
            let run = Run { share: Share { nodes: None, ..self.share }, ..*self };
            let found = solver.attempt_with(position, spare, left, |solver| run.between(solver));
            found.ok().flatten()
        };
        let wins = |solver: &mut search::Solver<'static>, spare| reaches(solver, position, spare);
        let most = position.empty(solver.board_data().board()).len() as i16 + 1;
        match outcome {
            Outcome::Win => {
                let proved =
                    (1..=most).take_while(|&less| wins(solver, -less) == Some(Outcome::Win));
                let least = proved.last()?;
                solver.proved_move_with(position, -least)
            }
            Outcome::Loss => {
                let enough = (1..=most).find(|&more| wins(solver, more) != Some(Outcome::Loss))?;
                let rules = solver.board_data().rules().clone();
                let is_as_good = |played: &&IndexedMove| {
                    let after = rules.play_unchecked(position, **played);
                    reaches(solver, &after, -enough) == Some(Outcome::Loss)
                };
                let best = preferred.iter().take(PREFERRED).find(is_as_good).copied();
                best.or_else(|| solver.proved_move_with(position, enough))
            }
        }
    }

    /// What the side to move reaches; `None` if the share is used up. Memory that the
    /// system refuses ends it too.
    fn solve<W: Word>(
        &self,
        solver: &mut Solver<'static, W>,
        position: &Bitboards<W>,
    ) -> Option<Outcome> {
        let known = solver.proved(position);
        if known.is_some() {
            return known;
        }
        let verdict = solver.search(position, |solver| self.between(solver));
        verdict.ok().flatten()
    }

    /// Ends the search if the share is used up; else says when the next run ends.
    fn between<W: Word>(&self, solver: &Solver<'static, W>) -> Option<Instant> {
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
        let prover = Prover::new(1, LEAST_TABLE);
        let position = "q2/3/2Q w".parse().unwrap();
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
            let (solver, own) = prover.solver(&position, share).unwrap();
            let SizedSolver::Board(solver) = solver else { panic!("3x3 is a small board") };
            let next = Run { share, stop: &stop, own: &own, before: 0 }.between(&solver);
            assert_eq!(own.is_set(), ends, "{share:?}");
            assert_eq!(next.is_some(), until.is_some());
        }
    }
}
