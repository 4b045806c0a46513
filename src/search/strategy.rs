//! Writes the certificate of a solved position: the winner's strategy, down to leaves for negamax.
//!
//! Breadth first, two plies at a time. Take the positions with `k` arrows in which the winner is to
//! move. For each, a move is chosen after which the table or a bound says that the opponent loses;
//! of several moves the one that leaves the opponent the fewest moves. All answers together are the
//! positions with `k + 2` arrows. A proof that the table has lost, or that rests on a bound alone,
//! is searched again on the way. What that finds stays in the table.
//!
//! All threads work on the positions of one frame of the file at a time. Which of several winning
//! moves is written depends on what the table knows at that time. With one thread the same search
//! gives the same file; with several threads it gives a file of about the same size.
//!
//! The table is believed, and leaves are not judged. So a digest that lies to the solver may lead
//! to a file that the checker refuses, but to none that it should refuse and does not.
//!
//! Memory: beside the table the codes of two tiers, packed ([`Codes`]), those of the frame at work,
//! and those of its answers.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::dfpn::searcher::Searcher;
use super::solver::{Solver, SolverError};
use crate::game::Outcome;
use crate::game::board::{Board, Word};
use crate::game::code::Code;
use crate::game::notation::fen_of_mover;
use crate::game::rules::Bitboards;
use crate::machine::progress::Observer;
use crate::proof::{Claim, NextTier, NoCertificate, Obligations, TooManyCodes};

/// Why no certificate was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StrategyError {
    /// The file does not take it.
    #[error("the certificate cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The search cannot go on.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// There is no certificate of the position.
    #[error(transparent)]
    None(#[from] NoCertificate),
    /// The search was stopped.
    #[error("the search was stopped before the certificate was complete")]
    Stopped,
    /// The codes of two tiers do not fit the memory that is given.
    #[error("the positions with {arrows} arrows need more than the {allowed} bytes that are given")]
    Memory {
        /// Their burned squares.
        arrows: usize,
        /// Bytes that may be used.
        allowed: u64,
    },
    /// The claim is not what the search finds of this position, whose mover is written as White.
    #[error("the claim is not true of {0}, the side to move written as White")]
    Untrue(String),
}

impl From<TooManyCodes> for StrategyError {
    fn from(TooManyCodes { arrows, allowed }: TooManyCodes) -> Self {
        Self::Memory { arrows, allowed }
    }
}

/// Positions that a thread takes at a time.
const BATCH: usize = 32;

/// Writes a certificate of `claim` to `out`; returns how many positions it lists.
///
/// # Errors
/// If the claim is not true as far as the solver knows, the search is stopped, or `out` does not
/// take it.
pub fn write_certificate<W: Word>(
    solver: &mut Solver<'_, W>,
    claim: &Claim,
    out: impl Write,
    observer: &dyn Observer,
) -> Result<u64, StrategyError> {
    write_certificate_within(solver, claim, u64::MAX, out, observer)
}

/// As [`write_certificate`], in `allowed` bytes beside the solver's.
///
/// # Errors
/// As [`write_certificate`], and [`StrategyError::Memory`].
pub(crate) fn write_certificate_within<W: Word>(
    solver: &mut Solver<'_, W>,
    claim: &Claim,
    allowed: u64,
    out: impl Write,
    observer: &dyn Observer,
) -> Result<u64, StrategyError> {
    let start = solver.bitboards(&claim.position).map_err(SolverError::from)?;
    if solver.proved(&start).is_some_and(|outcome| outcome != claim.outcome) {
        return Err(untrue(claim.position.board(), &start));
    }
    let obligations = &Obligations::<W>::new(claim)?;
    let strategy = Strategy { obligations, observer };
    let together = NextTier::together(allowed);
    let listed = obligations.write(out, together, allowed, observer, |_, codes, next| {
        let written = strategy.frame(solver, codes)?;
        next.add(written.answers)?;
        Ok::<_, StrategyError>(written.listed)
    })?;
    // Else a move that was listed wins, or answers were.
    if listed == 0 && !obligations.holds(solver.stop_flag()).ok_or(StrategyError::Stopped)? {
        return Err(untrue(claim.position.board(), &start));
    }
    Ok(listed)
}

