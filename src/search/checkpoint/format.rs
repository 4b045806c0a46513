//! The file of a checkpoint: its format, and its one reader, which needs no solver.
//!
//! ```text
//! header   "AMZSEARC" | version u32 | columns u8 | rows u8 | digest u8 | zero u8 | seed u64
//!          | mover, opponent, arrows: u64 each | nodes u64 | entries u64
//! history  moments u32 | for each: milliseconds u64 | nodes u64 | moves that win, lose, are open: u32 each
//! block*   entries u32 | bytes u32 | BLAKE3 of these bytes | the bytes: zstd of the entries
//! end      BLAKE3 of the header, the history and all blocks without their zstd
//! entry    key u128 | value u64
//! ```
//!
//! All integers are little-endian. No block is empty. `digest` is 1 if the search had taken up a
//! digest, so that its values rest on that file, and else 0. Programs that wrote 0 always refuse
//! a file with 1.
//!
//! Files of version 4 are about a position of a board of more than 64 squares. Its three sets have
//! 16 bytes each, and the keys are those of its ground. All others have version 3.
//!
//! Older files are still read. Those of version 2 have no history. In those of version 1 one zstd
//! frame of all entries follows the header, and then the BLAKE3 of everything before.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use crate::game::GroundTooLarge;
use crate::game::board::{Board, OtherBoard};
use crate::game::rules::{Bitboards, Colour, Position};
use crate::machine::fields::field;
use crate::machine::{files, threads, zstd};
use crate::search::monitor::history::History;
use crate::search::solver::SolverError;
use crate::search::sum::key::Key;
use crate::search::table::Entry;

/// The first bytes of every checkpoint.
pub(crate) const MAGIC: &[u8; 8] = b"AMZSEARC";
/// The version that is written. Raised when a stored number would mean something else.
pub(in crate::search) const VERSION: u32 = 3;
/// The version that is written of a board of more than 64 squares.
pub(in crate::search) const LARGE_VERSION: u32 = 4;
/// The last version without a history.
pub(in crate::search) const WITHOUT_HISTORY: u32 = 2;
/// The version whose entries are one zstd.
pub(in crate::search) const UNDIVIDED: u32 = 1;
pub(in crate::search) const HEADER: usize = 8 + 4 + 4 + 8 + 24 + 16;
/// Bytes of a header of a board of more than 64 squares.
const LARGE_HEADER: usize = HEADER + 24;
/// Where the position stands in a header.
const POSITION: usize = 8 + 4 + 4 + 8;
pub(in crate::search) const HASH: usize = blake3::OUT_LEN;
/// Bytes of a block before its zstd.
pub(in crate::search) const HEAD: usize = 4 + 4 + HASH;
pub(in crate::search) const ENTRY: usize = 24;
/// Entries of a block, at most.
pub(in crate::search) const MOST_ENTRIES: usize = 1 << 14;
/// Blocks that a thread packs or unpacks before what it made is handed on.
pub(in crate::search) const AT_A_TIME: usize = 4;
/// How hard zstd tries.
pub(in crate::search) const LEVEL: i32 = 1;
/// Bytes read at a time where nothing else says how many.
pub(in crate::search) const PIECE: usize = 1 << 20;

/// More positions than any search evaluates, to which a search can add its own.
const MOST_NODES: u64 = 1 << 62;

/// Why a checkpoint was not saved or not taken up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(io::Error),
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
    /// The search was stopped, or its time was up, before all was read.
    #[error("it was not read to its end")]
    Stopped,
}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => TOO_SHORT,
            _ => Self::Io(error),
        }
    }
}

const TOO_SHORT: CheckpointError = CheckpointError::Damaged("it is too short");

