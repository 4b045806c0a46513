//! Local positions: the parts of a board that no move connects, and what can be said about each.

mod local;
mod placed;
mod territory;

pub use local::{Cell, LocalGame, LocalMove, Player};
pub use placed::{PartTooLarge, Placed};
pub use territory::Territories;
