//! Writing a certificate, frame by frame.

use std::io::{self, Write};

use super::{Claim, END, FRAME, FRAME_POSITIONS, LARGEST_LEAF, MAGIC, VERSION, WALLS_VERSION};
use crate::game::code::Code;
use crate::game::rules::{Bitboards, Colour};
use crate::machine::{varint, zstd};

/// How hard zstd tries.
const LEVEL: i32 = 9;

/// Writes a certificate to `out`.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    hash: blake3::Hasher,
    positions: u64,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// If `out` does not take it, the board has more than 64 squares, or the leaves more than
    /// [`LARGEST_LEAF`].
    pub fn new(out: W, claim: &Claim) -> io::Result<Self> {
        let start: Bitboards = claim.start().ok_or(io::ErrorKind::InvalidInput)?;
        if claim.leaf > LARGEST_LEAF {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let mut writer = Self { out, hash: blake3::Hasher::new(), positions: 0 };
        let (board, black) = (claim.board(), claim.position.turn() == Colour::Black);
        writer.put(MAGIC)?;
        let sizes = [board.columns() as u8, board.rows() as u8];
        let version = if claim.walls { WALLS_VERSION } else { VERSION };
        writer.put(&[
            version,
            sizes[0],
            sizes[1],
            u8::from(black),
            u8::from(claim.outcome.is_win()),
            claim.leaf,
        ])?;
        for set in [start.mover, start.opponent, start.arrows] {
            writer.put(&set.word().to_le_bytes())?;
        }
        Ok(writer)
    }

    /// Writes all positions with `arrows` burned squares, sorted by code, each with the number of
    /// its move.
    ///
    /// # Errors
    /// If `out` does not take them.
    pub fn tier(&mut self, arrows: usize, positions: &[(Code, u32)]) -> io::Result<()> {
        for frame in positions.chunks(FRAME_POSITIONS) {
            self.frame(arrows, frame)?;
        }
        Ok(())
    }

    fn frame(&mut self, arrows: usize, positions: &[(Code, u32)]) -> io::Result<()> {
        let (mut bytes, mut before) = (Vec::new(), 0);
        for &(code, played) in positions {
            varint::push(&mut bytes, code.0 - before);
            varint::push(&mut bytes, u128::from(played));
            before = code.0;
        }
        let packed = zstd::compress(&bytes, LEVEL)?;
        self.put(&[FRAME, arrows as u8])?;
        self.put(&(positions.len() as u32).to_le_bytes())?;
        self.put(&(packed.len() as u32).to_le_bytes())?;
        self.positions += positions.len() as u64;
        self.put(&packed)
    }

    /// Writes the end and returns how many positions there are.
    ///
    /// # Errors
    /// If `out` does not take it.
    pub fn finish(mut self) -> io::Result<u64> {
        let hash = self.hash.finalize();
        self.out.write_all(&[END])?;
        self.out.write_all(hash.as_bytes())?;
        self.out.flush()?;
        Ok(self.positions)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.out.write_all(bytes)
    }
}
