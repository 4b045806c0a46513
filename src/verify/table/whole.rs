//! Verifying every entry of a table.

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::checked::{can_be_checked, checked_shapes, stored_shapes};
use super::comparison::Comparison;
use super::derive::{Verifier, every_entry, least_share, verifier_bytes};
use crate::game::board::Bitboard;
use crate::game::rules::Bitboards;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::ranks::{Division, Master, Ranks, StopFlags, Unfinished, from_bytes, to_bytes};
use crate::tables::counting::Mask;
use crate::tables::format::{CheckError, Table, TableError, check_tier_until};
use crate::tables::index::{CanonicalSets, TierShape, with_mask};

/// Bytes with which a table can be verified by one thread, beside what the table holds itself.
pub fn least_memory(table: &Table) -> u64 {
    checked_shapes(table)
        .map(|shape| shape.list_bytes() + verifier_bytes(table, &shape))
        .max()
        .unwrap_or(0)
        .max(table.stored().check_memory())
}

/// Verifies every entry of every stored tier, on as many threads as `memory` bytes let
/// ([`least_memory`] are those of one), and what is claimed of tiers whose entries are right; stops
/// early, with what it has, if asked to.
///
/// # Errors
/// [`TableError`] if a file is damaged or missing, or a claim is wrong.
#[cfg(any(test, feature = "internals"))]
pub fn verify_all(
    table: &Table,
    memory: u64,
    observer: &impl Observer,
    stop: &StopFlag,
) -> Result<Comparison, TableError> {
    match verify_all_on(&Ranks::alone(), table, memory, observer, stop) {
        Ok(comparison) => Ok(comparison),
        Err(Unfinished::Here(error)) => Err(error),
        Err(Unfinished::Elsewhere(_) | Unfinished::Stopped) => Ok(Comparison::default()),
    }
}

/// The arrow sets of a tier in pieces, and what came of those that were verified.
struct Pieces<'o, O> {
    division: Division,
    sets: usize,
    count: usize,
    verified: Comparison,
    stopped: bool,
    placements: u64,
    observer: &'o O,
}

impl<'o, O> Pieces<'o, O> {
    /// The arrow sets of a tier, of which there are so many.
    fn of(shape: &TierShape, sets: usize, ranks: &Ranks, observer: &'o O) -> Self {
        let count = if ranks.size() == 1 { 1 } else { PIECES * ranks.size() };
        Self {
            division: Division::new(count, ranks.size()),
            sets,
            count,
            verified: Comparison::default(),
            stopped: false,
            placements: shape.placements(),
            observer,
        }
    }
}

impl<O: Observer> Master for Pieces<'_, O> {
    fn next(&mut self, rank: usize) -> Option<Vec<u8>> {
        let piece = if self.stopped { None } else { self.division.next(rank) }?;
        let cut = |piece: usize| (self.sets as u128 * piece as u128 / self.count as u128) as usize;
        Some(to_bytes(&(cut(piece)..cut(piece + 1))))
    }

    fn take(&mut self, rank: usize, result: Vec<u8>) {
        let (verified, stopped, sets): (Verified, bool, u64) = from_bytes(&result);
        self.verified = std::mem::take(&mut self.verified).merge(verified.into());
        self.stopped |= stopped;
        // Rank 0 counts its own while it verifies them.
        if rank > 0 {
            self.observer.add(sets * self.placements);
        }
    }
}

/// A [`Comparison`] as ranks tell it to each other.
#[derive(Serialize, Deserialize)]
struct Verified {
    checked: u64,
    mismatches: u64,
    first: Option<[u64; 3]>,
}

impl From<Comparison> for Verified {
    fn from(Comparison { checked, mismatches, first, .. }: Comparison) -> Self {
        let words = |Bitboards { mover, opponent, arrows }: Bitboards<u64>| {
            [mover, opponent, arrows].map(Bitboard::word)
        };
        Self { checked, mismatches, first: first.map(words) }
    }
}

impl From<Verified> for Comparison {
    fn from(Verified { checked, mismatches, first }: Verified) -> Self {
        let position = |words: [u64; 3]| {
            let [mover, opponent, arrows] = words.map(Bitboard::from_word);
            Bitboards { mover, opponent, arrows }
        };
        // Each entry of a tier is checked once.
        Self { checked, different: checked, mismatches, first: first.map(position), tiers: 0 }
    }
}

/// A tier is cut into so many pieces a rank, if there are several ranks.
const PIECES: usize = 32;

