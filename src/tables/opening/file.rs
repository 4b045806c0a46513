//! The file of an opening table.
//!
//! ```text
//! header   magic "AMZOPENS" | version u8 | columns u8 | rows u8 | turn u8 | plies u8 | 3 bytes of zero
//!          | mover, opponent, arrows of the start: u64 each
//! ply*     positions u64 | bytes u64 | one zstd frame of the ply's positions
//! end      BLAKE3 of all bytes before it
//! ```
//!
//! All integers are little-endian; `plies` counts the plies in the file, the start among them. A
//! ply's positions are variable-length integers (seven bits a byte, low first, high bit = more),
//! one a position in increasing order of the codes: the difference to the code before (the first:
//! to 0), twice, plus 1 if the side to move wins. That is version 1, of boards of at most 32
//! squares. In version 2, of larger ones, a position is the difference and behind it a byte: 1 if
//! the side to move wins, else 0.
//!
//! A reader trusts no count. A ply has at most [`DENSEST`] positions for each byte of its zstd
//! frame, real ones have less than one. The frame has a window of at most 8 MiB, and nothing
//! follows it. Each code must have the arrows and amazons of its ply. So a short file takes little
//! memory, whatever it says.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use super::codes::{Codes, is_narrow};
use super::table::{MAX_SQUARES, Opening, Ply, stored_bytes};
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::code::{Code, Coder};
use crate::game::rules::{Bitboards, Colour, Position, Rules};
#[cfg(feature = "cli")]
use crate::machine::abandon::unless_stopped;
use crate::machine::fields::field;
use crate::machine::files::open_regular;
#[cfg(feature = "cli")]
use crate::machine::progress::StopFlag;
use crate::machine::{varint, zstd};

/// The first bytes of every opening table.
pub const MAGIC: &[u8; 8] = b"AMZOPENS";
/// Of boards of at most 32 squares.
const VERSION: u8 = 1;
/// Of larger ones.
const WIDE_VERSION: u8 = 2;
const HEADER: usize = 16 + 24;
const HASH: usize = 32;
/// How hard zstd tries.
const LEVEL: i32 = 19;
/// Bits of a position of version 1: those of a code, and whether it is a win.
const ENTRY_BITS: u32 = 65;
/// Most positions of a ply for each byte of its zstd frame; a small ply may have [`SMALL`].
const DENSEST: u64 = 16;
/// Positions that a ply may have however short its zstd frame is.
const SMALL: u64 = 64;
/// Codes have two bits a square; these are the lower ones.
const LOW: u128 = u128::MAX / 3;

/// The version of the files of this board.
fn version(board: Board) -> u8 {
    if is_narrow(board) { VERSION } else { WIDE_VERSION }
}

/// Why a file is not an opening table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It does not begin as opening tables do.
    #[error("is not an opening table of version {VERSION} or {WIDE_VERSION}: found {0}")]
    Foreign(String),
    /// Its header names no position.
    #[error("the header holds no legal position: {0}")]
    Header(String),
    /// Something in it cannot be.
    #[error("is damaged: {0}")]
    Damaged(&'static str),
    /// It takes more memory than is allowed.
    #[error("needs {needed} bytes of memory, {allowed} are allowed")]
    Memory {
        /// Bytes needed at least.
        needed: u64,
        /// Bytes that may be used.
        allowed: u64,
    },
}

impl Opening {
    /// Writes the file.
    ///
    /// # Errors
    /// If `out` does not take it.
    pub fn write(&self, out: &mut impl Write) -> io::Result<u64> {
        let compressed = |raw: Vec<u8>| zstd::compress(&raw, LEVEL).map(Some);
        let written = self.write_compressed(out, compressed)?;
        Ok(written.unwrap_or_default())
    }

