//! Bytes that the library reads and the page fetches.
//!
//! WebAssembly cannot wait for a server. So what is read and not here fails, and is noted: the
//! page fetches all that was noted, hands it over, and asks its question again.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use amazons::tables::format::ByteSource;
use serde::Serialize;

/// Bytes between two pieces of a file that are fetched along, because a request costs more.
const GAP: u64 = 32 << 10;

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Piece {
    file: String,
    at: u64,
    length: u64,
    /// How long the file is.
    of: u64,
    /// Whether the piece is asked for as the whole file, of any server.
    whole: bool,
}

#[derive(Debug, Default)]
struct Inside {
    /// What was fetched, by file and place.
    pieces: BTreeMap<(String, u64), Vec<u8>>,
    wanted: BTreeSet<Piece>,
}

/// What was fetched, and what is to be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf(Arc<Mutex<Inside>>);

impl Shelf {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of a whole file, which leave the shelf.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if they are not here; then they are noted.
    pub(crate) fn take(&self, file: &str, bytes: u64) -> io::Result<Vec<u8>> {
        let mut inside = self.inside();
        if let Some(found) = inside.pieces.remove(&(file.to_string(), 0)) {
            return Ok(found);
        }
        let file = file.to_string();
        inside.wanted.insert(Piece { file, at: 0, length: bytes, of: bytes, whole: true });
        Err(io::ErrorKind::WouldBlock.into())
    }

    /// Keeps fetched bytes.
    pub(crate) fn put(&self, file: String, at: u64, bytes: Vec<u8>) {
        self.inside().pieces.insert((file, at), bytes);
    }

    /// Whether something was noted.
    pub(crate) fn wants(&self) -> bool {
        !self.inside().wanted.is_empty()
    }

    /// What was noted since the last time, in as few pieces as is reasonable.
    pub(crate) fn wanted(&self) -> Vec<Piece> {
        let mut joined: Vec<Piece> = Vec::new();
        for piece in std::mem::take(&mut self.inside().wanted) {
            match joined.last_mut() {
                Some(last) if last.file == piece.file && piece.at <= last.end() + GAP => {
                    last.length = last.length.max(piece.end() - last.at);
                }
                _ => joined.push(piece),
            }
        }
        joined
    }

    /// Forgets what was fetched and noted.
    pub(crate) fn clear(&self) {
        *self.inside() = Inside::default();
    }
}

impl Piece {
    fn end(&self) -> u64 {
        self.at + self.length
    }
}

/// A file of which pieces are fetched.
#[derive(Debug)]
pub(crate) struct InPieces {
    pub(crate) shelf: Shelf,
    pub(crate) file: String,
    pub(crate) bytes: u64,
    /// What is fetched at least where it begins.
    pub(crate) head: u64,
}

impl ByteSource for InPieces {
    fn length(&self) -> u64 {
        self.bytes
    }

    fn in_memory(&self) -> Option<&[u8]> {
        None
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let end = at.checked_add(into.len() as u64).filter(|&end| end <= self.bytes);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut inside = self.shelf.inside();
        // The pieces of a file are few, so it does no harm to look at all that begin before.
        let before = (self.file.clone(), 0)..=(self.file.clone(), at);
        for ((_, start), bytes) in inside.pieces.range(before) {
            let from = (at - start) as usize;
            if let Some(found) = bytes.get(from..).and_then(|rest| rest.get(..into.len())) {
                into.copy_from_slice(found);
                return Ok(());
            }
        }
        let end = if at == 0 { end.max(self.head.min(self.bytes)) } else { end };
        let (file, length) = (self.file.clone(), end - at);
        inside.wanted.insert(Piece { file, at, length, of: self.bytes, whole: false });
        Err(io::ErrorKind::WouldBlock.into())
    }
}
