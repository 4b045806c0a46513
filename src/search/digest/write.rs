//! Which entries of a checkpoint, or of a larger digest, a digest keeps, and how it is written.
//!
//! What is there is read twice and never held: the first time its entries are counted by rank, the
//! second time those of the highest ranks are kept, no more than could fit.

use std::cmp::Reverse;
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::read::{Frame, Reader};
use super::{
    Digest, DigestError, Group, LARGE_HEADER, LARGE_VERSION, MAGIC, NO_SPARE, SMALLEST, VERSION,
};
use crate::game::board::{Board, Kings};
use crate::game::code::{Code, Coder};
use crate::game::rules::Bitboards;
use crate::machine::framed::{FramedWriter, MOST_ITEMS};
use crate::machine::progress::StopFlag;
use crate::machine::{files, varint};
use crate::search::checkpoint::format::{CheckpointError, Entries, Header, Saved};
use crate::search::solver::SolverError;
use crate::search::sum::key::Scrambler;
use crate::search::sum::numbers::{INFINITE, Numbers};
use crate::search::sum::reduction::Bounds;
use crate::search::table::Entry;

/// How hard zstd tries.
const LEVEL: i32 = 19;
/// A position hardly ever takes fewer bytes of a digest.
const LEAST_BYTES: u64 = 3;
/// Ranks: 64 efforts, and up to 64 empty squares for each.
const RANKS: usize = 64 * 65;

/// A position with what is known of it.
#[derive(Clone, Copy)]
pub(super) struct Item {
    pub(super) code: Code,
    pub(super) rank: u16,
    pub(super) group: Group,
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

/// Bytes of memory to write a digest of at most so many bytes: the positions that may fit, twice
/// the file, what zstd needs, and a part of the checkpoint.
pub fn writing_bytes(most_bytes: u64) -> u64 {
    let items = (most_bytes / LEAST_BYTES).saturating_mul(size_of::<Item>() as u64);
    items.saturating_add(most_bytes.saturating_mul(2)).saturating_add(32 << 20)
}

/// A search that a digest is of.
pub(super) struct Searched {
    pub(super) board: Board,
    pub(super) position: Bitboards<u128>,
    pub(super) nodes: u64,
}

/// What a digest is written from. Its entries are visited with their ranks; what an entry is costs
/// more to find out than its rank.
trait Source {
    /// What was searched.
    fn search(&self) -> Searched;