fn untrue<W: Word>(board: Board, position: &Bitboards<W>) -> StrategyError {
    StrategyError::Untrue(fen_of_mover(board, position))
}

/// What the threads share.
struct Strategy<'a, W: Word> {
    obligations: &'a Obligations<W>,
    observer: &'a dyn Observer,
}

/// What has been found for some positions with the winner to move.
#[derive(Default)]
struct Written {
    /// The positions, each with the number of its move.
    listed: Vec<(Code, u32)>,
    /// The positions after the answers, as far as they have to be listed.
    answers: Vec<Code>,
    /// Positions that were not reached before the pause.
    left: Vec<Code>,
}

impl<W: Word> Strategy<'_, W> {
    /// Finds the moves of a frame's positions, in rounds. Between two rounds the table is grown, or
    /// entries of it are freed.
    fn frame(
        &self,
        solver: &mut Solver<'_, W>,
        codes: Vec<Code>,
    ) -> Result<Written, StrategyError> {
        let mut written = Written { left: codes, ..Written::default() };
        loop {
            let (left, next) = (std::mem::take(&mut written.left), AtomicUsize::new(0));
            for part in solver.on_all_threads(|searcher| self.round(searcher, &left, &next)) {
                let mut part = part?;
                written.listed.append(&mut part.listed);
                written.answers.append(&mut part.answers);
                written.left.append(&mut part.left);
            }
            if written.left.is_empty() {
                written.listed.sort_unstable();
                return Ok(written);
            }
            if solver.is_over() {
                return Err(StrategyError::Stopped);
            }
            solver.make_room()?;
        }
    }

    /// One thread's part of a round.
    fn round(
        &self,
        mut searcher: Searcher<'_, W>,
        codes: &[Code],
        next: &AtomicUsize,
    ) -> Result<Written, StrategyError> {
        let mut written = Written::default();
        loop {
            let from = next.fetch_add(BATCH, Ordering::Relaxed).min(codes.len());
            let batch = &codes[from..(from + BATCH).min(codes.len())];
            if batch.is_empty() {
                return Ok(written);
            }
            let before = written.listed.len();
            for &code in batch {
                match self.winning_move(&mut searcher, code)? {
                    Some((number, after)) => {
                        written.listed.push((code, number));
                        self.obligations.add_answers(&after, &mut written.answers);
                    }
                    None => written.left.push(code),
                }
            }
            self.observer.add((written.listed.len() - before) as u64);
        }
    }

    /// A winning move of a position: its number, and the position after it; `None` if the search is
    /// paused.
    fn winning_move(
        &self,
        searcher: &mut Searcher<'_, W>,
        code: Code,
    ) -> Result<Option<(u32, Bitboards<W>)>, StrategyError> {
        if searcher.is_paused() {
            return Ok(None);
        }
        let position = self.obligations.position(code);
        let rules = self.obligations.rules();
        let moves = rules
            .moves(&position)
            .into_iter()
            .map(|played| rules.play_unchecked(&position, played));
        let children: Vec<Bitboards<W>> = moves.collect();
        if let Some(found) = known(searcher, &children) {
            return Ok(Some(found));
        }
        match searcher.prove(&position) {
            None => return Ok(None),
            Some(Outcome::Loss) => return Err(untrue(rules.board(), &position)),
            Some(Outcome::Win) => {}
        }
        if let Some(found) = known(searcher, &children) {
            return Ok(Some(found));
        }
        // The proof was stored and has been overwritten since, or this is somebody else's claim.
        for (number, after) in children.iter().enumerate() {
            match searcher.prove(after) {
                Some(Outcome::Loss) => return Ok(Some((number as u32, *after))),
                Some(Outcome::Win) => {}
                None => return Ok(None),
            }
        }
        Err(untrue(rules.board(), &position))
    }
}

/// Of the children that are known to be lost the one with the fewest moves, and its number.
fn known<W: Word>(
    searcher: &mut Searcher<'_, W>,
    children: &[Bitboards<W>],
) -> Option<(u32, Bitboards<W>)> {
    let rules = searcher.board_data().rules();
    let lost = searcher.lost(children).into_iter();
    let least = lost.min_by_key(|&number| (rules.count(&children[number]), number))?;
    Some((least as u32, children[least]))
}
