//! Parts of positions: regions, bounds on what walls are worth, and combinatorial values.

pub mod region;
pub mod values;