    /// Visits every entry, in the same order each time; an interrupt is an error.
    fn for_each(&self, visit: &mut dyn FnMut(usize, &dyn Fn() -> Item)) -> Result<(), DigestError>;
}

/// The digest of a checkpoint, or of a larger digest, in at most `most_bytes` bytes: what has the
/// largest effort, and of equal effort what has the most empty squares. Returns the file and what
/// it holds. Needs [`writing_bytes`] of memory, however large the file is that it is made from.
///
/// # Errors
/// If that file cannot be read, is damaged or is one of another version, or so few bytes hold no
/// digest. [`DigestError::Interrupted`] if `stop` was set before it was done.
pub fn write_digest(
    from: &Path,
    most_bytes: u64,
    stop: &StopFlag,
) -> Result<(Vec<u8>, Digest), DigestError> {
    if most_bytes < SMALLEST {
        return Err(DigestError::TooSmall(most_bytes));
    }
    let mut begins = Vec::new();
    files::open_regular(from)?.take(MAGIC.len() as u64).read_to_end(&mut begins)?;
    if begins == MAGIC {
        let digest = Reader::new(BufReader::new(files::open_regular(from)?))?.digest();
        return shorten(&Larger { path: from, digest, stop }, most_bytes, stop);
    }
    let saved = match Saved::open(from, || stop.is_set()) {
        Err(CheckpointError::Stopped) => return Err(DigestError::Interrupted),
        opened => opened?,
    };
    shorten(&Checkpoint { saved, stop }, most_bytes, stop)
}

/// As many of the costliest entries as fit.
fn shorten(
    source: &dyn Source,
    most_bytes: u64,
    stop: &StopFlag,
) -> Result<(Vec<u8>, Digest), DigestError> {
    let searched = source.search();
    let mut items = costliest(source, most_bytes / LEAST_BYTES)?;
    // A digest has been looked at when it was read.
    if !items.iter().all(Item::is_possible) {
        return Err(CheckpointError::Damaged("it has bounds or numbers that cannot be").into());
    }
    loop {
        items.sort_unstable_by_key(|item| (item.group, item.code));
        items.dedup_by_key(|item| (item.group, item.code));
        let (bytes, digest) = encode(&searched, &items, stop)?;
        let length = bytes.len() as u64;
        if length <= most_bytes {
            return Ok((bytes, digest));
        }
        // Fewer positions need a little more each, so the aim is a hundredth below the limit.
        let room = most_bytes - SMALLEST;
        let fewer = items.len() as u128 * u128::from(room) * 99 / (u128::from(length) * 100);
        items.sort_unstable_by_key(|item| (Reverse(item.rank), item.code, item.group));
        items.truncate(fewer as usize);
    }
}

/// Of larger effort, then with more empty squares.
fn rank(effort: u8, empty: usize) -> usize {
    65 * usize::from(effort) + empty
}

/// At most `most` entries of the highest ranks.
fn costliest(source: &dyn Source, most: u64) -> Result<Vec<Item>, DigestError> {
    let mut by_rank = [0u64; RANKS];
    source.for_each(&mut |rank, _| by_rank[rank] += 1)?;
    let (mut least, mut kept) = (RANKS, 0);
    while least > 0 && kept < most {
        least -= 1;
        kept += by_rank[least];
    }
    let mut items = Vec::with_capacity(kept.min(most) as usize);
    // Of the least rank there may be more than fit.
    let mut spare_room = by_rank.get(least).map_or(0, |last| most.min(kept) - (kept - last));
    source.for_each(&mut |rank, item| {
        if rank < least || (rank == least && spare_room == 0) {
            return;
        }
        spare_room -= u64::from(rank == least);
        items.push(item());
    })?;
    Ok(items)
}

/// An interrupt is an error wherever it is noticed.
fn go_on(stop: &StopFlag) -> Result<(), DigestError> {
    if stop.is_set() { Err(DigestError::Interrupted) } else { Ok(()) }
}

/// The codes of files about a position that was read from one.
fn coder(board: Board, position: &Bitboards<u128>) -> Result<Coder<u128>, DigestError> {
    let kings = Kings::new(board).map_err(SolverError::from)?;
    Ok(Coder::of_file(&kings, position).map_err(SolverError::from)?)
}

/// A checkpoint that a digest is made from.
struct Checkpoint<'a> {
    saved: Saved,
    stop: &'a StopFlag,
}

impl Source for Checkpoint<'_> {
    fn search(&self) -> Searched {
        let Header { board, position, nodes, .. } = self.saved.header;
        Searched { board, position, nodes }
    }

    /// On one thread: less memory is taken so.
    fn for_each(&self, visit: &mut dyn FnMut(usize, &dyn Fn() -> Item)) -> Result<(), DigestError> {
        let Header { board, seed, .. } = self.saved.header;
        let coder = coder(board, &self.saved.header.position)?;
        let scrambler = Scrambler::new(*coder.ground(), seed);
        let all = board.all::<u128>();
        let read = self.saved.read(1, |some| {
            if self.stop.is_set() {
                return Err(CheckpointError::Stopped);
            }
            for (key, entry) in some.iter().flat_map(Entries::iter) {
                let squares = scrambler.squares(key);
                let rank = rank(entry.effort, squares.empty.len());
                visit(rank, &|| {
                    let arrows = all.without(squares.cells());
                    let (mover, opponent) = (squares.mover, squares.opponent);
                    let position = Bitboards { mover, opponent, arrows };
                    Item::new(coder.code(&position), rank as u16, entry)
                });
            }
            Ok(())
        });
        go_on(self.stop)?;
        Ok(read?)
    }
}

/// A digest that a smaller one is made from.
struct Larger<'a> {
    path: &'a Path,
    digest: Digest,
    stop: &'a StopFlag,
}

