//! Proof search: who wins a position, without looking at all of it.

mod board_data;
mod buckets;
mod canonical;
mod checkpoint;
mod common;
mod dfpn;
mod evaluation;
mod expansion;
mod key;
mod killers;
mod line;
mod longest_plays;
mod monitor;
mod numbers;
mod oracle;
mod reduction;
mod searcher;
mod solver;
mod strategy;
mod survey;
mod table;
mod watch;

pub use board_data::BoardData;
pub use checkpoint::CheckpointError;
pub use line::Follower;
pub use monitor::{Monitor, Snapshot};
pub use numbers::Numbers;
pub use oracle::Oracle;
pub use solver::{Settings, Solver, SolverError};
pub use strategy::{StrategyError, write_certificate};
pub use survey::{Survey, Wanted};

#[cfg(test)]
mod tests;
