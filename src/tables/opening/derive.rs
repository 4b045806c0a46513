//! Deriving an opening table from a full one.

use std::ops::Range;

use rayon::prelude::*;

use super::codes::{CodeWord, Codes, code_bytes};
use super::table::{MAX_SQUARES, Opening, Ply};
use crate::game::Outcome;
use crate::game::code::Coder;
use crate::game::rules::{Bitboards, Position, Rules};
use crate::machine::progress::{Observer, StopFlag};
use crate::tables::format::{Table, TableError};

/// Why no opening table can be derived.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeriveError {
    /// A board with more than 64 squares.
    #[error("opening tables hold boards of at most {MAX_SQUARES} squares, {0} has more")]
    TooLarge(crate::game::board::Board),
    /// The positions need more memory than is allowed.
    #[error(
        "ply {ply} needs {needed} bytes, which is more than the {allowed} allowed: ask for fewer plies"
    )]
    Memory {
        /// The first ply that does not fit.
        ply: usize,
        /// Bytes that it would need at most.
        needed: u64,
        /// Bytes that may be used.
        allowed: u64,
    },
    /// The full table does not answer.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Somebody asked to stop.
    #[error("stopped before the opening table was complete")]
    Stopped,
}

/// Bytes of a position while its value is looked up.
const ASKED_BYTES: u64 = 96;
/// The share of the memory in which values are looked up.
const ASKED_SHARE: u64 = 8;

impl Opening {
    /// All positions that at most `plies` moves from `start` lead to, with their values from
    /// `table`, within `memory` bytes. There are at most as many plies as empty squares.
    ///
    /// # Errors
    /// [`DeriveError`] if the board or the number of plies is too large, or the table does not
    /// answer, because it is of another game or board, or is damaged.
    pub fn derive(
        table: &Table,
        start: &Position,
        plies: usize,
        memory: u64,
        observer: &dyn Observer,
        stop: &StopFlag,
    ) -> Result<Self, DeriveError> {
        let board = start.board();
        let too_large = || DeriveError::TooLarge(board);
        let first: Bitboards =
            start.bitboards().filter(|_| board.squares() <= MAX_SQUARES).ok_or_else(too_large)?;
        let rules = Rules::new(board).map_err(|_| too_large())?;
        // Refuses a position of another game; below only squares are asked for.
        table.value(start)?;
        let coder = Coder::new(board);
        let mut opening = Self { start: *start, rules, coder, plies: Vec::new() };
        let mut codes = Codes::none(board);
        codes.push(opening.coder.code(&first));
        // Each move burns a square, so there are no longer games.
        for ply in 0..=plies.min(first.empty(board).len()) {
            if ply > 0 {
                opening.check_memory(&codes, ply, memory)?;
                codes = match &codes {
                    Codes::Narrow(codes) => Codes::Narrow(opening.successors(codes, stop)),
                    Codes::Wide(codes) => Codes::Wide(opening.successors(codes, stop)),
                };
                if stop.is_set() {
                    return Err(DeriveError::Stopped);
                }
            }
            observer.begin(&format!("ply {ply}"), codes.len() as u64, "positions");
            let together = (memory / ASKED_SHARE / ASKED_BYTES).max(1 << 10) as usize;
            let mut outcomes = Vec::with_capacity(codes.len());
            for from in (0..codes.len()).step_by(together) {
                let range = from..codes.len().min(from + together);
                outcomes.extend(opening.values(table, &codes, range, observer, stop)?);
            }
            opening.plies.push(Ply { codes: codes.clone(), outcomes });
        }
        Ok(opening)
    }

    fn check_memory(&self, codes: &Codes, ply: usize, allowed: u64) -> Result<(), DeriveError> {
        let moves = |at: usize| {
            let position = self.coder.position(codes.get(at));
            position.map_or(0, |position| self.rules.count(&position))
        };
        let children: u64 = (0..codes.len()).into_par_iter().map(moves).sum();
        let held: u64 = self.plies.iter().map(|ply| ply.len() as u64).sum();
        // Children are listed and sorted; of what is held, codes are there twice, and outcomes.
        let code = code_bytes(self.board());
        let bytes = children * 2 * code + held * (2 * code + 1);
        let needed = bytes / (ASKED_SHARE - 1) * ASKED_SHARE;
        if needed > allowed { Err(DeriveError::Memory { ply, needed, allowed }) } else { Ok(()) }
    }

    /// The values of a range of codes from the full table, asked in the order in which it stores
    /// them, so that each of its frames is decoded few times.
    fn values(
        &self,
        table: &Table,
        codes: &Codes,
        range: Range<usize>,
        observer: &dyn Observer,
        stop: &StopFlag,
    ) -> Result<Vec<Outcome>, DeriveError> {
        let place = |at: usize| {
            let position = self.coder.position(codes.get(at)).expect("codes are made of positions");
            let position = table.lay(self.board(), &position);
            let location = table.index().locate(&position)?;
            Ok(((location.arrows, location.placement.row), at - range.start, position))
        };
        let order: Result<Vec<_>, TableError> = range.clone().into_par_iter().map(place).collect();
        let mut order = order?;
        order.par_sort_unstable_by_key(|&(place, ..)| place);
        let value = |&(_, at, ref position): &(_, usize, Bitboards)| {
            if stop.is_set() {
                return Err(DeriveError::Stopped);
            }
            observer.add(1);
            Ok((at, table.value_of(position)?))
        };
        let found: Vec<(usize, Outcome)> =
            order.par_iter().map(value).collect::<Result<_, DeriveError>>()?;
        let mut outcomes = vec![Outcome::Loss; range.len()];
        found.into_iter().for_each(|(at, value)| outcomes[at] = value);
        Ok(outcomes)
    }

    /// The positions after every move from `positions`, once each, increasing; fewer if asked to
    /// stop.
    fn successors<C: CodeWord>(&self, positions: &[C], stop: &StopFlag) -> Vec<C> {
        let children = |&word: &C| {
            let position = self.coder.position(word.code()).filter(|_| !stop.is_set());
            let after = |position: Bitboards| {
                let moves = self.rules.moves(&position).into_iter();
                moves.map(move |played| {
                    C::of(self.coder.code(&self.rules.play_unchecked(&position, played)))
                })
            };
            position.into_iter().flat_map(after).collect::<Vec<_>>()
        };
        let mut codes: Vec<C> = positions.par_iter().flat_map_iter(children).collect();
        codes.par_sort_unstable();
        codes.dedup();
        codes
    }
}
