//! What the game is: boards, rules, notation, and the naive solver that judges everything fast.

#[cfg(feature = "serde")]
mod as_text;
pub mod board;
pub mod code;
mod moves;
#[cfg(any(test, feature = "internals"))]
pub mod naive;
pub mod notation;
mod outcome;
mod packed;
mod position;
pub mod rules;
mod square;
pub mod variants;

pub use moves::{Move, MoveError};
pub use outcome::{Outcome, OutcomeError};
pub use packed::PackedError;
pub use position::{PlayError, Position};
pub use square::{Square, SquareError};
