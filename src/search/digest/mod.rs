//! Digests: of a checkpoint what was costliest to find, in a file small enough to keep.
//!
//! ```text
//! header     magic "AMZDIGST" | version u32 | columns u8 | rows u8 | zero u16
//!            | mover, opponent, arrows: u64 each | nodes u64 | positions u64
//! frame*     'F' | effort u8 | spare i8 | won i8 | lost i8 | positions u32 | bytes u32
//!            | zstd of the frame's positions
//! end        'E' | BLAKE3 of all bytes before the 'E', 32 bytes
//! ```
//!
//! In version 2 mover, opponent and arrows are u128 each, and the board has more than 64 squares.
//!
//! All integers are little-endian. The position of the header is the one that was searched, `nodes`
//! the number of positions that the search had evaluated. A frame holds positions of which the same
//! is known: with a net integer of `won` or more their mover wins, with `lost` or less it loses (63
//! and -64: nothing is known). If `spare` is not 127, it lies between the two, and each position
//! has the proof and the disproof number that the search had for it with that net integer; without
//! them a search that goes on would have to find out again where to look first.
//!
//! The bytes of a frame are variable-length integers (seven bits a byte, low first, high bit =
//! more): first the codes ([`Coder`](crate::game::code::Coder)), each as the difference to the one
//! before (the first: to 0), increasing; then the proof numbers, then the disproof numbers.
//! Frames go from the largest effort to the smallest, then by `spare`, `won` and `lost`. Frames of
//! which all these are the same follow each other, with increasing codes. No frame is empty.
//! `machine::framed` reads and writes the frames, whatever is in them.
//!
//! *What it is worth.* A digest is a list of claims: whole positions, no hashes, but only as
//! trustworthy as the search that they come from. A search that takes them up believes them, as it
//! believes a checkpoint. A certificate does not rest on them: its writer follows every move of the
//! winner down to leaves, and its checker knows neither of the two files.
//!
//! *Why effort.* It is the logarithm of the number of positions evaluated below an entry, so of
//! what the search saves that finds the entry again. Solved positions alone are not enough: most of
//! what decides where a search goes on is in the numbers of the few thousand open positions of the
//! largest effort (`docs/search.md` has the figures).

mod read;
mod write;

use std::cmp::Reverse;
use std::io;

use super::checkpoint::format::CheckpointError;
use super::solver::SolverError;
use super::sum::reduction::Bounds;
use crate::game::board::{Board, OtherBoard};
use crate::game::rules::Bitboards;
use crate::machine::framed::{END_BYTES, FramedError};

pub use read::{Frame, Reader};
pub use write::{write_digest, writing_bytes};

/// The first bytes of every digest.
pub(crate) const MAGIC: &[u8; 8] = b"AMZDIGST";
/// Raised when a stored number would mean something else.
const VERSION: u32 = 1;
/// The version of digests about boards of more than 64 squares.
const LARGE_VERSION: u32 = 2;
const HEADER: usize = 8 + 8 + 24 + 16;
/// Bytes of a header of a board of more than 64 squares.
const LARGE_HEADER: usize = HEADER + 24;
/// Bytes of a digest without positions.
const SMALLEST: u64 = (HEADER + END_BYTES) as u64;
/// Most bytes of a position of a frame before compression: a code takes at most 19, each of its two
/// numbers at most 3.
const POSITION_BYTES: usize = 25;
/// Bytes of memory to read a digest: a frame, as it stands in the file and as it is taken up.
pub const READING_BYTES: u64 = 8 << 20;
/// Stands for the net integer of frames without numbers.
const NO_SPARE: i8 = i8::MAX;
/// The most that an entry of the table can have.
const MOST_EFFORT: u8 = 63;

/// What a digest says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Digest {
    /// The board.
    pub board: Board,
    /// The position that was searched, without colours.
    pub position: Bitboards<u128>,
    /// Positions that the search had evaluated.
    pub nodes: u64,
    /// Positions that it has.
    pub positions: u64,
    /// Those with a value that is known for some net integers.
    pub solved: u64,
    /// Those with numbers, which are open with some net integer.
    pub open: u64,
    /// The least effort: the binary logarithm of the number of positions evaluated below one.
    pub least_effort: u8,
}

/// Why a digest was not written or not taken up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DigestError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The checkpoint cannot be read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// There is no memory for it.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The search was stopped, or its deadline came, before all of it was taken up.
    #[error("the search was over before all of the digest was read")]
    Stopped,
    /// Somebody asked to stop before the digest was written.
    #[error("interrupted: nothing is written")]
    Interrupted,
    /// No digest is as small as that.
    #[error("a digest needs at least {SMALLEST} bytes, not {0}")]
    TooSmall(u64),
    /// It does not begin as digests do.
    #[error("is not a digest: found {0}")]
    Foreign(&'static str),
    /// It is one of another version.
    #[error("unsupported version of a digest: expected {VERSION} or {LARGE_VERSION}, found {0}")]
    Version(u32),
    /// It is one of another board.
    #[error(transparent)]
    OtherBoard(#[from] OtherBoard),
    /// Something in it cannot be.
    #[error("is damaged at byte {at}: {what}")]
    Damaged {
        /// Offset in the file.
        at: u64,
        /// What was found.
        what: &'static str,
    },
    /// It claims what the bounds of the search refute, of this position, whose mover is written as
    /// White.
    #[error("claims what is not so of {0}, the side to move written as White")]
    Untrue(String),
}

impl From<FramedError> for DigestError {
    fn from(error: FramedError) -> Self {
        match error {
            FramedError::Io(error) => Self::Io(error),
            FramedError::Short => Self::Foreign("a shorter file"),
            FramedError::Damaged { at, what } => Self::Damaged { at, what },
        }
    }
}

/// What is the same for all positions of a frame. Ordered as frames are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    /// The logarithm of the number of positions evaluated below each.
    pub effort: Reverse<u8>,
    /// The net integer that the numbers are for; 127 if there are none.
    pub spare: i8,
    /// The least net integer with which the mover wins; 63 if none is known.
    pub won: i8,
    /// The largest net integer with which the mover loses; -64 if none is known.
    pub lost: i8,
}

impl Group {
    fn bounds(&self) -> Bounds {
        Bounds { won: self.won, lost: self.lost }
    }

    fn has_numbers(&self) -> bool {
        self.spare != NO_SPARE
    }

    /// Whether entries of the table can be like this.
    fn is_possible(&self) -> bool {
        let in_range = |number: i8| (Bounds::NONE.lost..=Bounds::NONE.won).contains(&number);
        let knows = if self.has_numbers() {
            in_range(self.spare) && self.bounds().verdict(self.spare).is_none()
        } else {
            self.bounds() != Bounds::NONE
        };
        self.effort.0 <= MOST_EFFORT
            && in_range(self.won)
            && in_range(self.lost)
            && self.lost < self.won
            && knows
    }
}

#[cfg(test)]
mod tests;
