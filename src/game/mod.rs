//! What the game is: boards, rules, notation, and the naive solver that judges everything fast.

mod any_position;
#[cfg(feature = "serde")]
mod as_text;
pub mod board;
pub mod code;
pub(crate) mod excerpt;
pub(crate) mod ground;
pub mod margin;
#[cfg(any(test, feature = "internals"))]
pub mod naive;
#[cfg(any(test, feature = "internals"))]
pub mod naive_margins;
pub mod notation;
pub mod perft;
pub mod rules;
mod spare_territory;
mod threshold_range;
pub mod tree;
pub mod variants;

pub use any_position::{AnyPosition, Perft, PlayTextError, ReadError};
pub use board::square::{Square, SquareError};
pub use ground::GroundTooLarge;
pub use margin::Threshold;
pub use notation::packed::PackedError;
pub use rules::moves::{Move, MoveError};
pub use rules::outcome::{Outcome, OutcomeError};
pub use rules::position::{PlayError, Position};
pub use threshold_range::ThresholdRange;
