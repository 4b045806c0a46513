//! The transposition table: fixed size, shared by all threads, lossless.
//!
//! A bucket is two cache lines, sixteen words:
//!
//! ```text
//! word 0      version: odd while somebody writes the bucket
//! narrow key  7 entries of 2 words: stored key bits | value
//! wide key    5 entries of 3 words: stored key bits, low and high | value
//! ```
//!
//! The low bits of a [`Key`] choose the bucket, the others are stored ([`Buckets`]). Boards whose
//! stored bits exceed 64 use wide entries. A value of 0 is an empty entry; otherwise
//!
//! ```text
//! bit 63 | 62..57 | 56..39   | 38..21 | 20..14    | 13..7     | 6..0
//!   1    | effort | disproof | proof  | spare +64 | lost +64  | won +64
//! ```
//!
//! `won` and `lost` are proofs for all net integers ([`Bounds`]); `proof` and `disproof` belong to
//! one net integer, `spare`. A position met with two net integers that are both open has two
//! entries.
//!
//! *No lock is held for long.* A reader takes the version, reads, and takes the version again. If
//! the version changed or is odd, it tries a few times more; then the bucket counts as a miss. A
//! writer makes the version odd by compare-and-swap. If another writer has the bucket, it tries a
//! few times and then drops its entry: that costs work, but nothing false is stored. Nothing is
//! ever read that was not written as a whole.
//!
//! *Replacement.* The entry with the least effort is replaced. The effort is the logarithm of the
//! number of positions evaluated below; a proof weighs more than numbers of the same effort. When
//! the table is nearly full, [`ProofTable::collect`] frees its cheap entries (Nagai's small-tree
//! garbage collection), so that costly ones survive a search of days.
//!
//! *Work on the whole table*, growing it, freeing entries, listing them, is shared by threads: each
//! takes a part of the buckets. When the table grows, they share the clearing of the new table's
//! pages by the system too, which is half of the cost.

pub(super) mod buckets;
pub(super) mod noted;

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use super::sum::key::Key;
use super::sum::numbers::{INFINITE, Numbers};
use super::sum::reduction::{Bounds, Proofs};
use crate::game::Outcome;
use crate::machine::prefetch::prefetch;
use crate::machine::threads;
use crate::machine::words::Words;
use buckets::Buckets;

const WORDS: usize = 16;
/// Bytes of a bucket.
const BUCKET: u64 = WORDS as u64 * 8;
/// How often a reader or a writer tries a bucket that is being written.
const TRIES: usize = 64;
/// Fewer buckets than this (1 MiB) are not worth a thread.
const LEAST_PART: u64 = if cfg!(miri) { 1 << 4 } else { 1 << 13 };
/// Buckets between two looks whether the work is still wanted: half a megabyte.
const PIECE: u64 = 1 << 12;
/// Entries whose places are fetched at the same time.
const AHEAD: usize = 32;

/// What the table knows of a position with a net integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Proofs for all net integers.
    pub(super) bounds: Bounds,
    /// Numbers for the one that was asked for.
    pub(super) numbers: Option<Numbers>,
    /// Logarithm of the work for the position with that net integer; 0 if its entry has gone.
    pub(super) effort: u8,
}

impl Found {
    /// The entry of the net integer that was asked for, if anything is known.
    pub(super) fn entry(self, spare: i8) -> Option<Entry> {
        let Self { bounds, numbers, effort } = self;
        let numbers = bounds.verdict(spare).map(Numbers::solved).or(numbers)?;
        Some(Entry { bounds, spare, numbers, effort })
    }
}

/// One entry, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) bounds: Bounds,
    pub(super) spare: i8,
    pub(super) numbers: Numbers,
    pub(super) effort: u8,
}

impl Entry {
    /// What a search found of a position with a net integer.
    pub(super) fn new(spare: i8, numbers: Numbers, effort: u8) -> Self {
        let mut bounds = Bounds::NONE;
        match numbers.verdict() {
            Some(Outcome::Win) => bounds.won = spare,
            Some(Outcome::Loss) => bounds.lost = spare,
            None => {}
        }
        Self { bounds, spare, numbers, effort }
    }

