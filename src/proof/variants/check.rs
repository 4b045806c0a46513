//! Checks a certificate of another game, with its rules and plain negamax.
//!
//! A position is *shown* to be won, or lost, for its side to move if
//!
//! 1. it has at most `leaf` room ([`room`]), and negamax says so; or
//! 2. it is listed with a move (won), or without one (lost); or
//! 3. it begins a turn, and every move from it shows that it is lost.
//!
//! A move shows that the side that makes it wins, or loses, if the position after it is shown to be
//! lost, or won, for the other side; or, while the turn goes on, won, or lost, for the same side.
//!
//! The claim holds if the start is shown to be what is claimed; and of each listed position the
//! move that is given shows that it is won, or all its moves show that it is lost.
//!
//! By induction over the room, which every move makes smaller, whatever is shown is true. Positions
//! that are images of each other under the symmetries of the board count as one.
//!
//! A check can be divided ([`Part`]), in the same way as one of Amazons
//! ([`verify_part`](crate::proof::check::verify_part)): each part takes its share of the listed
//! positions, and the first takes the start. If all parts of a file hold then the whole does.
//!
//! Memory: the whole list, sorted, whatever the part, and a fixed amount for each thread, with which
//! it judges leaves.

use std::io::Read;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::leaf::VariantLeafSolver;
use super::{Listed, VariantClaim, VariantReader, room};
use crate::game::Outcome;
use crate::game::board::BoardError;
use crate::game::variants::{State, VariantCode, VariantCoder, VariantPosition, VariantRules};
use crate::machine::progress::{Observer, StopFlag};
use crate::proof::check::{Checked, TOGETHER};
use crate::proof::{CertificateError, Part};

/// Why a certificate of another game proves nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VariantRefusal {
    /// The file is not one, or is damaged.
    #[error(transparent)]
    File(#[from] CertificateError),
    /// Its board is too large.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Its list does not fit the memory that is given.
    #[error(
        "its {positions} positions need {needed} bytes, more than the {allowed} that are given"
    )]
    Memory {
        /// Positions of the list.
        positions: u64,
        /// Bytes that they take.
        needed: u64,
        /// Bytes that may be used.
        allowed: u64,
    },
    /// A listed code is no position of the game, or not the least one among its images.
    #[error("{0:x?} is not the least code of a position")]
    Code(VariantCode),
    /// The move given for a position does not exist.
    #[error("a position has no move number {number}")]
    Move {
        /// The position, seen by its side to move.
        position: State,
        /// Number of the move.
        number: u32,
    },
    /// A position that the winner can come to is not shown to be what it has to be.
    #[error("a position is not shown to be a {outcome} for its side to move")]
    NotShown {
        /// The position, seen by its side to move.
        position: State,
        /// What would have to be shown.
        outcome: Outcome,
    },
    /// The file is read twice, and was not the same both times.
    #[error("the file was changed while it was checked")]
    Changed,
    /// The checker was asked to stop.
    #[error("the check was interrupted")]
    Stopped,
}

/// Memory of two frames of the file, packed and not.
const FRAMES: u64 = 16 << 20;
/// Memory that any list is given.
const LEAST_LIST: u64 = 1 << 20;

/// Bytes of memory of a check beside the list: frames, and what the threads of the current pool
/// judge leaves with.
fn beside() -> u64 {
    // One more judges the start.
    FRAMES + (rayon::current_num_threads() as u64 + 1) * VariantLeafSolver::BYTES
}

/// Bytes of memory without which a check in the current pool of threads uses more than it is given.
pub fn least_memory() -> u64 {
    beside() + LEAST_LIST
}

/// Checks a part of a certificate, which holds if every part of it does; `open` begins to read it
/// anew each time. At most about `memory` bytes are
/// used, if these are [`least_memory`].
///
/// # Errors
/// The first reason found why it is no proof.
pub fn verify_part<R: Read>(
    open: impl Fn() -> std::io::Result<R>,
    part: Part,
    memory: u64,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Result<(VariantClaim, Checked), VariantRefusal> {
    let opened = || VariantReader::new(open().map_err(CertificateError::from)?);
    // Read once before anything is kept, so that nothing is checked of a damaged file.
    let mut chunks = Chunks::of(part);
    let mut reader = opened()?;
    while let Some(frame) = next_frame(&mut reader, stop)? {
        chunks.add(frame.len());
    }
    let positions = chunks.listed as u64;
    let needed = positions * size_of::<Listed>() as u64 + chunks.bytes();
    let allowed = memory.saturating_sub(beside());
    if needed > allowed {
        return Err(VariantRefusal::Memory { positions, needed, allowed });
    }
    let mut list = Vec::with_capacity(positions as usize);
    let hash = reader.hash();
    let mut reader = opened()?;
    while let Some(frame) = next_frame(&mut reader, stop)? {
        if frame.len() > list.capacity() - list.len() {
            return Err(VariantRefusal::Changed);
        }
        list.extend(frame);
    }
    if reader.hash() != hash {
        return Err(VariantRefusal::Changed);
    }
    let checker = Checker::new(reader.claim(), &list, stop)?;
    observer.begin("proof", chunks.positions(), "positions");
    if part.takes(0) {
        checker.start()?;
    }
    chunks.taken.par_iter().try_for_each_init(
        || Judge::new(&checker),
        |judge, chunk| {
            judge.check_list(&list[chunk.clone()])?;
            observer.add(chunk.len() as u64);
            Ok::<_, VariantRefusal>(())
        },
    )?;
    let answers = checker.answers.into_inner();
    Ok((checker.claim, Checked { positions: chunks.positions(), answers, hash }))
}

/// The chunks of a list that are in a part. A chunk is [`TOGETHER`] positions of a frame, or its
/// last ones if these are fewer.
struct Chunks {
    part: Part,
    /// The number of the next chunk of the file.
    number: u64,
    /// Positions of all frames that were added.
    listed: usize,
    taken: Vec<Range<usize>>,
}

impl Chunks {
    fn of(part: Part) -> Self {
        Self { part, number: 0, listed: 0, taken: Vec::new() }
    }

    /// Adds a frame of so many positions.
    fn add(&mut self, positions: usize) {
        let end = self.listed + positions;
        while self.listed < end {
            let chunk = self.listed..end.min(self.listed + TOGETHER);
            self.listed = chunk.end;
            if self.part.takes(self.number) {
                self.taken.push(chunk);
            }
            self.number += 1;
        }
    }

    /// The positions of all chunks that are taken.
    fn positions(&self) -> u64 {
        self.taken.iter().map(|chunk| chunk.len() as u64).sum()
    }

    /// Bytes of memory that this takes.
    fn bytes(&self) -> u64 {
        (self.taken.capacity() * size_of::<Range<usize>>()) as u64
    }
}

fn next_frame<R: Read>(
    reader: &mut VariantReader<R>,
    stop: &StopFlag,
) -> Result<Option<Vec<Listed>>, VariantRefusal> {
    if stop.is_set() { Err(VariantRefusal::Stopped) } else { Ok(reader.frame()?) }
}

struct Checker<'a> {
    claim: VariantClaim,
    rules: VariantRules,
    coder: VariantCoder,
    list: &'a [Listed],
    stop: &'a StopFlag,
    answers: AtomicU64,
}

