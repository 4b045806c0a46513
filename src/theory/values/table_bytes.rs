//! How many bytes a hash table takes.
//!
//! It is counted by what it has allocated, not by what it holds: with room for `n` entries it has
//! `8/7 n` slots of the entry and one byte.

use std::hash::{BuildHasher, Hash};

use dashmap::DashMap;

/// The bytes of a table, by its room.
pub(super) fn table_bytes<K: Eq + Hash, V, S: BuildHasher + Clone>(
    table: &DashMap<K, V, S>,
) -> u64 {
    (table.capacity() as u64 * (size_of::<(K, V)>() as u64 + 1)).div_ceil(7) * 8
}
