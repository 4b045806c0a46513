//! Finding proofs under any rules of the family of [`crate::game::variants`].
//!
//! Depth-first proof-number search (Nagai's df-pn) over whole positions. What the search of Amazons
//! itself knows of the game does not hold for all of the family; `docs/variants.md` says of each
//! bound where it would. Counts of moves by components are used where they hold. That a turn of
//! several moves cannot be completed is seen beforehand. A side that is still to move after its
//! move makes a node whose child is of the same kind; the numbers are then not exchanged.
//!
//! Positions that are images of each other under the symmetries of the board count as one. Whole
//! positions are compared, so no verdict rests on a hash.

mod bounds;
mod near;
mod sight;
mod solver;
mod spent;
mod strategy;
mod survey;
mod table;
mod turns;

pub use bounds::MovesLeft;
pub use sight::Sight;
pub use solver::{VariantSolver, VariantSolverError};
pub use strategy::VariantStrategyError;
pub use survey::VariantSurvey;
