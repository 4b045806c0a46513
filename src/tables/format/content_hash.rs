//! The BLAKE3 of a tier's content, from segments that are hashed apart.
//!
//! BLAKE3 is a tree over chunks of 1 KiB, whose left halves are as large as they can be and full.
//! So each segment hashes the subtrees that lie in it whole, and keeps the bytes of the chunks that
//! it shares with its neighbours. What it keeps are a few subtrees for each size.

use std::iter::Peekable;

use blake3::hazmat::{
    ChainingValue, HasherExt, Mode, left_subtree_len, merge_subtrees_non_root, merge_subtrees_root,
};
use blake3::{CHUNK_LEN, Hasher};
use serde::{Deserialize, Serialize};

const CHUNK: u64 = CHUNK_LEN as u64;

/// A stretch of bytes of the content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::tables) struct Piece {
    at: u64,
    length: u64,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum What {
    /// A subtree of the hash.
    Subtree(ChainingValue),
    /// A part of a chunk, as it is.
    Bytes(Vec<u8>),
}

/// The hash of a content, or of one segment of it, under way.
#[derive(Clone, Debug)]
pub(in crate::tables) struct ContentHash {
    at: u64,
    total: u64,
    pieces: Vec<Piece>,
}

impl ContentHash {
    /// Of what begins at byte `at` of a content of `total` bytes.
    pub(in crate::tables) fn new(at: u64, total: u64) -> Self {
        Self { at, total, pieces: Vec::new() }
    }

    /// The next bytes.
    pub(in crate::tables) fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let length = self.subtree_ahead(bytes.len() as u64);
            let into_chunk = self.at % CHUNK;
            let taken = match length {
                Some(length) => length,
                None => (CHUNK - into_chunk).min(bytes.len() as u64),
            };
            let (now, rest) = bytes.split_at(taken as usize);
            match length {
                Some(_) => self.push(subtree_of(self.at, now)),
                None => self.push_bytes(now),
            }
            self.at += taken;
            bytes = rest;
        }
    }

    /// The largest subtree of full chunks that begins here and has at most so many bytes. The
    /// whole content is none: its hash is made in another way.
    fn subtree_ahead(&self, available: u64) -> Option<u64> {
        let most = available.min(self.total.saturating_sub(1)) / CHUNK;
        if !self.at.is_multiple_of(CHUNK) || most == 0 {
            return None;
        }
        let aligned = if self.at == 0 { u64::MAX } else { self.at & self.at.wrapping_neg() };
        Some((CHUNK << most.ilog2()).min(aligned))
    }

    /// Adds a part of a chunk, and hashes the chunk if it is all there.
    fn push_bytes(&mut self, bytes: &[u8]) {
        let end = self.at + bytes.len() as u64;
        match self.pieces.last_mut() {
            Some(Piece { length, what: What::Bytes(open), .. })
                if !self.at.is_multiple_of(CHUNK) =>
            {
                *length += bytes.len() as u64;
                open.extend_from_slice(bytes);
            }
            _ => {
                let (at, length) = (self.at, bytes.len() as u64);
                self.pieces.push(Piece { at, length, what: What::Bytes(bytes.into()) });
            }
        }
        if let Some(chunk) = self.pieces.pop_if(|last| last.is_chunk(end, self.total)) {
            self.push(chunk.hashed());
        }
    }

    /// Adds a subtree, and merges it with those before it.
    fn push(&mut self, mut right: Piece) {
        while let Some(left) = self.pieces.last() {
            let (What::Subtree(first), What::Subtree(second)) = (&left.what, &right.what) else {
                break;
            };
            let both = 2 * left.length;
            if left.length != right.length || !left.at.is_multiple_of(both) || both >= self.total {
                break;
            }
            let what = What::Subtree(merge_subtrees_non_root(first, second, Mode::Hash));
            right = Piece { at: left.at, length: both, what };
            self.pieces.pop();
        }
        self.pieces.push(right);
    }

    /// Goes on behind a segment that was hashed apart and begins here.
    ///
    /// # Panics
    /// If it begins elsewhere.
    pub(in crate::tables) fn append(&mut self, segment: Vec<Piece>) {
        for piece in segment {
            assert_eq!(piece.at, self.at, "a segment is missing");
            let length = piece.length;
            match piece.what {
                What::Bytes(bytes) => {
                    self.push_bytes(&bytes);
                    self.at += length;
                }
                What::Subtree(_) => {
                    self.at += length;
                    self.push(piece);
                }
            }
        }
    }

    /// What a segment is known by, when it has no more bytes.
    pub(in crate::tables) fn into_pieces(self) -> Vec<Piece> {
        self.pieces
    }

    /// The hash of the whole content, when it has no more bytes.
    ///
    /// # Panics
    /// If it has more, or segments are missing.
    pub(in crate::tables) fn finalize(self) -> [u8; 32] {
        assert_eq!(self.at, self.total, "the content is not all there");
        if self.total <= CHUNK {
            let mut hasher = Hasher::new();
            for piece in &self.pieces {
                if let What::Bytes(bytes) = &piece.what {
                    hasher.update(bytes);
                }
            }
            return *hasher.finalize().as_bytes();
        }
        let mut pieces = self.pieces.into_iter().peekable();
        let left = left_subtree_len(self.total);
        let [left, right] = [left, self.total - left].map(|length| subtree(&mut pieces, length));
        *merge_subtrees_root(&left, &right, Mode::Hash).as_bytes()
    }
}