    pub(super) fn pack(self) -> u64 {
        let small = |x: i8| (i32::from(x) + 64) as u64;
        1 << 63
            | u64::from(self.effort.min(63)) << 57
            | u64::from(self.numbers.disproof) << 39
            | u64::from(self.numbers.proof) << 21
            | small(self.spare) << 14
            | small(self.bounds.lost) << 7
            | small(self.bounds.won)
    }

    pub(super) fn unpack(word: u64) -> Self {
        let small = |shift: u32| ((word >> shift & 127) as i32 - 64) as i8;
        let number = |shift: u32| (word >> shift) as u32 & INFINITE;
        Self {
            bounds: Bounds { won: small(0), lost: small(7) },
            spare: small(14),
            numbers: Numbers { proof: number(21), disproof: number(39) },
            effort: (word >> 57 & 63) as u8,
        }
    }

    /// Whether the numbers say more than the bounds do.
    fn is_open(self) -> bool {
        self.bounds.verdict(self.spare).is_none()
    }

    /// Whether it holds a proof or the result of a search, not just an evaluation.
    pub(super) fn is_worth_keeping(self) -> bool {
        self.effort > 0 || self.bounds != Bounds::NONE
    }

    /// What it costs to lose the entry.
    pub(super) fn weight(self) -> u32 {
        let proved = self.bounds != Bounds::NONE;
        2 * u32::from(self.effort) + u32::from(proved)
    }
}

/// A table of solved and unsolved positions.
#[derive(Debug)]
pub(super) struct ProofTable {
    words: Words,
    key_bits: u32,
    buckets: Buckets,
    wide: bool,
    filled: AtomicU64,
}

impl ProofTable {
    /// The smallest table, in bytes.
    pub(super) const SMALLEST: u64 = BUCKET * 16;