impl<'a> Checker<'a> {
    fn new(
        claim: &VariantClaim,
        list: &'a [Listed],
        stop: &'a StopFlag,
    ) -> Result<Self, VariantRefusal> {
        let (board, rules) = (claim.position.board(), claim.position.rules());
        Ok(Self {
            claim: *claim,
            rules: VariantRules::new(board, rules)?,
            coder: VariantCoder::new(board, rules),
            list,
            stop,
            answers: AtomicU64::new(0),
        })
    }

    fn start(&self) -> Result<(), VariantRefusal> {
        let too_large = || CertificateError::Header("the board is too large".into());
        let start = self.claim.position.state().ok_or_else(too_large)?;
        Judge::new(self).shown(&start, self.claim.outcome)
    }
}

/// What one thread judges positions with.
struct Judge<'a> {
    checker: &'a Checker<'a>,
    leaves: VariantLeafSolver<'a>,
}

impl<'a> Judge<'a> {
    fn new(checker: &'a Checker<'_>) -> Self {
        Self { checker, leaves: VariantLeafSolver::new(&checker.rules, checker.stop) }
    }

    /// What is said of listed positions follows from what is said of others.
    fn check_list(&mut self, list: &[Listed]) -> Result<(), VariantRefusal> {
        let Checker { rules, coder, .. } = self.checker;
        for &Listed { code, played } in list {
            let least = |state: &State| coder.code(state) == code;
            let state = coder.state(&code).filter(least).ok_or(VariantRefusal::Code(code))?;
            let Some(number) = played else {
                self.all_moves(&state)?;
                continue;
            };
            let moves = rules.moves(&state);
            let &played = moves
                .get(number as usize)
                .ok_or(VariantRefusal::Move { position: state, number })?;
            self.after(&rules.play_unchecked(&state, played), Outcome::Win)?;
        }
        Ok(())
    }

    /// A move after which this is the position shows `outcome` for the side that made it.
    fn after(&mut self, state: &State, outcome: Outcome) -> Result<(), VariantRefusal> {
        self.shown(state, state.outcome_of_move(outcome))
    }

    /// Every move shows that the side to move loses.
    fn all_moves(&mut self, state: &State) -> Result<(), VariantRefusal> {
        let moves = self.checker.rules.moves(state);
        self.checker.answers.fetch_add(moves.len() as u64, Ordering::Relaxed);
        moves.into_iter().try_for_each(|played| {
            self.after(&self.checker.rules.play_unchecked(state, played), Outcome::Loss)
        })
    }

    /// The position is shown to be `outcome` for its side to move.
    fn shown(&mut self, state: &State, outcome: Outcome) -> Result<(), VariantRefusal> {
        let Checker { claim, rules, coder, list, stop, .. } = self.checker;
        if stop.is_set() {
            return Err(VariantRefusal::Stopped);
        }
        let not_shown = VariantRefusal::NotShown { position: *state, outcome };
        if room(rules.board(), rules.rules(), state) <= claim.leaf.into() {
            let found = self.leaves.outcome(state).ok_or(VariantRefusal::Stopped)?;
            return if found == outcome { Ok(()) } else { Err(not_shown) };
        }
        // A move of it cannot be the first of a turn again, so this goes no deeper than once.
        if outcome == Outcome::Loss && !state.goes_on() {
            return self.all_moves(state);
        }
        let code = coder.code(state);
        let found = list.binary_search_by_key(&code, |listed| listed.code);
        let is_shown = found.is_ok_and(|at| list[at].played.is_some() == outcome.is_win());
        if is_shown { Ok(()) } else { Err(not_shown) }
    }
}

impl VariantRefusal {
    /// The position where the proof fails, if it is one: of the game of the claim, in its colours
    /// where the winner is `winner`.
    pub fn position(&self, claim: &VariantClaim) -> Option<VariantPosition> {
        let (state, wins) = match self {
            Self::Move { position, .. } => (position, true),
            Self::NotShown { position, outcome } => (position, outcome.is_win()),
            _ => return None,
        };
        let winner = claim.winner();
        let turn = if wins { winner } else { winner.other() };
        VariantPosition::of(claim.position.board(), claim.position.rules(), state, turn)
    }
}