    /// As [`Self::write`]; `None` if somebody asks to stop, and then the file is not complete.
    ///
    /// # Errors
    /// As [`Self::write`].
    #[cfg(feature = "cli")]
    pub(crate) fn write_until(
        &self,
        out: &mut impl Write,
        stop: &StopFlag,
    ) -> io::Result<Option<u64>> {
        // One call of zstd may take minutes.
        self.write_compressed(out, |raw| {
            unless_stopped(stop, move || zstd::compress(&raw, LEVEL)).transpose()
        })
    }

    /// Writes the file with plies as `compressed` makes them of their positions, or nothing if it
    /// makes none.
    fn write_compressed(
        &self,
        out: &mut impl Write,
        compressed: impl Fn(Vec<u8>) -> io::Result<Option<Vec<u8>>>,
    ) -> io::Result<Option<u64>> {
        let start: Bitboards = self.start.bitboards().ok_or(io::ErrorKind::InvalidInput)?;
        let (board, black) = (self.board(), self.start.turn() == Colour::Black);
        let mut bytes = MAGIC.to_vec();
        let sizes = [board.columns() as u8, board.rows() as u8];
        bytes.extend([
            version(board),
            sizes[0],
            sizes[1],
            u8::from(black),
            self.plies.len() as u8,
            0,
            0,
            0,
        ]);
        bytes.extend(start.to_bytes());
        for ply in &self.plies {
            let Some(packed) = compressed(encode(ply, board))? else { return Ok(None) };
            bytes.extend((ply.len() as u64).to_le_bytes());
            bytes.extend((packed.len() as u64).to_le_bytes());
            bytes.extend(packed);
        }
        bytes.extend(blake3::hash(&bytes).as_bytes());
        out.write_all(&bytes)?;
        out.flush()?;
        Ok(Some(bytes.len() as u64))
    }

    /// Opens a file and reads it, as [`Self::read_within`] does. A pipe or a device, which may have
    /// no end, is an error.
    ///
    /// # Errors
    /// As [`Self::read_within`].
    pub fn open(path: &Path, allowed: u64) -> Result<Self, OpeningError> {
        Self::read_within(open_regular(path)?, allowed)
    }

    /// Reads a file; no length or count in it is trusted.
    ///
    /// # Errors
    /// [`OpeningError`] if the bytes are not what [`Opening::write`] makes.
    pub fn read(input: impl Read) -> Result<Self, OpeningError> {
        Self::read_within(input, u64::MAX)
    }

