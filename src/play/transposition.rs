//! The transposition table of the engine: what earlier searches found, shared by all threads.
//!
//! Two words an entry, written without locks. The first is the key combined with the second by
//! exclusive or: an entry that two threads wrote halves of matches no key (Hyatt and Mann, *A
//! lockless transposition-table implementation*, 2002). A key may also match by accident, so a
//! stored move is checked before it is played, and a proven score is not believed: it counts only
//! if the second table, of proofs, holds the whole position with the same outcome.
//!
//! ```text
//! bit   0      16     24     26     35  44    53
//!       score  depth  bound  arrow  to  from  age
//! ```
//!
//! An entry is overwritten by one from a later move of the game, or of the same depth or more.
//!
//! Proofs are looked up only where an entry claims one, so the second table costs other lookups
//! nothing. Each of its places has a lock of its own and holds the last position proven there.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::key::Key;
use super::score::Score;
use crate::game::Outcome;
use crate::game::board::{SquareIndex, Word};
use crate::game::rules::{Bitboards, IndexedMove};

/// How a stored score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// The true score is at least this.
    Lower,
    /// It is at most this.
    Upper,
    /// It is this.
    Exact,
}

/// What is remembered of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Memo {
    pub score: Score,
    pub bound: Bound,
    pub depth: u8,
    /// The best move, or the one that was too good for the opponent.
    pub played: Option<IndexedMove>,
}

#[derive(Debug, Default)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

/// A position that is proven, whole.
#[derive(Clone, Copy, Debug)]
struct ProvenPosition<W: Word> {
    position: Bitboards<W>,
    outcome: Outcome,
}

/// The table.
#[derive(Debug)]
pub(super) struct TranspositionTable<W: Word> {
    entries: Box<[Entry]>,
    proofs: Box<[Mutex<Option<ProvenPosition<W>>>]>,
    age: u8,
}

/// One byte in so many is for proofs.
const PROOFS_PART: usize = 8;

fn empty<T: Default>(count: usize) -> Result<Box<[T]>, TryReserveError> {
    let mut places = Vec::new();
    places.try_reserve_exact(count)?;
    places.resize_with(count, T::default);
    Ok(places.into())
}

/// Bits of a square.
const SQUARE: u32 = 9;
/// Three squares of 511 stand for no move: square 511 is on no board.
const NO_MOVE: u64 = (1 << (3 * SQUARE)) - 1;
/// Where the arrow of a move begins, and where its age.
const ARROW: u32 = 26;
const AGE: u32 = ARROW + 3 * SQUARE;

impl<W: Word> TranspositionTable<W> {
    /// A table of at most this many bytes, at least one entry and one proof.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub(super) fn new(bytes: usize) -> Result<Self, TryReserveError> {
        let for_proofs = bytes / PROOFS_PART;
        let entries = ((bytes - for_proofs) / size_of::<Entry>()).max(1);
        let proofs = (for_proofs / size_of::<Mutex<Option<ProvenPosition<W>>>>()).max(1);
        Ok(Self { entries: empty(entries)?, proofs: empty(proofs)?, age: 0 })
    }

    /// Entries stored from now on replace what is there.
    pub(super) fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries.iter_mut().for_each(|entry| *entry = Entry::default());
        self.proofs.iter_mut().for_each(|proof| *proof = Mutex::default());
    }

    /// Thousandths of the table that hold something of the current move, by a sample.
    pub(super) fn permille(&self) -> usize {
        let sample = &self.entries[..self.entries.len().min(1000)];
        let young = |entry: &&Entry| {
            let data = entry.data.load(Ordering::Relaxed);
            data != 0 && (data >> AGE) as u8 == self.age
        };
        sample.iter().filter(young).count() * 1000 / sample.len()
    }

    #[inline(always)]
    fn entry(&self, key: Key) -> &Entry {
        &self.entries[place(key, self.entries.len())]
    }

    /// Remembers the outcome of a position for its side to move, which must be true.
    pub(super) fn prove(&self, key: Key, position: &Bitboards<W>, outcome: Outcome) {
        *self.proof(key) = Some(ProvenPosition { position: *position, outcome });
    }

    /// The outcome of a position, if this very position is remembered as proven.
    pub(super) fn proven(&self, key: Key, position: &Bitboards<W>) -> Option<Outcome> {
        let proof = (*self.proof(key))?;
        (*position == proof.position).then_some(proof.outcome)
    }

    fn proof(&self, key: Key) -> MutexGuard<'_, Option<ProvenPosition<W>>> {
        let proof = &self.proofs[place(key, self.proofs.len())];
        // A proof is written at once, so it is whole even if a thread failed.
        proof.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is remembered of a position.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Memo> {
        let entry = self.entry(key);
        let data = entry.data.load(Ordering::Relaxed);
        (data != 0 && entry.check.load(Ordering::Relaxed) ^ data == key.0).then(|| unpack(data))
    }

    /// Remembers, if the entry's place is not taken by something better.
    #[inline]
    pub(super) fn put(&self, key: Key, memo: Memo) {
        let entry = self.entry(key);
        let old = entry.data.load(Ordering::Relaxed);
        let young = (old >> AGE) as u8 == self.age;
        if old != 0 && young && unpack(old).depth > memo.depth {
            return;
        }
        let data = pack(memo, self.age);
        entry.data.store(data, Ordering::Relaxed);
        entry.check.store(key.0 ^ data, Ordering::Relaxed);
    }
}

