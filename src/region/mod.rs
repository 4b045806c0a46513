//! Local positions: the parts of a board that no move connects, and what can be said about each.

mod local;
mod territory;

pub use local::{Cell, LocalMove, LocalPosition, Player};
pub use territory::Territories;
