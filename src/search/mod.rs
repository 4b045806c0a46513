//! Proof search: who wins a position, without looking at all of it.

mod busy;
mod canonical;
mod dfpn;
mod evaluation;
mod fill;
mod ground;
mod key;
mod memory;
mod monitor;
mod numbers;
mod oracle;
mod reduction;
mod solver;
mod table;
mod territory;

pub use ground::Ground;
pub use monitor::{Glimpse, Monitor};
pub use numbers::Numbers;
pub use oracle::Oracle;
pub use solver::{Settings, Solver, SolverError};

#[cfg(test)]
mod tests;
