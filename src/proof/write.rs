//! Writing a certificate, frame by frame.

use std::io::{self, Write};

use super::{Claim, LARGE_HEADER, LARGE_VERSION, LARGEST_LEAF, MAGIC, VERSION, WALLS_VERSION};
use crate::game::code::Code;
use crate::game::rules::{Bitboards, Colour};
use crate::machine::framed::{FramedWriter, MOST_ITEMS};
use crate::machine::varint;

/// How hard zstd tries.
const LEVEL: i32 = 9;

/// Writes a certificate to `out`.
#[derive(Debug)]
pub struct Writer<W: Write> {
    frames: FramedWriter<W>,
    positions: u64,
    /// The last position, with its arrows.
    last: Option<(u8, Code)>,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// If `out` does not take it, or the leaves have more than [`LARGEST_LEAF`] squares.
    pub fn new(out: W, claim: &Claim) -> io::Result<Self> {
        if claim.leaf > LARGEST_LEAF {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let (board, black) = (claim.board(), claim.position.turn() == Colour::Black);
        let sizes = [board.columns() as u8, board.rows() as u8];
        let small: Option<Bitboards> = claim.position.bitboards();
        let version = match (&small, claim.walls) {
            (None, _) => LARGE_VERSION,
            (_, true) => WALLS_VERSION,
            (_, false) => VERSION,
        };
        let mut header = Vec::with_capacity(LARGE_HEADER);
        header.extend(MAGIC);
        header.extend([
            version,
            sizes[0],
            sizes[1],
            u8::from(black),
            u8::from(claim.outcome.is_win()),
            claim.leaf,
        ]);
        match small {
            Some(start) => header.extend(start.to_bytes()),
            None => {
                let start = claim.position.bitboards::<u128>();
                let start = start.ok_or(io::ErrorKind::InvalidInput)?;
                header.push(claim.walls.into());
                header.extend(start.to_wide_bytes());
            }
        }
        Ok(Self { frames: FramedWriter::begin(out, &header, LEVEL)?, positions: 0, last: None })
    }

    /// Writes all positions with `arrows` burned squares, sorted by code, each with the number of
    /// its move.
    ///
    /// # Errors
    /// If `out` does not take them; [`io::ErrorKind::InvalidInput`] if they are not sorted, one is
    /// there twice, or the tier before had more arrows, or this one more than 255.
    pub fn tier(&mut self, arrows: usize, positions: &[(Code, u32)]) -> io::Result<()> {
        let invalid = || io::Error::from(io::ErrorKind::InvalidInput);
        let arrows = u8::try_from(arrows).map_err(|_| invalid())?;
        for &(code, _) in positions {
            let here = (arrows, code);
            if self.last.is_some_and(|last| here <= last) {
                return Err(invalid());
            }
            self.last = Some(here);
        }
        for frame in positions.chunks(MOST_ITEMS) {
            self.frame(arrows, frame)?;
        }
        Ok(())
    }

    fn frame(&mut self, arrows: u8, positions: &[(Code, u32)]) -> io::Result<()> {
        let (mut bytes, mut before) = (Vec::new(), 0);
        for &(code, played) in positions {
            varint::push(&mut bytes, code.0 - before);
            varint::push(&mut bytes, u128::from(played));
            before = code.0;
        }
        self.positions += positions.len() as u64;
        self.frames.frame(&[arrows], positions.len(), &bytes)
    }

    /// Writes the end and returns how many positions there are.
    ///
    /// # Errors
    /// If `out` does not take it.
    pub fn finish(self) -> io::Result<u64> {
        self.frames.end()?;
        Ok(self.positions)
    }
}
