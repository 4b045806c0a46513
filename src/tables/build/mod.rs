//! Backward solving: every position of a board, from the fullest boards down.
//!
//! Every move burns one square, so positions with k arrows depend only on those with k + 1: a tier
//! is solved from the finished tier below it, arrow set by arrow set, with nothing to iterate.
//! Inside a tier all arrow sets are independent. See [`kernel`] for one arrow set, and [`build()`]
//! for all of them.

mod accelerator;
mod chunk;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod kernel;
mod lines;
mod memory;
mod pack;
mod permute;
mod plan;
mod reorder;
mod run;
mod slabs;
mod space;
mod store;
#[cfg(test)]
mod tests;
mod tier;
mod together;
#[cfg(feature = "gpu")]
mod unwritten;

pub use crate::machine::isa::InstructionSet;
pub use pack::SLACK;
pub use plan::{Disk, Plan, TierPlan};
pub use run::{
    AfterTier, AfterTierFn, BuildError, BuildOptions, Built, Objection, build, build_on,
    check_possible,
};
