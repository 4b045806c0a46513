//! Work on the whole transposition table: another size, freeing entries, listing them.
//!
//! Each thread takes a part of the buckets. That pays twice when the table grows: the entries are
//! moved at the same time, and so are the pages of the new table cleared by the system, which is
//! half of the cost.

use std::io;
use std::ops::Range;

use super::key::Key;
use super::table::{Table, Value};

/// Fewer buckets than this (1 MiB) are not worth a thread.
const LEAST_PART: u64 = 1 << 13;
/// Entries whose places are fetched at the same time.
const AHEAD: usize = 32;

impl Table {
    /// A table of at most `bytes` bytes with the entries of this one, filled by some threads.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub(super) fn resized(&self, bytes: u64, threads: usize) -> io::Result<Self> {
        let larger = self.of_size(bytes)?;
        self.in_parts(threads, |part| {
            let mut waiting = Vec::with_capacity(AHEAD);
            self.for_each_in(part, |key, value| {
                larger.prefetch(key);
                waiting.push((key, value));
                if waiting.len() == AHEAD {
                    waiting.drain(..).for_each(|(key, value)| larger.insert(key, value));
                }
            });
            waiting.into_iter().for_each(|(key, value)| larger.insert(key, value));
        });
        Ok(larger)
    }

    /// Frees the entries of least effort until at most half of the table is in use; proofs last
    /// longer.
    ///
    /// Shared by some threads; others may go on reading and writing. Returns how many entries were
    /// freed.
    pub(super) fn collect(&self, threads: usize) -> u64 {
        let counts = self.in_parts(threads, |part| {
            let mut by_weight = [0u64; 128];
            self.for_each_in(part, |_, value| by_weight[value.weight() as usize] += 1);
            by_weight
        });
        let of_weight = |weight: usize| -> u64 { counts.iter().map(|part| part[weight]).sum() };
        let (mut limit, mut kept) = (128, 0);
        while limit > 1 && kept + of_weight(limit - 1) <= self.capacity() / 2 {
            limit -= 1;
            kept += of_weight(limit);
        }
        let sweep =
            |part: Range<u64>| -> u64 { part.map(|index| self.sweep(index, limit as u32)).sum() };
        self.in_parts(threads, sweep).into_iter().sum()
    }

    /// Calls `visit` with the key and the value of every entry.
    pub(super) fn for_each_value(&self, visit: impl FnMut(Key, Value)) {
        self.for_each_in(0..self.bucket_count(), visit);
    }

    /// Calls `work` with parts of the buckets, each thread with one, and returns what it gave for
    /// each.
    fn in_parts<T: Send>(&self, threads: usize, work: impl Fn(Range<u64>) -> T + Sync) -> Vec<T> {
        let count = self.bucket_count();
        let threads = (threads as u64).min(count / LEAST_PART).max(1);
        let part = |part: u64| count / threads * part + (count % threads).min(part);
        let work = |at: u64| work(part(at)..part(at + 1));
        let work = &work;
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|at| scope.spawn(move || work(at))).collect();
            let first = work(0);
            let others =
                others.into_iter().map(|thread| thread.join().expect("a worker does not panic"));
            std::iter::once(first).chain(others).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::numbers::Numbers;

    #[test]
    fn all_threads_together_keep_every_entry() {
        let table = Table::new(8 << 20, 60).unwrap();
        let key = |n: u64| Key::from_value(u128::from(n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 4));
        (0..100_000)
            .for_each(|n| table.store(key(n), 0, Numbers::solved(n % 3 == 0), (n % 20) as u8));
        for threads in [1, 3, 64] {
            let larger = table.resized(32 << 20, threads).unwrap();
            assert_eq!(larger.len(), table.len());
            (0..100_000).for_each(|n| assert_eq!(larger.probe(key(n), 0), table.probe(key(n), 0)));
        }
        let (one, four) = (table.resized(1 << 20, 1).unwrap(), table.resized(1 << 20, 1).unwrap());
        assert_eq!(one.collect(1), four.collect(4));
        assert_eq!(one.len(), four.len());
        assert!(one.len() <= one.capacity() / 2);
    }
}
