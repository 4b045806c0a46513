//! Parts of positions: regions, bounds on what walls are worth, combinatorial values, and hard
//! instances.

pub mod instances;
pub(crate) mod limit;
pub mod region;
mod stage;
pub mod values;