    /// A table for keys of `key_bits` bits in at most `bytes` bytes, and at least eight ninths of
    /// them.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub(super) fn new(bytes: u64, key_bits: u32) -> io::Result<Self> {
        let buckets = Buckets::new(bytes.max(Self::SMALLEST) / BUCKET, key_bits);
        let words = Words::zeroed(WORDS * buckets.count() as usize)?;
        let wide = buckets.stored_bits(key_bits) > 64;
        Ok(Self { words, key_bits, buckets, wide, filled: AtomicU64::new(0) })
    }

    /// An empty table of at most `bytes` bytes for the same keys.
    ///
    /// # Errors
    /// If the system does not give the memory.
    fn of_size(&self, bytes: u64) -> io::Result<Self> {
        Self::new(bytes, self.key_bits)
    }

    /// Number of buckets.
    fn bucket_count(&self) -> u64 {
        self.buckets.count()
    }

    /// Number of entries that fit.
    pub(super) fn capacity(&self) -> u64 {
        self.buckets.count() * self.entries() as u64
    }

    /// Number of entries in use, exact when no thread is writing.
    pub(super) fn len(&self) -> u64 {
        self.filled.load(Ordering::Relaxed)
    }

    /// Whether it is time for a larger table or for [`ProofTable::collect`].
    #[inline]
    pub(super) fn is_nearly_full(&self) -> bool {
        self.len() > self.capacity() / 8 * 7
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> u64 {
        self.buckets.count() * BUCKET
    }

    /// Bytes of a table that `entries` entries would fill.
    pub(super) fn bytes_for(&self, entries: u64) -> u64 {
        entries.div_ceil(self.entries() as u64).saturating_mul(BUCKET)
    }

    fn entries(&self) -> usize {
        if self.wide { 5 } else { 7 }
    }

    fn stride(&self) -> usize {
        if self.wide { 3 } else { 2 }
    }

    #[inline(always)]
    fn bucket(&self, index: u64) -> &[AtomicU64; WORDS] {
        let at = index as usize * WORDS;
        let bucket = &self.words.as_slice()[at..at + WORDS];
        bucket.try_into().expect("a slice of the length of a bucket")
    }

    #[inline(always)]
    fn home(&self, key: Key) -> (u64, [u64; 2]) {
        let (index, stored) = self.buckets.split(key);
        (index, [stored as u64, (stored >> 64) as u64])
    }

    /// Starts to fetch the bucket of a key.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: Key) {
        let bucket = self.bucket(self.home(key).0);
        prefetch(&bucket[0]);
        prefetch(&bucket[8]);
    }

    /// What is known of a position with net integer `spare`.
    #[inline]
    pub(super) fn probe(&self, key: Key, spare: i8) -> Found {
        let (index, stored) = self.home(key);
        let bucket = self.bucket(index);
        for _ in 0..TRIES {
            let version = bucket[0].load(Ordering::Acquire);
            if version & 1 == 0 {
                let found = self.read(bucket, stored, spare);
                fence(Ordering::Acquire);
                if bucket[0].load(Ordering::Relaxed) == version {
                    return found;
                }
            }
            std::hint::spin_loop();
        }
        Found { bounds: Bounds::NONE, numbers: None, effort: 0 }
    }

    #[inline(always)]
    fn read(&self, bucket: &[AtomicU64; WORDS], stored: [u64; 2], spare: i8) -> Found {
        let mut found = Found { bounds: Bounds::NONE, numbers: None, effort: 0 };
        for entry in 0..self.entries() {
            let Some(value) = self.entry(bucket, entry, stored) else { continue };
            found.bounds.won = found.bounds.won.min(value.bounds.won);
            found.bounds.lost = found.bounds.lost.max(value.bounds.lost);
            if value.spare == spare {
                found.numbers = Some(value.numbers);
                found.effort = value.effort;
            }
        }
        found
    }

    /// The value of an entry, if its key is `stored`.
    #[inline(always)]
    fn entry(&self, bucket: &[AtomicU64; WORDS], entry: usize, stored: [u64; 2]) -> Option<Entry> {
        let at = 1 + entry * self.stride();
        let matches = bucket[at].load(Ordering::Relaxed) == stored[0]
            && (!self.wide || bucket[at + 1].load(Ordering::Relaxed) == stored[1]);
        if !matches {
            return None;
        }
        let word = bucket[at + self.stride() - 1].load(Ordering::Relaxed);
        (word != 0).then(|| Entry::unpack(word))
    }

    /// Stores what a search found. Proofs already there are kept.
    pub(super) fn store(&self, key: Key, spare: i8, numbers: Numbers, effort: u8) {
        // What is not stored now can be found again.
        let _ = self.try_insert(key, Entry::new(spare, numbers, effort));
    }

    /// Puts an entry into its bucket, merged with what is there; `false` if another thread had the
    /// bucket for too long.
    fn try_insert(&self, key: Key, value: Entry) -> bool {
        let (index, stored) = self.home(key);
        let bucket = self.bucket(index);
        let Some(version) = lock(bucket) else { return false };
        let (at, merged) = self.place(bucket, stored, value);
        let was_free = bucket[at + self.stride() - 1].load(Ordering::Relaxed) == 0;
        bucket[at].store(stored[0], Ordering::Relaxed);
        if self.wide {
            bucket[at + 1].store(stored[1], Ordering::Relaxed);
        }
        bucket[at + self.stride() - 1].store(merged.pack(), Ordering::Relaxed);
        // Counted while the bucket is held: nobody frees an entry that is not counted yet.
        if was_free {
            self.filled.fetch_add(1, Ordering::Relaxed);
        }
        bucket[0].store(version + 2, Ordering::Release);
        true
    }

    /// Puts an entry into its bucket however long that takes: one that is moved must not be lost
    /// because a thread was put aside while it had the bucket.
    pub(super) fn insert(&self, key: Key, value: Entry) {
        while !self.try_insert(key, value) {
            std::thread::yield_now();
        }
    }

    /// Where `value` is to be written (the first word of an entry), and what is written there.
    ///
    /// The place is the entry of the same position for the same net integer; else one of the same
    /// position whose numbers are void, because its bounds decide it; else a free one; else the one
    /// of least weight. So no position has two entries for one net integer.
    fn place(&self, bucket: &[AtomicU64; WORDS], stored: [u64; 2], value: Entry) -> (usize, Entry) {
        let (mut void, mut victim, mut least) = (None, 0, u32::MAX);
        for entry in 0..self.entries() {
            if let Some(old) = self.entry(bucket, entry, stored) {
                if old.spare == value.spare {
                    return (1 + entry * self.stride(), merge(old, value));
                }
                if !old.is_open() || !value.is_open() {
                    void = void.or(Some((entry, old)));
                }
            }
            let word =
                bucket[1 + entry * self.stride() + self.stride() - 1].load(Ordering::Relaxed);
            let weight = if word == 0 { 0 } else { 1 + Entry::unpack(word).weight() };
            if weight < least {
                (victim, least) = (entry, weight);
            }
        }
        match void {
            Some((entry, old)) => (1 + entry * self.stride(), merge(old, value)),
            None => (1 + victim * self.stride(), value),
        }
    }

    /// Frees the entries of one bucket that weigh less than `limit`; returns how many there were.
    fn sweep(&self, index: u64, limit: u32) -> u64 {
        let bucket = self.bucket(index);
        let Some(version) = lock(bucket) else { return 0 };
        let mut freed = 0;
        for entry in 0..self.entries() {
            let word = &bucket[(entry + 1) * self.stride()];
            let value = word.load(Ordering::Relaxed);
            if value != 0 && Entry::unpack(value).weight() < limit {
                word.store(0, Ordering::Relaxed);
                freed += 1;
            }
        }
        self.filled.fetch_sub(freed, Ordering::Relaxed);
        bucket[0].store(version + 2, Ordering::Release);
        freed
    }

    /// Calls `visit` with the key and the value of every entry of some buckets. Buckets that are
    /// being written all the while are passed over.
    pub(super) fn for_each_in(&self, buckets: Range<u64>, mut visit: impl FnMut(Key, Entry)) {
        for index in buckets {
            let bucket = self.bucket(index);
            let Some(words) = snapshot(bucket) else { continue };
            for entry in 0..self.entries() {
                let at = 1 + entry * self.stride();
                let word = words[at + self.stride() - 1];
                if word != 0 {
                    let high = if self.wide { words[at + 1] } else { 0 };
                    let stored = u128::from(words[at]) | u128::from(high) << 64;
                    visit(self.buckets.join(index, stored), Entry::unpack(word));
                }
            }
        }
    }

    /// A table of at most `bytes` bytes with the entries of this one, filled by some threads;
    /// `None` if `is_over` said meanwhile that nobody wants it any more.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub(super) fn resized(
        &self,
        bytes: u64,
        threads: usize,
        is_over: impl Fn() -> bool + Sync,
    ) -> io::Result<Option<Self>> {
        let larger = self.of_size(bytes)?;
        let whole = self.in_parts(threads, |part| {
            let mut filler = Filler::new(&larger);
            let whole = until(&is_over, part, |buckets| {
                self.for_each_in(buckets, |key, value| filler.insert(key, value));
            });
            filler.finish();
            whole
        });
        Ok(whole.into_iter().all(|whole| whole).then_some(larger))
    }

    /// Puts entries into their buckets, shared by some threads: each goes through all entries and
    /// takes those of its part of the buckets, in their order. So what stays where there is no
    /// place for all does not depend on the threads.
    pub(super) fn insert_all<I: Iterator<Item = (Key, Entry)>>(
        &self,
        entries: impl Fn() -> I + Sync,
        threads: usize,
    ) {
        self.in_parts(threads, |part| {
            let mut filler = Filler::new(self);
            let mine = |(key, _): &(Key, Entry)| part.contains(&self.home(*key).0);
            entries().filter(mine).for_each(|(key, value)| filler.insert(key, value));
            filler.finish();
        });
    }

    /// The buckets in parts of at most `entries` entries each; that many are more than a bucket
    /// has.
    pub(super) fn parts_of(&self, entries: usize) -> Vec<Range<u64>> {
        let (count, step) = (self.bucket_count(), entries / self.entries());
        (0..count).step_by(step).map(|first| first..count.min(first + step as u64)).collect()
    }

    /// Frees the entries of least effort until at most half of the table is in use; proofs last
    /// longer.
    ///
    /// Shared by some threads; others may go on reading and writing. Left early if `is_over` says
    /// so. Returns how many entries were freed.
    pub(super) fn collect(&self, threads: usize, is_over: impl Fn() -> bool + Sync) -> u64 {
        let counts = self.in_parts(threads, |part| {
            let mut by_weight = [0u64; 128];
            until(&is_over, part, |buckets| {
                self.for_each_in(buckets, |_, value| by_weight[value.weight() as usize] += 1);
            })
            .then_some(by_weight)
        });
        let Some(counts) = counts.into_iter().collect::<Option<Vec<_>>>() else { return 0 };
        let of_weight = |weight: usize| -> u64 { counts.iter().map(|part| part[weight]).sum() };
        let (mut limit, mut kept) = (128, 0);
        while limit > 1 && kept + of_weight(limit - 1) <= self.capacity() / 2 {
            limit -= 1;
            kept += of_weight(limit);
        }
        let freed = self.in_parts(threads, |part| {
            let mut freed = 0;
            until(&is_over, part, |buckets| {
                freed += buckets.map(|index| self.sweep(index, limit as u32)).sum::<u64>();
            });
            freed
        });
        freed.into_iter().sum()
    }

    /// Calls `work` with parts of the buckets, each thread with one, and returns what it gave for
    /// each.
    fn in_parts<T: Send>(&self, threads: usize, work: impl Fn(Range<u64>) -> T + Sync) -> Vec<T> {
        let count = self.bucket_count();
        let threads = (threads as u64).min(count / LEAST_PART).max(1);
        let part = |part: u64| count / threads * part + (count % threads).min(part);
        threads::in_parts(threads as usize, |at| work(part(at as u64)..part(at as u64 + 1)))
    }
}