    /// As [`Self::read`], in at most about `allowed` bytes of memory: the file, and for each of its
    /// positions 9 bytes, 17 on a board of more than 32 squares.
    ///
    /// # Errors
    /// As [`Self::read`], and [`OpeningError::Memory`].
    pub fn read_within(mut input: impl Read, allowed: u64) -> Result<Self, OpeningError> {
        let mut bytes = Vec::new();
        // Of what is no opening table no more is read.
        input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
        if bytes.len() == MAGIC.len() && bytes != MAGIC {
            return Err(OpeningError::Foreign("other first bytes".into()));
        }
        // While it grows, the buffer may be twice as long as what is in it.
        input.take((allowed / 2).saturating_sub(MAGIC.len() as u64)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 >= allowed / 2 {
            return Err(OpeningError::Memory { needed: 2 * bytes.len() as u64 + 1, allowed });
        }
        if bytes.len() < HEADER + HASH {
            return Err(OpeningError::Foreign("a shorter file".into()));
        }
        if ![VERSION, WIDE_VERSION].contains(&bytes[8]) {
            return Err(OpeningError::Foreign(format!("version {}", bytes[8])));
        }
        let (body, hash) = bytes.split_at(bytes.len() - HASH);
        if blake3::hash(body) != *<&[u8; HASH]>::try_from(hash).unwrap_or(&[0; HASH]) {
            return Err(OpeningError::Damaged("the hash is not that of the bytes before it"));
        }
        let start = start(body)?;
        let header =
            |reason: crate::game::board::BoardError| OpeningError::Header(reason.to_string());
        let rules = Rules::new(start.board()).map_err(header)?;
        let coder = Coder::new(start.board());
        let (mut plies, mut rest) = (Vec::new(), &body[HEADER..]);
        let mut needed = bytes.len() as u64;
        let mut expected = Expected::of(&start);
        if body[13..16] != [0; 3] || usize::from(body[12]) > expected.empty + 1 {
            return Err(OpeningError::Header("more plies than there are empty squares".into()));
        }
        for _ in 0..body[12] {
            let (count, packed) = take_ply(&mut rest)?;
            needed += count * stored_bytes(start.board());
            if needed > allowed {
                return Err(OpeningError::Memory { needed, allowed });
            }
            plies.push(decode(zstd::Reader::new(packed)?, count, &expected, start.board())?);
            expected = expected.after_a_move();
        }
        if plies.is_empty() || !rest.is_empty() {
            return Err(OpeningError::Damaged("no ply, or bytes after the last one"));
        }
        Ok(Self { start, rules, coder, plies })
    }
}

/// What every position of a ply has.
#[derive(Clone, Copy, Debug)]
struct Expected {
    mover: usize,
    opponent: usize,
    arrows: usize,
    empty: usize,
}

impl Expected {
    fn of(start: &Position) -> Self {
        let setup = start.setup();
        let (white, black) = (setup.white.len(), setup.black.len());
        let (mover, opponent) = match start.turn() {
            Colour::White => (white, black),
            Colour::Black => (black, white),
        };
        let arrows = setup.arrows.len();
        Self { mover, opponent, arrows, empty: start.board().squares() - arrows - white - black }
    }

    fn after_a_move(self) -> Self {
        Self {
            mover: self.opponent,
            opponent: self.mover,
            arrows: self.arrows + 1,
            empty: self.empty.saturating_sub(1),
        }
    }

    /// Whether a code has these counts.
    fn has(&self, code: Code) -> bool {
        let (low, high) = (code.0 & LOW, code.0 >> 1 & LOW);
        let count = |set: u128| set.count_ones() as usize;
        (count(low & !high), count(high & !low), count(low & high))
            == (self.mover, self.opponent, self.arrows)
    }
}

fn start(header: &[u8]) -> Result<Position, OpeningError> {
    let [columns, rows, turn] = [9, 10, 11].map(|at| header[at]);
    let bad = |reason: String| OpeningError::Header(reason);
    let board = Board::new(columns.into(), rows.into()).map_err(|error| bad(error.to_string()))?;
    if board.squares() > MAX_SQUARES || turn > 1 {
        return Err(bad("an impossible board or turn".into()));
    }
    if header[8] != version(board) {
        let (expected, found) = (version(board), header[8]);
        return Err(bad(format!("{board} in version {found}, expected version {expected}")));
    }
    let position = Bitboards::from_bytes(field(header, 16));
    let turn = if turn == 1 { Colour::Black } else { Colour::White };
    Position::new(board, &position, turn).map_err(|error| bad(error.to_string()))
}

fn word(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk().map(|&bytes| u64::from_le_bytes(bytes))
}

fn encode(ply: &Ply, board: Board) -> Vec<u8> {
    let (mut bytes, mut before) = (Vec::new(), 0);
    for (code, outcome) in ply.entries() {
        let (difference, win) = (code.0 - before, outcome.is_win());
        if is_narrow(board) {
            varint::push(&mut bytes, difference << 1 | u128::from(win));
        } else {
            varint::push(&mut bytes, difference);
            bytes.push(win.into());
        }
        before = code.0;
    }
    bytes
}

/// Takes one ply off the bytes: how many positions it has, and their zstd frame.
fn take_ply<'a>(rest: &mut &'a [u8]) -> Result<(u64, &'a [u8]), OpeningError> {
    let frame = |rest: &'a [u8]| {
        let (count, length) = (word(rest)?, word(rest.get(8..)?)?);
        let packed = rest.get(16..)?.get(..usize::try_from(length).ok()?)?;
        Some((count, packed))
    };
    let (count, packed) = frame(rest).ok_or(OpeningError::Damaged("it ends within a ply"))?;
    if count > SMALL + DENSEST * packed.len() as u64 {
        return Err(OpeningError::Damaged("a ply with more positions than its bytes can hold"));
    }
    *rest = &rest[16 + packed.len()..];
    Ok((count, packed))
}