impl Source for Larger<'_> {
    fn search(&self) -> Searched {
        let Digest { board, position, nodes, .. } = self.digest;
        Searched { board, position, nodes }
    }

    fn for_each(&self, visit: &mut dyn FnMut(usize, &dyn Fn() -> Item)) -> Result<(), DigestError> {
        let board = self.digest.board;
        let coder = coder(board, &self.digest.position)?;
        let mut reader = Reader::new(BufReader::new(files::open_regular(self.path)?))?;
        while let Some(Frame { group, positions, numbers }) = reader.frame()? {
            go_on(self.stop)?;
            for (at, position) in positions.iter().enumerate() {
                let rank = rank(group.effort.0, position.empty(board).len());
                let numbers = numbers.get(at).copied().unwrap_or(Numbers { proof: 0, disproof: 0 });
                let Numbers { proof, disproof } = numbers;
                visit(rank, &|| {
                    let (code, rank) = (coder.code(position), rank as u16);
                    Item { code, rank, group, proof, disproof }
                });
            }
        }
        Ok(())
    }
}

impl Item {
    fn new(code: Code, rank: u16, entry: Entry) -> Self {
        let Entry { bounds, spare, numbers, effort } = entry;
        let is_open = bounds.verdict(spare).is_none();
        let group = Group {
            effort: Reverse(effort),
            spare: if is_open { spare } else { NO_SPARE },
            won: bounds.won,
            lost: bounds.lost,
        };
        Self { code, rank, group, proof: numbers.proof, disproof: numbers.disproof }
    }

    /// Whether a digest may have it.
    fn is_possible(&self) -> bool {
        let in_range = |number: u32| (1..INFINITE).contains(&number);
        let has_numbers = in_range(self.proof) && in_range(self.disproof);
        self.group.is_possible() && (has_numbers || !self.group.has_numbers())
    }
}

/// The file of sorted items of a search.
pub(super) fn encode(
    &Searched { board, ref position, nodes }: &Searched,
    items: &[Item],
    stop: &StopFlag,
) -> Result<(Vec<u8>, Digest), DigestError> {
    let header = header(board, position, nodes, items.len() as u64);
    let mut frames = FramedWriter::begin(Vec::new(), &header, LEVEL)?;
    for group in items.chunk_by(|one, next| one.group == next.group) {
        for frame in group.chunks(MOST_ITEMS) {
            go_on(stop)?;
            add_frame(&mut frames, frame)?;
        }
    }
    let bytes = frames.end()?;
    let solved = items.iter().filter(|item| item.group.bounds() != Bounds::NONE).count() as u64;
    let open = items.iter().filter(|item| item.group.has_numbers()).count() as u64;
    let least_effort = items.last().map_or(0, |item| item.group.effort.0);
    let positions = items.len() as u64;
    let position = *position;
    Ok((bytes, Digest { board, position, nodes, positions, solved, open, least_effort }))
}

fn header(board: Board, position: &Bitboards<u128>, nodes: u64, positions: u64) -> Vec<u8> {
    let version = if board.fits::<u64>() { VERSION } else { LARGE_VERSION };
    let mut bytes = Vec::with_capacity(LARGE_HEADER);
    bytes.extend(MAGIC);
    bytes.extend(version.to_le_bytes());
    bytes.extend([board.columns() as u8, board.rows() as u8, 0, 0]);
    bytes.extend(position.to_bytes_on(board));
    bytes.extend([nodes, positions].iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

/// Appends a frame of some items of one group.
fn add_frame(frames: &mut FramedWriter<Vec<u8>>, items: &[Item]) -> io::Result<()> {
    let group = items[0].group;
    let (mut body, mut before) = (Vec::new(), 0);
    for item in items {
        varint::push(&mut body, item.code.0.wrapping_sub(before));
        before = item.code.0;
    }
    if group.has_numbers() {
        items.iter().for_each(|item| varint::push(&mut body, item.proof.into()));
        items.iter().for_each(|item| varint::push(&mut body, item.disproof.into()));
    }
    let shared = [group.effort.0, group.spare as u8, group.won as u8, group.lost as u8];
    frames.frame(&shared, items.len(), &body)
}
