//! What rank 0 and the ranks tell each other: a head as text, then entries of the table as they
//! stand in checkpoints.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::machine::ranks::{from_bytes, to_bytes};
use crate::search::checkpoint::format::Entries;
use crate::search::sum::numbers::Numbers;

/// A leaf to search.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Job {
    pub(super) key: u128,
    pub(super) spare: i8,
    /// Proof and disproof number at which the job is done.
    pub(super) thresholds: (u32, u32),
    /// Positions that it evaluates at the least, if it is not solved.
    pub(super) least: u64,
    /// Positions after which it is done.
    pub(super) positions: u64,
    /// After so many the children are told, if it is not solved.
    pub(super) expanded_after: u64,
    /// What costs so much is told, as the table counts effort.
    pub(super) told_from: u8,
}

impl Job {
    pub(super) fn thresholds(&self) -> Numbers {
        Numbers { proof: self.thresholds.0, disproof: self.thresholds.1 }
    }
}

/// What came of a job.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Searched {
    /// Proof and disproof number.
    pub(super) numbers: (u32, u32),
    /// Positions evaluated.
    pub(super) positions: u64,
    pub(super) time: Duration,
    /// How many of the entries are children of the leaf; the others cost much.
    pub(super) children: usize,
}

impl Searched {
    pub(super) fn numbers(&self) -> Numbers {
        Numbers { proof: self.numbers.0, disproof: self.numbers.1 }
    }
}

/// A message.
pub(super) fn pack(head: &impl Serialize, entries: &Entries) -> Vec<u8> {
    let head = to_bytes(head);
    let length = (head.len() as u64).to_le_bytes();
    [&length, &head[..], entries.as_bytes()].concat()
}

/// A message's head and entries.
///
/// # Panics
/// If [`pack`] has not made it of such a head.
pub(super) fn unpack<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> (T, Entries) {
    let (length, rest) = bytes.split_first_chunk().expect("a message begins with a length");
    let (head, entries) = rest.split_at(u64::from_le_bytes(*length) as usize);
    (from_bytes(head), Entries::from_bytes(entries.to_vec()))
}