impl Piece {
    /// How many bytes of the content.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Whether these bytes are a chunk from its beginning to its end, which is that of the content
    /// or that of a full one.
    fn is_chunk(&self, end: u64, total: u64) -> bool {
        matches!(self.what, What::Bytes(_))
            && total > CHUNK
            && self.at.is_multiple_of(CHUNK)
            && (self.length == CHUNK || end == total)
    }

    fn hashed(self) -> Self {
        match &self.what {
            What::Bytes(bytes) => subtree_of(self.at, bytes),
            What::Subtree(_) => self,
        }
    }
}

fn subtree_of(at: u64, bytes: &[u8]) -> Piece {
    let mut hasher = Hasher::new();
    hasher.set_input_offset(at).update(bytes);
    let what = What::Subtree(hasher.finalize_non_root());
    Piece { at, length: bytes.len() as u64, what }
}

/// The value of the subtree of so many bytes that begins with the next piece.
fn subtree(pieces: &mut Peekable<impl Iterator<Item = Piece>>, length: u64) -> ChainingValue {
    if let Some(piece) = pieces.next_if(|piece| piece.length == length) {
        let What::Subtree(value) = piece.what else { panic!("a chunk is not all there") };
        return value;
    }
    assert!(length > CHUNK, "pieces that are no tree");
    let left = left_subtree_len(length);
    let [left, right] = [left, length - left].map(|length| subtree(pieces, length));
    merge_subtrees_non_root(&left, &right, Mode::Hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hash(content: &[u8], cuts: &[usize], updates: usize) -> [u8; 32] {
        let total = content.len() as u64;
        let mut whole = ContentHash::new(0, total);
        let ends = cuts.iter().copied().chain([content.len()]);
        let mut start = 0;
        for (number, end) in ends.enumerate() {
            let segment = &content[start..end];
            if number == 0 {
                segment.chunks(updates).for_each(|bytes| whole.update(bytes));
            } else {
                let mut hash = ContentHash::new(start as u64, total);
                segment.chunks(updates).for_each(|bytes| hash.update(bytes));
                whole.append(hash.into_pieces());
            }
            start = end;
        }
        whole.finalize()
    }

    proptest! {
        #[test]
        fn segments_make_the_hash_of_the_whole(
            length in prop_oneof![
                0usize..4000,
                (0u32..9, 0usize..5).prop_map(|(power, more)| (1024 << power) + more - 2),
                0usize..1_000_000,
            ],
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
            updates in prop_oneof![Just(1000usize), Just(1024), 1usize..100_000],
        ) {
            let content: Vec<u8> =
                (0..length as u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(length + 1)).collect();
            cuts.sort_unstable();
            prop_assert_eq!(hash(&content, &cuts, updates), *blake3::hash(&content).as_bytes());
        }
    }
}
