//! How large the tree of a game is: what it has in each ply, exactly where that fits memory, and
//! estimated from random games where it does not.

mod estimate;
mod images;
mod layers;
mod ply;

pub use estimate::{Estimate, Estimates, PlyEstimate, Sample, estimate};
pub use layers::{GameTree, NoTree, TreeEnd, game_tree};
pub use ply::Ply;
