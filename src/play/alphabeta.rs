//! Principal variation search: alpha-beta where all moves but the first are first asked whether
//! they are better at all.
//!
//! ```text
//! search(node, depth, alpha, beta):
//!     remembered deep enough?                        -> its score, or a narrower window
//!     depth 1: best of -evaluation over the moves, until one reaches beta
//!     the remembered move, then all moves in order of -evaluation (the best `width` of them, if that is set):
//!         first move:  -search(child, depth - 1, -beta, -alpha)
//!         others:      -search(child, depth - 1, -alpha - 1, -alpha), again with the full window if better
//! ```
//!
//! The result is exact inside the window and a bound outside it (fail-soft).
//!
//! A proven score is sound. Its proof is a tree of moves: a win needs one move to a lost position,
//! and a loss is only returned when every move, not just the selected ones, is proven lost. The
//! leaves are proven by the rules or by a bound of the evaluation, or they are whole positions that
//! the memory holds with their outcome; a key that matches proves nothing.

use std::cmp::Reverse;

use super::board_data::BoardData;
use super::evaluation::{Evaluation, evaluate};
use super::key::{Key, Side};
use super::limits::{Control, Over};
use super::ordering::Ordering;
use super::score::Score;
use super::transposition::{Bound, Memo, TranspositionTable};
use crate::game::board::Word;
use crate::game::rules::{Bitboards, IndexedMove};
use crate::machine::busy::Busy;

/// What all threads of a search share.
#[derive(Debug)]
pub(super) struct Shared<'a, W: Word> {
    pub data: &'a BoardData<W>,
    /// `None`: nothing is remembered.
    pub memory: Option<&'a TranspositionTable<W>>,
    /// `None`: there is only one thread.
    pub busy: Option<&'a Busy<Key>>,
    pub control: &'a Control<'a>,
    pub evaluation: Evaluation,
    /// Moves looked at in each position, the best by evaluation; 0 for all.
    pub width: usize,
    /// Whether late moves are first looked at one move less deep.
    pub reductions: bool,
}

/// A position in the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchNode<W: Word> {
    pub position: Bitboards<W>,
    pub key: Key,
    pub side: Side,
}

/// A move with the evaluation of what it leads to, as its maker sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub score: Score,
    pub played: IndexedMove,
}

/// One searching thread.
#[derive(Debug)]
pub(super) struct Worker<'a, W: Word> {
    pub shared: &'a Shared<'a, W>,
    ordering: Ordering,
    unreported: u64,
    lists: Vec<Vec<Candidate>>,
}

/// The edges of a search and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub alpha: Score,
    pub beta: Score,
    pub depth: u32,
    pub ply: usize,
}

/// Evaluations between two looks at the control: a fifth of a millisecond.
const PULSE: u64 = 256;
/// Moves before this one are never reduced.
const EARLY: usize = 8;

impl<'a, W: Word> Worker<'a, W> {
    pub(super) fn new(shared: &'a Shared<'a, W>) -> Self {
        let ordering = Ordering::new(shared.data.board());
        Self { shared, ordering, unreported: 0, lists: Vec::new() }
    }

    /// The node after a move.
    #[inline(always)]
    pub(super) fn child(&self, node: &SearchNode<W>, played: IndexedMove) -> SearchNode<W> {
        let data = self.shared.data;
        SearchNode {
            position: data.rules.play_unchecked(&node.position, played),
            key: data.keys.after(node.key, node.side, played),
            side: node.side ^ 1,
        }
    }

    /// The evaluation of a position for its side to move.
    #[inline(always)]
    fn evaluate(&mut self, position: &Bitboards<W>) -> Result<Score, Over> {
        self.unreported += 1;
        if self.unreported >= PULSE {
            self.report()?;
        }
        Ok(evaluate(self.shared.data, position, self.shared.evaluation))
    }

    /// Adds what was evaluated since the last report; whether to go on.
    pub(super) fn report(&mut self) -> Result<(), Over> {
        let nodes = std::mem::take(&mut self.unreported);
        self.shared.control.count(nodes)
    }