/// What a checkpoint says of the search that it is of.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Header {
    pub(in crate::search) version: u32,
    pub(in crate::search) board: Board,
    /// Whether the search had taken up a digest, on which its values rest.
    pub(in crate::search) rests_on_digest: bool,
    /// The seed of the keys.
    pub(in crate::search) seed: u64,
    /// The position that was searched.
    pub(in crate::search) position: Bitboards<u128>,
    /// Positions that had been evaluated.
    pub(in crate::search) nodes: u64,
    /// Entries of the file.
    pub(in crate::search) entries: u64,
}

impl Header {
    /// Bytes of a header of this version.
    pub(in crate::search) fn length(version: u32) -> usize {
        if version == LARGE_VERSION { LARGE_HEADER } else { HEADER }
    }

    pub(in crate::search) fn to_bytes(self) -> Vec<u8> {
        let Self { version, board, rests_on_digest, seed, position, nodes, entries } = self;
        let mut header = Vec::with_capacity(LARGE_HEADER);
        header.extend(MAGIC);
        header.extend(version.to_le_bytes());
        header.extend([board.columns() as u8, board.rows() as u8, rests_on_digest.into(), 0]);
        header.extend(seed.to_le_bytes());
        header.extend(position.to_bytes_on(board));
        header.extend([nodes, entries].iter().flat_map(|number| number.to_le_bytes()));
        header
    }

    /// The version of a file that begins with these bytes.
    fn version(bytes: &[u8]) -> Result<u32, CheckpointError> {
        let version = u32::from_le_bytes(field(bytes, 8));
        match bytes[..8] == *MAGIC && (UNDIVIDED..=LARGE_VERSION).contains(&version) {
            true => Ok(version),
            false => Err(CheckpointError::Foreign("other first bytes or another version")),
        }
    }

    /// From as many bytes as a header of this version has.
    fn from_bytes(version: u32, bytes: &[u8]) -> Result<Self, CheckpointError> {
        let is_large = version == LARGE_VERSION;
        let board = Board::new(bytes[12].into(), bytes[13].into()).ok();
        let board = board
            .filter(|board| board.fits::<u64>() != is_large && bytes[14] <= 1 && bytes[15] == 0);
        let board = board.ok_or(CheckpointError::Damaged("it names no board"))?;
        let number = |at: usize| u64::from_le_bytes(field(bytes, at));
        let legal = Bitboards::from_bytes_on(board, &bytes[POSITION..]).and_then(|plain| {
            let position = Position::new(board, &plain, Colour::White).ok()?;
            GroundTooLarge::check(&position).is_ok().then_some(plain)
        });
        let position = legal.ok_or(CheckpointError::Damaged("it holds no legal position"))?;
        let end = bytes.len();
        let (seed, nodes, entries) = (number(16), number(end - 16), number(end - 8));
        if nodes > MOST_NODES {
            return Err(CheckpointError::Damaged("no search evaluates as many positions"));
        }
        let rests_on_digest = bytes[14] == 1;
        Ok(Self { version, board, rests_on_digest, seed, position, nodes, entries })
    }
}

/// Entries as they stand in a block.
#[derive(Debug, Default)]
pub(in crate::search) struct Entries(Vec<u8>);

impl Entries {
    /// None, with room for those of a block.
    pub(in crate::search) fn with_capacity_of_block() -> Self {
        Self(Vec::with_capacity(MOST_ENTRIES * ENTRY))
    }

    /// From [`Self::as_bytes`].
    pub(in crate::search) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    pub(in crate::search) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(in crate::search) fn push(&mut self, key: Key, value: Entry) {
        self.0.extend(key.value().to_le_bytes());
        self.0.extend(value.pack().to_le_bytes());
    }

    pub(in crate::search) fn len(&self) -> usize {
        self.0.len() / ENTRY
    }

    pub(in crate::search) fn iter(&self) -> impl Iterator<Item = (Key, Entry)> {
        self.0.as_chunks().0.iter().map(|bytes: &[u8; ENTRY]| {
            let key = u128::from_le_bytes(field(bytes, 0));
            (Key::from_value(key), Entry::unpack(u64::from_le_bytes(field(bytes, 16))))
        })
    }
}

