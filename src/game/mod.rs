//! What the game is: boards, rules, notation, and the naive solver that judges everything fast.

pub mod board;
pub mod code;
pub mod naive;
pub mod notation;
mod outcome;
pub mod rules;

pub use outcome::{Outcome, OutcomeError};
