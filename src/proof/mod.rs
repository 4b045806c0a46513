//! The file of a proof: a complete strategy for the winner, readable without any search code.
//!
//! ```text
//! header     magic "AMZPROOF" | version u8 | columns u8 | rows u8 | turn u8 | claim u8 | leaf u8
//!            | mover, opponent, arrows: u64 each
//! frame*     'F' | arrows u8 | positions u32 | bytes u32 | zstd of the frame's positions
//! end        'E' | BLAKE3 of all bytes before the 'E', 32 bytes
//! ```
//!
//! All integers are little-endian. A frame holds positions with the winner to move and equally many
//! burned squares, each as two variable-length integers (seven bits a byte, low first, high bit =
//! more): the difference of its code to the one before (the first: to 0), and the number of the
//! move to play in the order of [`Rules::moves`](crate::game::rules::Rules::moves). The code has
//! two bits a square, square 0 lowest: 0 empty, 1 mover, 2 opponent, 3 burned; it is the smallest
//! among the position's images under the symmetries of the board, and codes increase through all
//! frames of the same number of arrows. Frames are ordered by arrows, and no frame is empty.
//!
//! Version 1 is spelled out down to the leaves; version 4 is the same without the positions that
//! the wall rule ([`WallRule`]) decides, at once or after a move. Version 3 was written when the
//! rule decided less. It is read as version 4 is: what the rule decided then it decides now, so
//! such a file lists all that it has to, and more. No file ever had version 2.
//!
//! Version 5 has another header and list: it is of another game, see [`variants`].
//!
//! Version 6 is of a board of more than 64 squares. Its header goes on after `leaf` with
//!
//! ```text
//!            | walls u8 | mover, opponent, arrows: u128 each
//! ```
//!
//! where `walls` is 1 if the wall rule is used, else 0. Such a file is about the ground of its
//! position alone ([`Coder`](crate::game::code::Coder)): at most 64 squares, in the order of their
//! numbers, have two bits each, all others count as burned, and a code stands for no other position
//! than its own.
//!
//! `machine::framed` reads and writes the frames, whatever is in them.
//!
//! What a certificate must hold is in [`crate::proof::check`]: every position that the winner can
//! come to, up to those with at most `leaf` empty squares, which negamax judges.

pub mod check;
mod claimed_ground;
mod codes;
pub mod leaf;
mod lookup;
pub mod merge;
mod next_tier;
mod no_certificate;
mod obligations;
mod packed;
mod part;
#[cfg(test)]
mod plain;
mod read;
mod steps;
pub mod variants;
mod wall_rule;
mod write;

pub use codes::{Codes, CodesBuilder};
pub use lookup::{
    CertificateAnswer, CertificateLookupError, CertificateStrategy, StrategyBasis, look_up,
};
pub(crate) use next_tier::{NextTier, TooManyCodes};
pub use no_certificate::NoCertificate;
pub(crate) use obligations::Obligations;
pub use packed::PackedCertificate;
pub use part::{Part, PartError};
pub use read::{CertificateError, Frame, Reader};
pub use wall_rule::WallRule;
pub use write::Writer;

use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::{Colour, Position};

/// What a certificate claims, and of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The position, with colours.
    pub position: Position,
    /// What its side to move reaches.
    pub outcome: Outcome,
    /// Positions with at most this many empty squares are not listed: negamax judges them, with the
    /// wall rule where `walls` says so.
    pub leaf: u8,
    /// Positions that the wall rule decides ([`WallRule`]) are not listed either.
    pub walls: bool,
}

impl Claim {
    /// The board.
    pub fn board(&self) -> Board {
        self.position.board()
    }

    /// Who wins.
    pub fn winner(&self) -> Colour {
        self.outcome.winner(self.position.turn())
    }
}

/// The number of empty squares up to which positions are left to negamax, where nobody says
/// otherwise: with the wall rule, which helps negamax too, or without.
pub fn default_leaf(walls: bool) -> u8 {
    if walls { 11 } else { 9 }
}

/// The most empty squares of a leaf, so that no header can ask a checker for what cannot be done:
/// negamax without the wall rule needs seconds for a hard position of 12 squares, minutes for one
/// of a few more.
pub const LARGEST_LEAF: u8 = 12;

/// The first bytes of every certificate.
pub(crate) const MAGIC: &[u8; 8] = b"AMZPROOF";
/// Of files that spell out everything down to the leaves.
const VERSION: u8 = 1;
/// Of files that leave positions to the wall rule.
const WALLS_VERSION: u8 = 4;
/// Of files that left to the wall rule what it decided at first, which is a part of what it decides
/// now. They are read, and no longer written.
const FIRST_WALLS_VERSION: u8 = 3;
/// Of files about boards of more than 64 squares.
const LARGE_VERSION: u8 = 6;
const HEADER: usize = 8 + 6 + 24;
/// Where the header goes on after `leaf`.
const AFTER_LEAF: usize = 8 + 6;
/// Bytes of the header of a file about a larger board.
const LARGE_HEADER: usize = AFTER_LEAF + 1 + 48;
/// Most bytes of a position of a frame before compression: a code takes at most 19, a move at most
/// 3.
const POSITION_BYTES: usize = 22;