/// Entries that are packed: what a block consists of.
pub(in crate::search) struct Block {
    pub(in crate::search) head: Head,
    pub(in crate::search) packed: Vec<u8>,
}

impl Block {
    /// Packs entries; `None` if there are none.
    pub(in crate::search) fn pack(entries: &Entries) -> io::Result<Option<Self>> {
        let Entries(raw) = entries;
        if raw.is_empty() {
            return Ok(None);
        }
        let packed = zstd::compress(raw, LEVEL)?;
        let (entries, bytes) = (entries.len() as u32, packed.len() as u32);
        let head = Head { entries, bytes, hash: blake3::hash(&packed) };
        Ok(Some(Self { head, packed }))
    }

    fn unpack(&self) -> Result<Entries, CheckpointError> {
        if blake3::hash(&self.packed) != self.head.hash {
            return Err(CheckpointError::Damaged("the hash of a block is wrong"));
        }
        let bytes = self.head.entries as usize * ENTRY;
        let raw = zstd::decompress(&self.packed, bytes)?;
        if raw.len() == bytes {
            Ok(Entries(raw))
        } else {
            Err(CheckpointError::Damaged("a block is short"))
        }
    }
}

/// What a block says of itself.
#[derive(Clone, Copy)]
pub(in crate::search) struct Head {
    pub(in crate::search) entries: u32,
    bytes: u32,
    hash: blake3::Hash,
}

impl Head {
    pub(in crate::search) fn to_bytes(self) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        head[..4].copy_from_slice(&self.entries.to_le_bytes());
        head[4..8].copy_from_slice(&self.bytes.to_le_bytes());
        head[8..].copy_from_slice(self.hash.as_bytes());
        head
    }

    /// Reads the head that begins here, if a block of at most `left` bytes can have it. Counts the
    /// bytes of the block off `left`.
    fn read(mut input: impl Read, left: &mut u64) -> Result<Self, CheckpointError> {
        let damaged = || CheckpointError::Damaged("its blocks are not those that were written");
        *left = left.checked_sub(HEAD as u64).ok_or_else(damaged)?;
        let mut head = [0; HEAD];
        input.read_exact(&mut head)?;
        let [entries, bytes] = [0, 4].map(|at| u32::from_le_bytes(field(&head, at)));
        let most = zstd::compress_bound(entries as usize * ENTRY);
        if !(1..=MOST_ENTRIES).contains(&(entries as usize)) || bytes as usize > most {
            return Err(damaged());
        }
        *left = left.checked_sub(bytes.into()).ok_or_else(damaged)?;
        Ok(Self { entries, bytes, hash: blake3::Hash::from(field::<HASH>(&head, 8)) })
    }
}

/// An open checkpoint that is as it was written, but for the zstd of its blocks, whose hashes are
/// compared whenever they are read. A search that saves anew meanwhile changes nothing.
#[derive(Debug)]
pub(in crate::search) struct Saved {
    pub(in crate::search) header: Header,
    pub(in crate::search) history: History,
    file: File,
    /// Where the entries begin.
    start: u64,
    /// Bytes between there and the hash at the end.
    length: u64,
}

