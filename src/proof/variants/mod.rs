//! Certificates of the other games of the family ([`crate::game::variants`]): version 5.
//!
//! ```text
//! header     magic "AMZPROOF" | version u8 = 5 | columns u8 | rows u8
//!            | step u8 | origin u8 | shot u8 | turns listed u8 | moves of a turn: 8 * u8
//!            | turn u8 | claim u8 | leaf u8
//!            | the position: squares u128 | walls u128 | moved u64 | number of its turn u8
//!            | moves made in it u8
//! frame*     'F' | positions u32 | bytes u32 | zstd of the frame's positions
//! end        'E' | BLAKE3 of all bytes before the 'E', 32 bytes
//! ```
//!
//! All integers are little-endian. A position is listed with a move, which says that its side to
//! move wins, or without one, which says that it loses. It is spelled out as a [`VariantCode`], the
//! least one among its images, in variable-length integers: the squares less those of the position
//! before it in the frame, the walls if the game builds any, and where turns have several moves the
//! squares of the amazons that have moved, the number of the turn and the moves made in it; then 0,
//! or 1 more than the number of the move in the order of [`VariantRules::moves`]. Codes increase
//! through the whole file.
//!
//! What makes it a proof is in [`mod@check`].
//!
//! [`VariantRules::moves`]: crate::game::variants::VariantRules::moves

pub mod check;
mod leaf;
mod read;
mod room;
mod write;

pub use read::{VariantReader, is_of_variant};
pub use write::write;

use crate::game::Outcome;
use crate::game::rules::Colour;
use crate::game::variants::{Origin, RuleSet, Shot, Step, VariantCode, VariantPosition};
pub(crate) use room::room;

/// What is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantClaim {
    /// The position, with its rules.
    pub position: VariantPosition,
    /// What its side to move reaches.
    pub outcome: Outcome,
    /// Positions with at most this much room are not listed: plain negamax judges them.
    pub leaf: u8,
}

impl VariantClaim {
    /// Who wins.
    pub fn winner(&self) -> Colour {
        self.outcome.winner(self.position.turn())
    }
}

/// A position of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The position.
    pub code: VariantCode,
    /// The number of the move that wins, `None` if the side to move loses.
    pub played: Option<u32>,
}

/// The largest room of a leaf. Negamax judges those of games in milliseconds; the hardest that can
/// be made, where a turn has dozens of moves, take far longer.
pub const LARGEST_LEAF: u8 = 6;

const MAGIC: &[u8; 8] = super::MAGIC;
pub(crate) const VERSION: u8 = 5;
const HEADER: usize = 8 + 3 + 12 + 3 + 42;
/// Most bytes of a listed position: the integers have at most 128, 128, 64, 8, 8 and 33 bits.
const LISTED_BYTES: usize = 19 + 19 + 10 + 2 + 2 + 5;

const STEPS: [Step; 4] = [Step::Queen, Step::Capturing, Step::Knight, Step::Neighbour];
const ORIGINS: [Origin; 2] = [Origin::Empty, Origin::Burns];
const SHOTS: [Shot; 3] = [Shot::Queen, Shot::Knight, Shot::Wall];

/// Which parts of a code a file of this game spells out: the walls, and how far the turn is.
fn parts(rules: RuleSet) -> (bool, bool) {
    (!rules.burns(), !rules.turns.is_single())
}
