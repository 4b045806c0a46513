//! Iterative deepening from a root position, on any number of threads.
//!
//! Each iteration looks one move further and starts from what the one before left in the memory, so
//! the order of moves is good where it costs most, and there is a move to play whenever the time is
//! up.
//!
//! All threads run the same search over one memory (lazy SMP). They are kept apart by beginning at
//! different depths, and by leaving for later what another is at work on
//! ([`crate::machine::busy`]). The roots of Amazons have hundreds of moves of which one or two
//! matter: splitting the root among threads would give most of them nothing but moves that a good
//! window refutes at once, while a shared memory speeds up the search of the first move too.

use std::time::Duration;

use super::alphabeta::{Candidate, Scan, SearchNode, Shared, Window, Worker};
use super::evaluation::evaluate;
use super::limits::Over;
use super::score::Score;
use super::settings::Settings;
use crate::game::board::Word;
use crate::game::rules::IndexedMove;

/// What an iteration found: a move, its score and the play expected after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The score for the side to move.
    pub score: Score,
    /// How many moves ahead the search looked.
    pub depth: u32,
    /// The moves; the first is the one to play.
    pub moves: Vec<IndexedMove>,
}

/// A moment of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Which line this is, from 0 for the best.
    pub rank: usize,
    /// The line.
    pub line: Line,
    /// Positions evaluated on all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// Thousandths of the memory in use.
    pub full: usize,
}

/// Searches deeper and deeper until the control, a proof or the end of the game stops it: the best
/// lines, best first. `allowed` are the root's moves to choose from, at least one.
pub(super) fn deepen<W: Word>(
    shared: &Shared<'_, W>,
    root: &SearchNode<W>,
    allowed: &[IndexedMove],
    &Settings { threads, lines, .. }: &Settings,
    report: &mut dyn FnMut(&Iteration),
) -> Vec<Line> {
    let list = candidates(shared, root, allowed);
    std::thread::scope(|scope| {
        for thread in 1..threads {
            let list = list.clone();
            let help =
                move || Root::new(shared, root, list, 1).deepen(1 + thread as u32 % 2, &mut |_| {});
            // Where the system gives no more threads, there is less help.
            let _ = std::thread::Builder::new().spawn_scoped(scope, help);
        }
        let found = Root::new(shared, root, list, lines).deepen(1, report);
        shared.control.end();
        found
    })
}

/// The allowed moves by evaluation, best first. Takes no notice of limits: there is always a move
/// to play.
fn candidates<W: Word>(
    shared: &Shared<'_, W>,
    root: &SearchNode<W>,
    allowed: &[IndexedMove],
) -> Vec<Candidate> {
    let judge = |&played: &IndexedMove| {
        let child = shared.data.rules.play_unchecked(&root.position, played);
        Candidate { score: -evaluate(shared.data, &child, shared.evaluation), played }
    };
    let mut list: Vec<Candidate> = allowed.iter().map(judge).collect();
    list.sort_by_key(|candidate| -candidate.score);
    list
}

/// A move that nothing is expected after.
fn alone(candidate: &Candidate) -> Line {
    Line { score: candidate.score, depth: 0, moves: vec![candidate.played] }
}

/// The root as one thread sees it.
struct Root<'a, W: Word> {
    worker: Worker<'a, W>,
    node: &'a SearchNode<W>,
    /// Best first, as far as is known.
    list: Vec<Candidate>,
    lines: usize,
}

impl<'a, W: Word> Root<'a, W> {
    fn new(
        shared: &'a Shared<'a, W>,
        node: &'a SearchNode<W>,
        list: Vec<Candidate>,
        lines: usize,
    ) -> Self {
        let lines = lines.clamp(1, list.len());
        Self { worker: Worker::new(shared), node, list, lines }
    }