/// Calls `work` with pieces of a range of buckets, until `is_over` says so; whether it came to the
/// end. A piece takes a moment only.
fn until(
    is_over: impl Fn() -> bool,
    buckets: Range<u64>,
    mut work: impl FnMut(Range<u64>),
) -> bool {
    for first in buckets.clone().step_by(PIECE as usize) {
        if is_over() {
            return false;
        }
        work(first..buckets.end.min(first + PIECE));
    }
    true
}

/// Puts entries into a table, with the places of the next ones being fetched meanwhile.
struct Filler<'t> {
    table: &'t ProofTable,
    waiting: Vec<(Key, Entry)>,
}

impl<'t> Filler<'t> {
    fn new(table: &'t ProofTable) -> Self {
        Self { table, waiting: Vec::with_capacity(AHEAD) }
    }

    fn insert(&mut self, key: Key, value: Entry) {
        self.table.prefetch(key);
        self.waiting.push((key, value));
        if self.waiting.len() == AHEAD {
            self.waiting.drain(..).for_each(|(key, value)| self.table.insert(key, value));
        }
    }

    fn finish(self) {
        self.waiting.into_iter().for_each(|(key, value)| self.table.insert(key, value));
    }
}

impl Proofs for ProofTable {
    #[inline]
    fn bounds(&self, key: Key) -> Bounds {
        self.probe(key, 0).bounds
    }
}