impl Saved {
    /// Opens a checkpoint.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or is no checkpoint of a version that is known; or
    /// [`CheckpointError::Stopped`] if `is_over` says so before the whole of a file of version 1
    /// has been compared with its hash. A small one is compared all the same.
    pub(in crate::search) fn open(
        path: &Path,
        is_over: impl Fn() -> bool,
    ) -> Result<Self, CheckpointError> {
        let file = files::open_regular(path)?;
        let length = file.metadata()?.len().checked_sub((HEADER + HASH) as u64);
        let length = length.ok_or(TOO_SHORT)?;
        let mut start = vec![0; HEADER];
        (&file).read_exact(&mut start)?;
        let version = Header::version(&start)?;
        start.resize(Header::length(version), 0);
        (&file).read_exact(&mut start[HEADER..])?;
        let header = Header::from_bytes(version, &start)?;
        let history = match header.version {
            UNDIVIDED | WITHOUT_HISTORY => History::default(),
            _ => read_history(&file, &mut start)?,
        };
        let length = length.checked_sub((start.len() - HEADER) as u64).ok_or(TOO_SHORT)?;
        let mut hash = blake3::Hasher::new();
        hash.update(&start);
        let saved = Self { header, history, file, start: start.len() as u64, length };
        match saved.header.version {
            UNDIVIDED => saved.hash_entries(&mut hash, is_over)?,
            _ => saved.hash_heads(&mut hash)?,
        }
        let mut stored = [0; HASH];
        (&saved.file).read_exact(&mut stored)?;
        if hash.finalize() == stored {
            Ok(saved)
        } else {
            Err(CheckpointError::Damaged("its hash is wrong"))
        }
    }

    /// Hashes all bytes of the entries.
    fn hash_entries(
        &self,
        hash: &mut blake3::Hasher,
        is_over: impl Fn() -> bool,
    ) -> Result<(), CheckpointError> {
        let (mut left, mut piece) = (self.length, vec![0; PIECE]);
        while left > 0 {
            if self.length > PIECE as u64 && is_over() {
                return Err(CheckpointError::Stopped);
            }
            let count = left.min(PIECE as u64) as usize;
            (&self.file).read_exact(&mut piece[..count])?;
            hash.update(&piece[..count]);
            left -= count as u64;
        }
        Ok(())
    }

    /// Hashes the heads of all blocks, which together have as many entries as the header says.
    fn hash_heads(&self, hash: &mut blake3::Hasher) -> Result<(), CheckpointError> {
        let (mut file, mut left, mut entries) = (&self.file, self.length, 0);
        while left > 0 {
            let head = Head::read(file, &mut left)?;
            hash.update(&head.to_bytes());
            entries += u64::from(head.entries);
            file.seek(SeekFrom::Current(head.bytes.into()))?;
        }
        if entries == self.header.entries {
            Ok(())
        } else {
            Err(CheckpointError::Damaged("it has another number of entries than it says"))
        }
    }

    /// Calls `take` with all entries in their order, some at a time, which are unpacked on so many
    /// threads.
    ///
    /// # Errors
    /// If the file cannot be read, or a block is damaged; and those of `take`, which end it.
    pub(in crate::search) fn read(
        &self,
        threads: usize,
        mut take: impl FnMut(&[Entries]) -> Result<(), CheckpointError>,
    ) -> Result<(), CheckpointError> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(self.start))?;
        match self.header.version {
            UNDIVIDED => self.read_undivided(threads, &mut take),
            _ => self.read_blocks(threads, &mut take),
        }
    }

    fn read_blocks(
        &self,
        threads: usize,
        take: &mut impl FnMut(&[Entries]) -> Result<(), CheckpointError>,
    ) -> Result<(), CheckpointError> {
        let (mut file, mut left) = (&self.file, self.length);
        while left > 0 {
            let mut blocks = Vec::with_capacity(AT_A_TIME * threads);
            while left > 0 && blocks.len() < AT_A_TIME * threads {
                let head = Head::read(file, &mut left)?;
                let mut packed = vec![0; head.bytes as usize];
                file.read_exact(&mut packed)?;
                blocks.push(Block { head, packed });
            }
            let entries = threads::each(threads, blocks.len(), |at| blocks[at].unpack());
            take(&entries.into_iter().collect::<Result<Vec<_>, _>>()?)?;
        }
        Ok(())
    }

    fn read_undivided(
        &self,
        threads: usize,
        take: &mut impl FnMut(&[Entries]) -> Result<(), CheckpointError>,
    ) -> Result<(), CheckpointError> {
        let packed = BufReader::with_capacity(PIECE, (&self.file).take(self.length));
        let mut packed = zstd::Reader::new(packed)?;
        let (mut left, some) = (self.header.entries, (AT_A_TIME * threads * MOST_ENTRIES) as u64);
        while left > 0 {
            let (mut raw, bytes) = (Vec::new(), left.min(some) * ENTRY as u64);
            if (&mut packed).take(bytes).read_to_end(&mut raw)? as u64 != bytes {
                return Err(io::Error::from(ErrorKind::UnexpectedEof).into());
            }
            left -= left.min(some);
            take(&[Entries(raw)])?;
        }
        match packed.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(CheckpointError::Damaged("it has more entries than it says")),
        }
    }
}