    fn deepen(&mut self, from: u32, report: &mut dyn FnMut(&Iteration)) -> Vec<Line> {
        let shared = self.worker.shared;
        let empty = self.node.position.empty(shared.data.board()).len() as u32;
        let mut found: Vec<Line> = self.list[..self.lines].iter().map(alone).collect();
        for depth in from..=empty {
            if !shared.control.goes_deeper(depth) {
                break;
            }
            let mut now = Vec::with_capacity(self.lines);
            for rank in 0..self.lines {
                let (line, outcome) = self.search(rank, depth);
                if let Some(line) = line {
                    now.push(line.clone());
                    let (nodes, elapsed) = (shared.control.nodes(), shared.control.elapsed());
                    let full = shared.memory.map_or(0, |memory| memory.permille());
                    report(&Iteration { rank, line, nodes, elapsed, full });
                }
                if outcome.is_err() {
                    return self.best_known(now, found);
                }
            }
            found = now;
            if found.iter().all(|line| line.score.proven().is_some()) {
                break;
            }
        }
        found
    }

    /// The lines where an iteration ended early: those that it found, then those of the one before
    /// with other moves, then other moves. Moves that were proven lost come last.
    fn best_known(&self, mut now: Vec<Line>, before: Vec<Line>) -> Vec<Line> {
        let lost = |played| {
            let mut lost = self.list.iter().filter(|candidate| candidate.score == Score::LOSS);
            lost.any(|candidate| candidate.played == played)
        };
        let others = self.list.iter().map(alone);
        let (behind, ahead): (Vec<Line>, Vec<Line>) =
            before.into_iter().chain(others).partition(|line| lost(line.moves[0]));
        let behind = behind.into_iter().map(|line| Line { score: Score::LOSS, ..line });
        for line in ahead.into_iter().chain(behind) {
            if now.len() < self.lines && now.iter().all(|other| other.moves[0] != line.moves[0]) {
                now.push(line);
            }
        }
        now
    }

    /// The best move of the list from a rank on. If the search ends early, the best so far, unless
    /// all so far were proven lost: that says nothing of the others.
    fn search(&mut self, rank: usize, depth: u32) -> (Option<Line>, Result<(), Over>) {
        let window = Window { alpha: Score::LOSS, beta: Score::WIN, depth, ply: 0 };
        let mut scan = Scan { best: Score::LOSS, played: None, alpha: Score::LOSS };
        let mut outcome = Ok(());
        for at in rank..self.list.len() {
            if self.worker.is_enough(at - rank, &scan) {
                break;
            }
            let Candidate { score, played } = self.list[at];
            let known = score.proven().map(|_| Ok(score));
            match known
                .unwrap_or_else(|| self.worker.step(self.node, played, window, &scan, at - rank))
            {
                Ok(score) => {
                    if score == Score::LOSS {
                        self.list[at].score = score;
                    }
                    if scan.take(played, score, window.beta) {
                        break;
                    }
                }
                Err(over) => {
                    outcome = Err(over);
                    break;
                }
            }
        }
        if outcome.is_err() && scan.best == Score::LOSS {
            return (None, outcome);
        }
        if outcome.is_ok() {
            outcome = self.worker.report();
        }
        let Some(best) = scan.played else { return (None, outcome) };
        if let Some(at) = self.list.iter().position(|candidate| candidate.played == best) {
            self.list[rank..=at].rotate_right(1);
        }
        let line = Line { score: scan.best, depth, moves: self.line(best, depth) };
        (Some(line), outcome)
    }

    /// A move and the play that the memory expects after it.
    fn line(&self, first: IndexedMove, depth: u32) -> Vec<IndexedMove> {
        let shared = self.worker.shared;
        let (mut node, mut line) = (self.worker.child(self.node, first), vec![first]);
        while line.len() < depth as usize {
            let memo = shared.memory.and_then(|memory| memory.get(node.key));
            let Some(played) = memo.and_then(|memo| memo.played) else { break };
            if shared.data.rules.check(&node.position, played).is_err() {
                break;
            }
            line.push(played);
            node = self.worker.child(&node, played);
        }
        line
    }
}