/// Old and new knowledge of one position: all proofs, and the newer numbers that are still open.
fn merge(old: Entry, new: Entry) -> Entry {
    let bounds = Bounds {
        won: old.bounds.won.min(new.bounds.won),
        lost: old.bounds.lost.max(new.bounds.lost),
    };
    let effort = old.effort.max(new.effort);
    let candidates = [Entry { bounds, effort, ..new }, Entry { bounds, effort, ..old }];
    let mut merged = *candidates.iter().find(|value| value.is_open()).unwrap_or(&candidates[0]);
    if let Some(win) = bounds.verdict(merged.spare) {
        merged.numbers = Numbers::solved(win);
    }
    merged
}

/// Makes the version of a bucket odd; `None` if another writer keeps it.
fn lock(bucket: &[AtomicU64; WORDS]) -> Option<u64> {
    for _ in 0..TRIES {
        let version = bucket[0].load(Ordering::Relaxed);
        let free = version & 1 == 0;
        if free
            && bucket[0]
                .compare_exchange(version, version + 1, Ordering::Acquire, Ordering::Relaxed)
                .is_ok()
        {
            fence(Ordering::Release);
            return Some(version);
        }
        std::hint::spin_loop();
    }
    None
}

/// A consistent copy of a bucket.
fn snapshot(bucket: &[AtomicU64; WORDS]) -> Option<[u64; WORDS]> {
    for _ in 0..TRIES {
        let version = bucket[0].load(Ordering::Acquire);
        let words = std::array::from_fn(|i| bucket[i].load(Ordering::Relaxed));
        fence(Ordering::Acquire);
        if version & 1 == 0 && bucket[0].load(Ordering::Relaxed) == version {
            return Some(words);
        }
        std::hint::spin_loop();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threads_together_keep_every_entry() {
        // A thousandth of everything for Miri, which is slow.
        let (bytes, keys) = if cfg!(miri) { (8 << 10, 40) } else { (8 << 20, 100_000) };
        let table = ProofTable::new(bytes, 60).unwrap();
        let key = |n: u64| Key::from_value(u128::from(n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 4));
        (0..keys).for_each(|n| {
            table.store(key(n), 0, Numbers::solved(Outcome::win_if(n % 3 == 0)), (n % 20) as u8)
        });
        for threads in if cfg!(miri) { [1, 2, 5] } else { [1, 3, 64] } {
            let larger = table.resized(4 * bytes, threads, || false).unwrap().unwrap();
            assert_eq!(larger.len(), table.len());
            (0..keys).for_each(|n| assert_eq!(larger.probe(key(n), 0), table.probe(key(n), 0)));
        }
        let small = || table.resized(bytes / 8, 1, || false).unwrap().unwrap();
        let (one, four) = (small(), small());
        assert_eq!(one.collect(1, || false), four.collect(4, || false));
        assert_eq!(one.len(), four.len());
        assert!(one.len() <= one.capacity() / 2);
    }

    #[test]
    fn who_is_over_leaves_the_entries_where_they_are() {
        let table = ProofTable::new(64 << 10, 60).unwrap();
        (1..=100).for_each(|n| {
            table.store(Key::from_value(n), 0, Numbers::solved(Outcome::Win), 1);
        });
        let held = table.len();
        for threads in [1, 2] {
            assert!(table.resized(1 << 20, threads, || true).unwrap().is_none());
            assert_eq!(table.collect(threads, || true), 0);
        }
        assert_eq!(table.len(), held);
    }

    #[test]
    fn readers_see_whole_entries_or_none() {
        let rounds = if cfg!(miri) { 3 } else { 10_000 };
        for key_bits in [60, 128] {
            let table = ProofTable::new(ProofTable::SMALLEST, key_bits).unwrap();
            let key = |n: u32| Key::from_value((u128::from(n) << (key_bits - 8)) + 5);
            let numbers = |n: u32| Numbers { proof: 1 + n, disproof: 2 + n };
            threads::in_parts(3, |part| {
                for n in (0..rounds).flat_map(|_| 0..9) {
                    if part > 0 {
                        table.store(key(n), 0, numbers(n), part as u8);
                    }
                    let found = table.probe(key(n), 0).numbers;
                    assert!(found.is_none_or(|found| found == numbers(n)), "{found:?}");
                }
            });
            assert!(table.len() > 0);
        }
    }
}