    /// All moves of a node but one, best evaluation first.
    pub(super) fn options(
        &mut self,
        node: &SearchNode<W>,
        ply: usize,
        but: Option<IndexedMove>,
        list: &mut Vec<Candidate>,
    ) -> Result<(), Over> {
        list.clear();
        for played in self.shared.data.rules.moves(&node.position) {
            if Some(played) == but {
                continue;
            }
            let child = self.shared.data.rules.play_unchecked(&node.position, played);
            let score = -self.evaluate(&child)?;
            list.push(Candidate { score, played });
            if score == Score::WIN {
                break;
            }
        }
        let killers = self.ordering.killers(ply);
        list.sort_by_cached_key(|candidate| {
            let bonus = if killers.contains(&Some(candidate.played)) { 50 } else { 0 };
            let history = self.ordering.history(node.side, candidate.played).min(5000) / 100;
            let ordered = candidate.score.proven().map_or(
                candidate.score.hundredths() + bonus + history,
                |outcome| {
                    if outcome.is_win() { i32::MAX } else { i32::MIN }
                },
            );
            Reverse(ordered)
        });
        Ok(())
    }

    /// The score of a node, searched to at least `window.depth >= 1` moves.
    pub(super) fn search(&mut self, node: &SearchNode<W>, window: Window) -> Result<Score, Over> {
        let memo = self.shared.memory.and_then(|memory| memory.get(node.key));
        if let Some(score) = memo.and_then(|memo| self.settled(node, memo, window)) {
            return Ok(score);
        }
        let known = memo.and_then(|memo| memo.played);
        let known =
            known.filter(|&played| self.shared.data.rules.check(&node.position, played).is_ok());
        let mut scan = Scan { best: Score::LOSS, played: None, alpha: window.alpha };
        if window.depth <= 1 {
            self.frontier(node, window, known, &mut scan)?;
        } else {
            while self.lists.len() <= window.ply {
                self.lists.push(Vec::new());
            }
            let mut list = std::mem::take(&mut self.lists[window.ply]);
            let outcome = self.interior(node, window, known, &mut list, &mut scan);
            self.lists[window.ply] = list;
            outcome?;
        }
        self.remember(node, window, &scan);
        Ok(scan.best)
    }

    /// The moves of a node one move from the leaves.
    fn frontier(
        &mut self,
        node: &SearchNode<W>,
        window: Window,
        known: Option<IndexedMove>,
        scan: &mut Scan,
    ) -> Result<(), Over> {
        let rules = &self.shared.data.rules;
        let killers = self.ordering.killers(window.ply);
        let legal = |played: &IndexedMove| rules.check(&node.position, *played).is_ok();
        let early: Vec<IndexedMove> =
            known.into_iter().chain(killers.into_iter().flatten().filter(legal)).collect();
        for &played in &early {
            let score = -self.evaluate(&rules.play_unchecked(&node.position, played))?;
            if scan.take(played, score, window.beta) {
                return Ok(());
            }
        }
        let mut moves = rules.moves(&node.position);
        moves.sort_by_cached_key(|&played| Reverse(self.ordering.history(node.side, played)));
        for played in moves {
            if early.contains(&played) {
                continue;
            }
            let score = -self.evaluate(&rules.play_unchecked(&node.position, played))?;
            if scan.take(played, score, window.beta) {
                break;
            }
        }
        Ok(())
    }

