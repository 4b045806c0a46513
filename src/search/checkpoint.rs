//! Checkpoints: the table of a search in a file, to go on from after a stop or a crash.
//!
//! ```text
//! "AMZSEARC" | version u32 | columns u8 | rows u8 | zero u16 | seed u64
//! | mover, opponent, arrows: u64 each | nodes u64 | entries u64
//! | zstd of the entries: key u128, value u64 each | BLAKE3 of all before, 32 bytes
//! ```
//!
//! All integers are little-endian. The file is written under another name, and renamed when it is
//! complete and synced. So a crash leaves the checkpoint before it. Entries that hold only an
//! evaluation are left out.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use super::key::Key;
use super::solver::{Solver, SolverError};
use super::table::Entry;
use crate::game::board::OtherBoard;
use crate::game::rules::{Bitboards, Position};
use crate::machine::files::NewFile;
use crate::machine::zstd;

const MAGIC: &[u8; 8] = b"AMZSEARC";
/// Raised when a stored number would mean something else.
const VERSION: u32 = 1;
const HEADER: usize = 8 + 4 + 4 + 8 + 24 + 16;
const ENTRY: usize = 24;

/// Why a checkpoint was not saved or not taken up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is no memory for it.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The position is of another board.
    #[error(transparent)]
    OtherBoard(#[from] OtherBoard),
    /// It belongs to something else.
    #[error("it is not a checkpoint of this search: {0}")]
    Foreign(&'static str),
    /// Its bytes are not those that were written.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
}

/// Passes bytes on and hashes them.
struct Hashed<T> {
    inner: T,
    hash: blake3::Hasher,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hash.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Solver<'_> {
    /// Saves what the search of `position` knows. No search may be running.
    ///
    /// # Errors
    /// If the position is of another board or the file cannot be written; the file before it is then
    /// untouched.
    pub fn save(&self, path: &Path, position: &Position) -> Result<(), CheckpointError> {
        let position = &self.bitboards(position)?;
        let file = NewFile::create(path)?;
        let mut out = Hashed { inner: BufWriter::new(file.file()), hash: blake3::Hasher::new() };
        let mut entries = 0u64;
        self.table.for_each_entry(|_, value| entries += u64::from(value.is_worth_keeping()));
        out.write_all(&self.header(position, entries))?;
        let mut packer = zstd::Writer::new(&mut out, 1)?;
        let mut result = Ok(());
        self.table.for_each_entry(|key, value| {
            if result.is_ok() && value.is_worth_keeping() {
                result = write_entry(&mut packer, key, value);
            }
        });
        result?;
        packer.finish()?;
        let hash = out.hash.finalize();
        out.inner.write_all(hash.as_bytes())?;
        out.inner.flush()?;
        drop(out);
        file.keep()?;
        Ok(())
    }

    /// Takes up what a search of `position` had saved; returns how many positions it had evaluated.
    ///
    /// # Errors
    /// If the file is damaged, or of another position, board, seed or version. The solver then
    /// knows what it knew.
    pub fn load(&mut self, path: &Path, position: &Position) -> Result<u64, CheckpointError> {
        let position = &self.bitboards(position)?;
        check_hash(path)?;
        let mut file = BufReader::new(File::open(path)?);
        let mut found = [0; HEADER];
        file.read_exact(&mut found)?;
        let number =
            |at: usize| found[at..at + 8].iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte));
        let (nodes, entries) = (number(HEADER - 16), number(HEADER - 8));
        let mine = self.header(position, 0);
        if found[..12] != mine[..12] {
            return Err(CheckpointError::Foreign("other first bytes or another version"));
        }
        if found[12..HEADER - 16] != mine[12..HEADER - 16] {
            return Err(CheckpointError::Foreign("another position"));
        }
        self.reserve(entries)?;
        let length = std::fs::metadata(path)?.len() - HEADER as u64 - 32;
        let mut packed = zstd::Reader::new(file.take(length))?;
        for _ in 0..entries {
            let mut entry = [0; ENTRY];
            packed.read_exact(&mut entry)?;
            let word = |at: usize| {
                entry[at..at + 8].iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte))
            };
            let key = u128::from(word(0)) | u128::from(word(8)) << 64;
            self.table.insert(Key::from_value(key), Entry::unpack(word(16)));
        }
        self.monitor().add_nodes(nodes);
        Ok(nodes)
    }

    fn header(&self, position: &Bitboards, entries: u64) -> [u8; HEADER] {
        let board = self.data.board();
        let mut header = Vec::with_capacity(HEADER);
        header.extend(MAGIC);
        header.extend(VERSION.to_le_bytes());
        header.extend([board.columns() as u8, board.rows() as u8, 0, 0]);
        let sets = [position.mover, position.opponent, position.arrows].map(|set| set.word());
        for word in [self.seed(), sets[0], sets[1], sets[2], self.nodes(), entries] {
            header.extend(word.to_le_bytes());
        }
        header.try_into().expect("the fields above have the length of a header")
    }
}

fn write_entry(out: &mut impl Write, key: Key, value: Entry) -> io::Result<()> {
    out.write_all(&key.value().to_le_bytes())?;
    out.write_all(&value.pack().to_le_bytes())
}

/// Reads the whole file and compares its hash.
fn check_hash(path: &Path) -> Result<(), CheckpointError> {
    let length = std::fs::metadata(path)?.len();
    if length < (HEADER + 32) as u64 {
        return Err(CheckpointError::Damaged("it is too short"));
    }
    let mut file = BufReader::new(File::open(path)?);
    let mut hash = blake3::Hasher::new();
    io::copy(&mut (&mut file).take(length - 32), &mut hash)?;
    let mut stored = [0; 32];
    file.read_exact(&mut stored)?;
    if hash.finalize() == stored {
        Ok(())
    } else {
        Err(CheckpointError::Damaged("its hash is wrong"))
    }
}