/// The history that begins here; its bytes are added to `start`.
fn read_history(mut file: &File, start: &mut Vec<u8>) -> Result<History, CheckpointError> {
    let mut count = [0; History::COUNT];
    file.read_exact(&mut count)?;
    let mut bytes = vec![0; History::bytes_after(count).ok_or(ODD)?];
    file.read_exact(&mut bytes)?;
    start.extend(count);
    start.extend(&bytes);
    History::from_bytes(&bytes).ok_or(ODD)
}

const ODD: CheckpointError = CheckpointError::Damaged("its history is none that is written");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Bitboard;

    #[test]
    fn what_is_no_header_is_refused() {
        let board: Board = "4x4".parse().unwrap();
        let [mover, opponent, arrows] = [1, 2, 4].map(Bitboard::from_word);
        let position = Bitboards { mover, opponent, arrows };
        let header = Header {
            version: VERSION,
            board,
            rests_on_digest: false,
            seed: 7,
            position,
            nodes: 8,
            entries: 9,
        };
        let read = |bytes: &[u8]| Header::from_bytes(Header::version(bytes)?, bytes);
        let bytes = header.to_bytes();
        for header in [header, Header { rests_on_digest: true, ..header }] {
            let read = read(&header.to_bytes()).unwrap();
            assert_eq!(read.rests_on_digest, header.rests_on_digest);
            assert_eq!(read.to_bytes(), header.to_bytes());
        }
        let changed = |at: usize, byte| {
            let mut bytes = bytes.clone();
            bytes[at] = byte;
            read(&bytes)
        };
        for (at, byte) in [(0, b'B'), (8, 0), (8, 5), (11, 1)] {
            assert!(matches!(changed(at, byte), Err(CheckpointError::Foreign(_))), "{at}: {byte}");
        }
        // No such board; then a square twice, and one that is not on the board.
        for (at, byte) in [(12, 0), (13, 99), (14, 2), (15, 1), (24, 2), (40, 1), (42, 1)] {
            assert!(matches!(changed(at, byte), Err(CheckpointError::Damaged(_))), "{at}: {byte}");
        }
    }

    #[test]
    fn what_no_block_can_have_at_its_head_is_refused() {
        let hash = blake3::hash(b"");
        let read = |entries: usize, bytes: usize, mut left: u64| {
            let head = Head { entries: entries as u32, bytes: bytes as u32, hash };
            Head::read(&head.to_bytes()[..], &mut left).map(|_| left)
        };
        let (most, all) = (MOST_ENTRIES, zstd::compress_bound(MOST_ENTRIES * ENTRY));
        assert_eq!(read(most, all, 1 << 40).unwrap(), (1 << 40) - (HEAD + all) as u64);
        assert_eq!(read(1, 20, HEAD as u64 + 20).unwrap(), 0);
        for (entries, bytes, left) in [
            (0, 20, 1 << 40),
            (most + 1, 20, 1 << 40),
            (most, all + 1, 1 << 40),
            (1, 20, HEAD as u64 + 19),
            (1, 0, HEAD as u64 - 1),
        ] {
            let found = read(entries, bytes, left);
            assert!(
                matches!(found, Err(CheckpointError::Damaged(_))),
                "{entries}, {bytes}, {left}"
            );
        }
    }
}