    /// The moves of a node farther from the leaves.
    fn interior(
        &mut self,
        node: &SearchNode<W>,
        window: Window,
        known: Option<IndexedMove>,
        list: &mut Vec<Candidate>,
        scan: &mut Scan,
    ) -> Result<(), Over> {
        if let Some(played) = known {
            let score = self.step(node, played, window, scan, 0)?;
            if scan.take(played, score, window.beta) {
                return Ok(());
            }
        }
        self.options(node, window.ply, known, list)?;
        let before = usize::from(known.is_some());
        let mut later = Vec::new();
        for (at, &Candidate { score, played }) in list.iter().enumerate() {
            let at = at + before;
            if self.is_enough(at, scan) {
                break;
            }
            if score.proven().is_some() {
                if scan.take(played, score, window.beta) {
                    return Ok(());
                }
                continue;
            }
            // What another thread is at work on is left for later, when its result is remembered.
            let taken = |busy: &Busy<Key>| at > 0 && busy.count(self.child(node, played).key) > 0;
            if self.shared.busy.is_some_and(taken) {
                later.push((at, played));
                continue;
            }
            let score = self.step(node, played, window, scan, at)?;
            if scan.take(played, score, window.beta) {
                return Ok(());
            }
        }
        for (at, played) in later {
            let score = self.step(node, played, window, scan, at)?;
            if scan.take(played, score, window.beta) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether the moves from here on are left out: the position is not lost, and `width` moves
    /// were looked at.
    #[inline(always)]
    pub(super) fn is_enough(&self, at: usize, scan: &Scan) -> bool {
        self.shared.width > 0 && at >= self.shared.width && scan.best != Score::LOSS
    }

    /// The score of a move, exact if it is inside the window.
    pub(super) fn step(
        &mut self,
        node: &SearchNode<W>,
        played: IndexedMove,
        window: Window,
        scan: &Scan,
        at: usize,
    ) -> Result<Score, Over> {
        let child = self.child(node, played);
        if let Some(busy) = self.shared.busy {
            busy.enter(child.key);
        }
        let score = self.descend(&child, window, scan, at);
        if let Some(busy) = self.shared.busy {
            busy.leave(child.key);
        }
        score
    }

    fn descend(
        &mut self,
        child: &SearchNode<W>,
        window: Window,
        scan: &Scan,
        at: usize,
    ) -> Result<Score, Over> {
        let (alpha, beta, reductions) = (scan.alpha, window.beta, self.shared.reductions);
        let mut below = |alpha: Score, beta: Score, depth: u32| -> Result<Score, Over> {
            if depth == 0 {
                return Ok(-self.evaluate(&child.position)?);
            }
            let window = Window { alpha: -beta, beta: -alpha, depth, ply: window.ply + 1 };
            Ok(-self.search(child, window)?)
        };
        let depth = window.depth - 1;
        if scan.played.is_none() {
            return below(alpha, beta, depth);
        }
        if reductions && at >= EARLY && depth >= 2 {
            let score = below(alpha, alpha.above(1), depth - 1)?;
            if score <= alpha {
                return Ok(score);
            }
        }
        let score = below(alpha, alpha.above(1), depth)?;
        if score > alpha && score < beta { below(alpha, beta, depth) } else { Ok(score) }
    }

    /// The score that a memo gives, if it is deep enough for this window. A proven one is as deep
    /// as can be, but it must be of this very position.
    #[inline(always)]
    fn settled(&self, node: &SearchNode<W>, memo: Memo, window: Window) -> Option<Score> {
        let Memo { score, bound, depth, .. } = memo;
        if let Some(outcome) = score.proven() {
            let memory = self.shared.memory?;
            let proven = memory.proven(node.key, &node.position);
            return (proven == Some(outcome)).then_some(score);
        }
        if u32::from(depth) < window.depth {
            return None;
        }
        match bound {
            Bound::Exact => Some(score),
            Bound::Lower => (score >= window.beta).then_some(score),
            Bound::Upper => (score <= window.alpha).then_some(score),
        }
    }

    fn remember(&mut self, node: &SearchNode<W>, window: Window, scan: &Scan) {
        let bound = match () {
            () if scan.best >= window.beta => Bound::Lower,
            () if scan.best <= window.alpha => Bound::Upper,
            () => Bound::Exact,
        };
        if let Some(played) = scan.played.filter(|_| bound == Bound::Lower) {
            self.ordering.refuted(node.side, window.ply, played, window.depth);
        }
        if let Some(memory) = self.shared.memory {
            let depth = window.depth.min(255) as u8;
            if let Some(outcome) = scan.best.proven() {
                memory.prove(node.key, &node.position, outcome);
            }
            memory.put(node.key, Memo { score: scan.best, bound, depth, played: scan.played });
        }
    }
}

/// The best of the moves looked at so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scan {
    pub best: Score,
    pub played: Option<IndexedMove>,
    pub alpha: Score,
}

impl Scan {
    /// Takes in a move; whether the position need not be looked at further.
    #[inline(always)]
    pub(super) fn take(&mut self, played: IndexedMove, score: Score, beta: Score) -> bool {
        if score > self.best || self.played.is_none() {
            (self.best, self.played) = (score, Some(played));
            self.alpha = self.alpha.max(score);
        }
        score >= beta || score == Score::WIN
    }
}