/// Where a key belongs among `places`: the high half of a product spreads keys evenly over any
/// number.
#[inline(always)]
fn place(key: Key, places: usize) -> usize {
    ((u128::from(key.0) * places as u128) >> 64) as usize
}

fn pack(memo: Memo, age: u8) -> u64 {
    let played = memo.played.map_or(NO_MOVE, |IndexedMove { from, to, arrow }| {
        [from, to, arrow].iter().fold(0, |bits, square| bits << SQUARE | square.index() as u64)
    });
    let bound = match memo.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    u64::from(memo.score.bits())
        | u64::from(memo.depth) << 16
        | bound << 24
        | played << ARROW
        | u64::from(age) << AGE
}

fn unpack(data: u64) -> Memo {
    let square = |at: u32| SquareIndex::new((data >> at & ((1 << SQUARE) - 1)) as u16);
    let bound = match data >> 24 & 3 {
        1 => Bound::Lower,
        2 => Bound::Upper,
        _ => Bound::Exact,
    };
    let played = (data >> ARROW & NO_MOVE != NO_MOVE).then(|| IndexedMove {
        from: square(ARROW + 2 * SQUARE),
        to: square(ARROW + SQUARE),
        arrow: square(ARROW),
    });
    Memo { score: Score::from_bits(data as u16), bound, depth: (data >> 16) as u8, played }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn memos_come_back(key: u64, lead in -30_000..30_000i32, depth: u8, bound in 0..3usize, squares: Option<[u16; 3]>) {
            let bound = [Bound::Lower, Bound::Upper, Bound::Exact][bound];
            let played = squares.map(|s| s.map(|s| SquareIndex::new(s % 400)));
            let played = played.map(|[from, to, arrow]| IndexedMove { from, to, arrow });
            let memo = Memo { score: Score::lead(lead), bound, depth, played };
            let memory = TranspositionTable::<u64>::new(4096).unwrap();
            memory.put(Key(key), memo);
            prop_assert_eq!(memory.get(Key(key)), Some(memo));
            prop_assert_eq!(memory.get(Key(key ^ 1)), None);
        }
    }

    #[test]
    fn a_proof_is_of_one_position() {
        let mut memory = TranspositionTable::<u64>::new(0).unwrap();
        let board = "5x5".parse().unwrap();
        let start: Bitboards<u64> = crate::game::rules::start(board).unwrap().bitboards().unwrap();
        memory.prove(Key(7), &start, Outcome::Win);
        assert_eq!(memory.proven(Key(7), &start), Some(Outcome::Win));
        assert_eq!(memory.proven(Key(7), &start.swapped()), None, "the same key");
        memory.clear();
        assert_eq!(memory.proven(Key(7), &start), None);
    }

    #[test]
    fn shallow_entries_give_way_to_deep_and_to_young_ones() {
        let mut memory = TranspositionTable::<u64>::new(0).unwrap();
        let memo = |depth| Memo { score: Score::EVEN, bound: Bound::Exact, depth, played: None };
        memory.put(Key(1), memo(3));
        memory.put(Key(2), memo(2));
        assert_eq!((memory.get(Key(1)), memory.get(Key(2))), (Some(memo(3)), None));
        memory.grow_older();
        assert_eq!(memory.permille(), 0);
        memory.put(Key(2), memo(2));
        assert_eq!((memory.get(Key(1)), memory.get(Key(2))), (None, Some(memo(2))));
        assert_eq!(memory.permille(), 1000);
        memory.clear();
        assert_eq!(memory.get(Key(2)), None);
    }

    #[test]
    fn memory_that_cannot_be_had_is_an_error() {
        assert!(TranspositionTable::<u64>::new(usize::MAX).is_err());
    }
}