/// As [`verify_all`], together with other ranks that see the table; rank 0 gets the result.
///
/// # Errors
/// [`Unfinished`], if a file is damaged or missing.
pub fn verify_all_on(
    ranks: &Ranks,
    table: &Table,
    memory: u64,
    observer: &impl Observer,
    stop: &StopFlag,
) -> Result<Comparison, Unfinished<TableError>> {
    let width = table.index().width();
    with_mask!(width, M => verify_all_in::<M>(ranks, table, memory, observer, stop))
}

fn verify_all_in<M: Mask>(
    ranks: &Ranks,
    table: &Table,
    memory: u64,
    observer: &impl Observer,
    stop: &StopFlag,
) -> Result<Comparison, Unfinished<TableError>> {
    let mut comparison = Comparison::default();
    for shape in stored_shapes(table) {
        // A file that is missing is found before the sets are listed.
        table.stored().reader(&shape).map_err(Unfinished::Here)?;
        let (tier, stopped) = match can_be_checked(table, &shape) {
            true => verify_tier::<M>(ranks, table, &shape, memory, observer, stop)?,
            false => (Comparison::default(), stop.is_set()),
        };
        comparison = comparison.merge(tier);
        if ranks.is_first() && !stopped && comparison.mismatches == 0 {
            let held = check_claims(table, &shape, observer, stop).map_err(Unfinished::Here)?;
            comparison.tiers += u64::from(held);
        }
        if ranks.tell(|| stopped || stop.is_set()).map_err(Unfinished::Elsewhere)? {
            stop.stop();
            break;
        }
    }
    Ok(comparison)
}

/// Verifies the entries of one tier, together with other ranks; whether somebody asked to stop,
/// rank 0 knows.
fn verify_tier<M: Mask>(
    ranks: &Ranks,
    table: &Table,
    shape: &TierShape,
    memory: u64,
    observer: &impl Observer,
    stop: &StopFlag,
) -> Result<(Comparison, bool), Unfinished<TableError>> {
    let sets = CanonicalSets::<M>::new(shape.board(), shape.arrows());
    let sets = sets.map_err(|error| Unfinished::Here(error.into()))?;
    let verifier = Verifier { table, images: sets.images(), stop };
    let memory = memory.saturating_sub(shape.list_bytes());
    let share = least_share(sets.len(), memory, verifier_bytes(table, shape));
    observer.begin(&shape.to_string(), sets.len() as u64 * shape.placements(), "entries");
    let work = |given: &[u8]| {
        let piece: Range<usize> = from_bytes(given);
        let count = piece.len() as u64;
        let sets = &sets.as_slice()[piece];
        let verified = verify_sets(&verifier, shape, sets, share, observer)?;
        Ok(to_bytes(&(Verified::from(verified), stop.is_set(), count)))
    };
    let pieces = || Pieces::of(shape, sets.len(), ranks, observer);
    // What was verified until then is told, so a request to stop fails no job.
    let (stop, halt) = (StopFlag::new(), StopFlag::new());
    let flags = StopFlags { stop: &stop, halt: &halt };
    let done = ranks.hand_out(pieces, flags, work)?;
    Ok(done.map_or_else(Default::default, |done| (done.verified, done.stopped)))
}

/// Verifies every entry over some arrow sets, of which a thread takes `share` at the least.
fn verify_sets<M: Mask>(
    verifier: &Verifier<'_, M>,
    shape: &TierShape,
    sets: &[M],
    share: usize,
    observer: &impl Observer,
) -> Result<Comparison, TableError> {
    let verify = |&arrows: &M| {
        if verifier.stop.is_set() {
            return Ok(Comparison::default());
        }
        let comparison = verifier.verify_block(shape, arrows, every_entry(shape, arrows));
        observer.add(shape.placements());
        comparison
    };
    let verified = sets.par_iter().with_min_len(share).map(verify);
    verified.try_reduce(Comparison::default, |a, b| Ok(a.merge(b)))
}

/// Holds what its file and the manifest claim of a tier against its entries: the wins and the hash.
/// All else that they claim was compared when the file was opened. Whether there was time for it.
fn check_claims(
    table: &Table,
    shape: &TierShape,
    observer: &impl Observer,
    stop: &StopFlag,
) -> Result<bool, TableError> {
    let Some(tier) = table.stored().reader(shape)? else { return Ok(false) };
    observer.begin(&format!("{shape}, wins and hash"), 0, "frames");
    match check_tier_until(tier, stop) {
        Err(CheckError::Damaged(error)) => Err(table.stored().damaged(shape, error)),
        Ok(_) => Ok(true),
        Err(CheckError::Stopped) => Ok(false),
    }
}