/// Reads the positions of a ply, of which there must be `count`.
fn decode(
    packed: impl Read,
    count: u64,
    expected: &Expected,
    board: Board,
) -> Result<Ply, OpeningError> {
    const CUT: OpeningError = OpeningError::Damaged("a ply with other positions than it says");
    let mut bytes = BufReader::new(packed);
    let most = u128::MAX >> (u128::BITS - 2 * board.squares() as u32);
    let (mut ply, mut last) = (Ply { codes: Codes::none(board), outcomes: Vec::new() }, 0u128);
    for _ in 0..count {
        let (difference, win) = entry(&mut bytes, board)?.ok_or(CUT)?;
        if difference == 0 && !ply.is_empty() {
            return Err(OpeningError::Damaged("a position twice"));
        }
        let code = last.checked_add(difference).filter(|&code| code <= most);
        let code = code.map(Code).filter(|&code| expected.has(code));
        let code = code.ok_or(OpeningError::Damaged("a position that its ply cannot have"))?;
        ply.codes.push(code);
        ply.outcomes.push(Outcome::win_if(win));
        last = code.0;
    }
    if bytes.read(&mut [0])? > 0 {
        return Err(CUT);
    }
    Ok(ply)
}

/// The difference of a code to the one before, and whether the side to move wins; `None` if the
/// bytes end or are no position.
fn entry(bytes: &mut impl BufRead, board: Board) -> Result<Option<(u128, bool)>, OpeningError> {
    if is_narrow(board) {
        let number = varint::read(bytes, ENTRY_BITS)?;
        return Ok(number.map(|number| (number >> 1, number & 1 == 1)));
    }
    let difference = varint::read(bytes, u128::BITS)?;
    let win = varint::read(bytes, 1)?;
    Ok(difference.zip(win).map(|(difference, win)| (difference, win == 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bytes with one white amazon, one black one and no arrow on 4x4, and the codes in them.
    fn start_ply() -> (Vec<u8>, Ply) {
        let codes = vec![0b1001, 0b10_0001, 0b10_0100, 0b10 << 30 | 1, 0b10 << 30 | 1 << 28];
        let codes = Codes::Narrow(codes);
        let outcomes = [true, false, true, true, false].map(Outcome::win_if).to_vec();
        let ply = Ply { codes, outcomes };
        (encode(&ply, small()), ply)
    }

    fn small() -> Board {
        "4x4".parse().unwrap()
    }

    const PAIR: Expected = Expected { mover: 1, opponent: 1, arrows: 0, empty: 14 };

    #[test]
    fn plies_survive_the_way_through_bytes() {
        let (bytes, ply) = start_ply();
        assert_eq!(decode(&bytes[..], 5, &PAIR, small()).unwrap(), ply);
        assert!(decode(&bytes[..], 4, &PAIR, small()).is_err());
        assert!(decode(&bytes[..], 6, &PAIR, small()).is_err());
        assert!(decode(&[2 * 9, 0][..], 2, &PAIR, small()).is_err(), "a code twice");
        assert!(decode(&bytes[..], 5, &PAIR.after_a_move(), small()).is_err(), "of another ply");
    }

    #[test]
    fn plies_of_large_boards_survive_it_too() {
        let board: Board = "8x8".parse().unwrap();
        let expected = Expected { empty: 62, ..PAIR };
        let last = 0b10 << 126 | 1 << 124;
        let codes = vec![0b1001, 0b10_0001, 0b10 << 100 | 1, 0b10 << 126 | 1, last];
        let outcomes = [true, false, true, true, false].map(Outcome::win_if).to_vec();
        let ply = Ply { codes: Codes::Wide(codes), outcomes };
        let bytes = encode(&ply, board);
        assert_eq!(decode(&bytes[..], 5, &expected, board).unwrap(), ply);
        assert_eq!(ply.find(Code(last)), Some((4, Outcome::Loss)));
        assert_eq!(ply.find(Code(last + 1)), None);
        assert!(decode(&bytes[..], 6, &expected, board).is_err());
        assert!(decode(&bytes[..bytes.len() - 1], 5, &expected, board).is_err());
        let (at, mut other) = (bytes.len() - 1, bytes.clone());
        other[at] = 2;
        assert!(decode(&other[..], 5, &expected, board).is_err(), "neither won nor lost");
        // Its last position has a square that 6x6 has not.
        assert!(decode(&bytes[..], 5, &expected, "6x6".parse().unwrap()).is_err());
    }

    /// A file whose hash fits, with one ply of these bytes, which is said to have so many
    /// positions.
    fn forged(count: u64, raw: &[u8]) -> Vec<u8> {
        forged_of(count, &zstd::compress(raw, LEVEL).unwrap())
    }

    /// As [`forged`], of a ply that is packed.
    fn forged_of(count: u64, packed: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, 4, 4, 0, 1, 0, 0, 0]);
        [1u64, 2, 0].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend(count.to_le_bytes());
        bytes.extend((packed.len() as u64).to_le_bytes());
        bytes.extend(packed);
        let hash = blake3::hash(&bytes);
        bytes.extend(hash.as_bytes());
        bytes
    }

    #[test]
    fn a_short_file_cannot_ask_for_much() {
        assert!(Opening::read(&forged(1, &[9 << 1])[..]).is_ok());
        // Codes that follow each other by one are no positions; a few kilobytes hold millions.
        let bomb = vec![2; 64 << 20];
        for count in [bomb.len() as u64, 1 << 40, u64::MAX, 100_000] {
            let file = forged(count, &bomb);
            assert!(file.len() < 1 << 16);
            let error = Opening::read(&file[..]).unwrap_err();
            assert!(matches!(error, OpeningError::Damaged(_)), "{error}");
        }
        let file = forged(60, &bomb);
        let error = Opening::read_within(&file[..], 1000).unwrap_err();
        assert!(matches!(error, OpeningError::Memory { allowed: 1000, .. }), "{error}");
        let mut plies = forged(1, &[9 << 1]);
        plies[12] = 16;
        let end = plies.len() - HASH;
        let hash = *blake3::hash(&plies[..end]).as_bytes();
        plies[end..].copy_from_slice(&hash);
        assert!(matches!(Opening::read(&plies[..]), Err(OpeningError::Header(_))));
    }

    #[test]
    fn a_ply_is_one_frame() {
        let one = zstd::compress(&[9 << 1], LEVEL).unwrap();
        assert!(Opening::read(&forged_of(1, &one)[..]).is_ok());
        let empty = zstd::compress(&[], LEVEL).unwrap();
        // A frame that zstd skips, of no bytes.
        let skipped = [0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0];
        for parts in [[&one[..], b"x"], [&one, &empty], [&one, &skipped], [&skipped, &one]] {
            let error = Opening::read(&forged_of(1, &parts.concat())[..]).unwrap_err();
            assert!(matches!(error, OpeningError::Io(_)), "{error}");
            assert!(error.to_string().contains("zstd frame, found"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn junk_is_refused(mut junk in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Opening::read(junk.as_slice()).is_err());
            junk.splice(0..0, MAGIC.iter().copied().chain([VERSION, 4, 4]));
            prop_assert!(Opening::read(junk.as_slice()).is_err());
        }
    }
}
