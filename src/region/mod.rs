//! Local positions: the parts of a board that no move connects, and what can be said about each.

pub mod blocker;
pub mod component;
mod local;
mod placed;
mod territory;

pub use local::{Cell, LocalGame, LocalMove, Player};
pub use placed::{PartTooLarge, Placed};
pub use territory::Territories;
