//! The file of an opening table.
//!
//! ```text
//! header   magic "AMZOPENS" | version u8 | columns u8 | rows u8 | turn u8 | plies u8 | 3 bytes of zero
//!          | mover, opponent, arrows of the start: u64 each
//! ply*     positions u64 | bytes u64 | zstd of the ply's positions
//! end      BLAKE3 of all bytes before it
//! ```
//!
//! All integers are little-endian; `plies` counts the plies in the file, the start among them. A
//! ply's positions are variable-length integers (seven bits a byte, low first, high bit = more),
//! one a position in increasing order of the codes: the difference to the code before (the first:
//! to 0), twice, plus 1 if the side to move wins.

use std::io::{self, Read, Write};

use super::{MAX_SQUARES, Opening, Ply};
use crate::game::Outcome;
use crate::game::board::{Bitboard, Board};
use crate::game::code::Coder;
use crate::game::rules::{Bitboards, Colour, Position, Rules};
use crate::machine::{varint, zstd};

/// The first bytes of every opening table.
pub const MAGIC: &[u8; 8] = b"AMZOPENS";
const VERSION: u8 = 1;
const HEADER: usize = 16 + 24;
const HASH: usize = 32;
/// How hard zstd tries.
const LEVEL: i32 = 19;
/// Bits of a position: those of a code, and whether it is a win.
const ENTRY_BITS: u32 = 65;
/// Most bytes of a position: seven bits a byte.
const ENTRY_BYTES: u64 = ENTRY_BITS.div_ceil(7) as u64;

/// Why a file is not an opening table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It does not begin as opening tables do.
    #[error("is not an opening table of version {VERSION}: found {0}")]
    Foreign(String),
    /// Its header names no position.
    #[error("the header holds no legal position: {0}")]
    Header(String),
    /// Something in it cannot be.
    #[error("is damaged: {0}")]
    Damaged(&'static str),
}

impl Opening {
    /// Writes the file.
    ///
    /// # Errors
    /// If `out` does not take it.
    pub fn write(&self, out: &mut impl Write) -> io::Result<u64> {
        let start: Bitboards = self.start.bitboards().ok_or(io::ErrorKind::InvalidInput)?;
        let (board, black) = (self.board(), self.start.turn() == Colour::Black);
        let mut bytes = MAGIC.to_vec();
        let sizes = [board.columns() as u8, board.rows() as u8];
        bytes.extend([
            VERSION,
            sizes[0],
            sizes[1],
            u8::from(black),
            self.plies.len() as u8,
            0,
            0,
            0,
        ]);
        for set in [start.mover, start.opponent, start.arrows] {
            bytes.extend(set.word().to_le_bytes());
        }
        for ply in &self.plies {
            let packed = zstd::compress(&encode(ply), LEVEL)?;
            bytes.extend((ply.len() as u64).to_le_bytes());
            bytes.extend((packed.len() as u64).to_le_bytes());
            bytes.extend(packed);
        }
        bytes.extend(blake3::hash(&bytes).as_bytes());
        out.write_all(&bytes)?;
        out.flush()?;
        Ok(bytes.len() as u64)
    }

    /// Reads a file; no length or count in it is trusted.
    ///
    /// # Errors
    /// [`OpeningError`] if the bytes are not what [`Opening::write`] makes.
    pub fn read(mut input: impl Read) -> Result<Self, OpeningError> {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes)?;
        if bytes.len() < HEADER + HASH {
            return Err(OpeningError::Foreign("a shorter file".into()));
        }
        if &bytes[..8] != MAGIC {
            return Err(OpeningError::Foreign("other first bytes".into()));
        }
        if bytes[8] != VERSION {
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
        let (mut plies, mut rest) = (Vec::new(), &body[HEADER..]);
        for _ in 0..body[12] {
            plies.push(ply(&mut rest).ok_or(OpeningError::Damaged("a ply that cannot be"))?);
        }
        if plies.is_empty() || !rest.is_empty() {
            return Err(OpeningError::Damaged("no ply, or bytes after the last one"));
        }
        Ok(Self { start, rules, coder: Coder::new(start.board()), plies })
    }
}

fn start(header: &[u8]) -> Result<Position, OpeningError> {
    let [columns, rows, turn] = [9, 10, 11].map(|at| header[at]);
    let bad = |reason: String| OpeningError::Header(reason);
    let board = Board::new(columns.into(), rows.into()).map_err(|error| bad(error.to_string()))?;
    if board.squares() > MAX_SQUARES || turn > 1 {
        return Err(bad("an impossible board or turn".into()));
    }
    let set = |at: usize| -> Bitboard { Bitboard::from_word(word(&header[at..]).unwrap_or(0)) };
    let position = Bitboards { mover: set(16), opponent: set(24), arrows: set(32) };
    let turn = if turn == 1 { Colour::Black } else { Colour::White };
    Position::new(board, &position, turn).map_err(|error| bad(error.to_string()))
}

fn word(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk().map(|&bytes| u64::from_le_bytes(bytes))
}

fn encode(ply: &Ply) -> Vec<u8> {
    let (mut bytes, mut before) = (Vec::new(), 0);
    for (code, outcome) in ply.entries() {
        let number = (code.0 - before) << 1 | u128::from(outcome.is_win());
        varint::push(&mut bytes, number);
        before = code.0;
    }
    bytes
}

/// Takes one ply off the bytes; `None` if it is not what [`encode`] makes.
fn ply(rest: &mut &[u8]) -> Option<Ply> {
    let (count, length) = (word(rest)?, word(rest.get(8..)?)?);
    let packed = rest.get(16..)?.get(..usize::try_from(length).ok()?)?;
    *rest = &rest[16 + packed.len()..];
    // Whatever the count says, no more is allocated than 4096 bytes for each that is there.
    let most = usize::try_from(count.checked_mul(ENTRY_BYTES)?)
        .ok()?
        .min(packed.len().saturating_mul(1 << 12));
    let bytes = zstd::decompress(packed, most).ok()?;
    decode(&bytes, count)
}

fn decode(mut bytes: &[u8], count: u64) -> Option<Ply> {
    let (mut ply, mut code) = (Ply::default(), 0u128);
    while !bytes.is_empty() {
        let number = varint::take(&mut bytes, ENTRY_BITS)?;
        if number >> 1 == 0 && !ply.is_empty() {
            return None;
        }
        code += number >> 1;
        ply.codes.push(u64::try_from(code).ok()?);
        ply.outcomes.push(Outcome::win_if(number & 1 == 1));
    }
    (ply.len() as u64 == count).then_some(ply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plies_survive_the_way_through_bytes() {
        let wide = Ply {
            codes: vec![0, 1, 129, 1 << 40, u64::MAX >> 1, u64::MAX],
            outcomes: [true, false, true, true, false, true].map(Outcome::win_if).to_vec(),
        };
        let bytes = encode(&wide);
        assert_eq!(decode(&bytes, 6), Some(wide));
        assert_eq!(decode(&bytes, 5), None);
        assert_eq!(decode(&[3, 0], 2), None, "a code twice");
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
