//! Parts of positions: regions, bounds on what walls are worth, combinatorial values, and hard
//! instances.

pub mod instances;
pub mod region;
pub mod values;
