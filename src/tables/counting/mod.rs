//! Exact counts: binomials, ranks of subsets, positions and their orbits under the board's
//! symmetries.
//!
//! Nothing here enumerates an index or reads a table, so these figures can be held against both: a
//! tier must hold exactly as many positions as [`TierCount::positions`] says, and as many canonical
//! arrow sets as Burnside's lemma gives ([`TierCount::canonical_sets`]).

mod binomial;
pub mod colex;
mod mask;
mod orbits;
mod tier;

pub use binomial::{binomial, small_binomial};
pub use mask::Mask;
pub use orbits::{subset_orbits, triple_orbits};
pub use tier::TierCount;
