//! Hard instances: positions that encode problems which nobody knows how to solve fast.
//!
//! [`HamiltonInstance`] makes of a [`SubgridGraph`] a territory of one amazon whose longest play
//! has a stated length exactly if the graph has a Hamilton circuit. That is the idea of M. Buro,
//! *Simple Amazons endgames and their connection to Hamilton circuits in cubic subgrid graphs*,
//! 2000; the gadgets are this project's own. `docs/instances.md` has the proof.

mod hamilton;
mod lone_territory;
mod subgrid_graph;

pub use hamilton::{HamiltonInstance, NoCircuit};
pub use lone_territory::{LoneTerritory, LongestPlay, NoLongestPlay};
pub use subgrid_graph::{GraphError, SubgridGraph, Vertex};
