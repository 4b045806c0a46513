//! Backward solving: every position of a board, from the fullest boards down.
//!
//! Every move burns one square, so positions with k arrows depend only on those with k + 1: a tier
//! is solved from the finished tier below it, arrow set by arrow set, with nothing to iterate.
//! Inside a tier all arrow sets are independent. See [`kernel`] for one arrow set, and [`build()`]
//! for all of them.

pub(super) mod accelerator;
pub(super) mod by_ranks;
pub(super) mod chunk;
pub(super) mod error;
#[cfg(feature = "gpu")]
pub mod gpu;
pub(super) mod in_order;
pub mod kernel;
pub(super) mod lines;
pub(super) mod margins;
pub(super) mod memory;
pub(super) mod options;
pub(super) mod pack;
pub(super) mod permute;
pub(super) mod plan;
pub(super) mod planes;
pub(super) mod reorder;
pub(super) mod run;
pub(super) mod slabs;
pub(super) mod solvers;
pub(super) mod space;
pub(super) mod store;
#[cfg(test)]
pub(super) mod tests;
pub(super) mod tier;
pub(super) mod tier_plan;
#[cfg(feature = "gpu")]
pub(super) mod unwritten;

pub use crate::machine::isa::InstructionSet;
pub use error::BuildError;
pub use margins::{BuiltMargins, build_margins, build_margins_on, check_margins};
pub use options::{AfterTier, AfterTierFn, BuildJob, BuildOptions, Built, Objection};
pub use pack::SLACK;
pub use plan::{Disk, Plan};
pub use run::{build, build_on, check_possible};
pub use tier_plan::TierPlan;
