//! Proof search: who wins a position, without looking at all of it.

mod board_data;
mod buckets;
mod canonical;
mod checkpoint;
mod checkpoint_summary;
mod common;
mod dfpn;
pub mod digest;
mod evaluation;
mod expansion;
mod history;
mod job_level;
mod key;
mod killers;
mod line;
mod longest_plays;
mod monitor;
mod noted;
mod numbers;
mod oracle;
mod reduction;
mod saved;
mod searcher;
mod simulation;
mod sketch;
mod solver;
mod standing;
mod strategy;
mod survey;
mod table;
mod together;
mod turns;
pub mod variants;
mod watch;

pub use board_data::BoardData;
#[cfg(feature = "cli")]
pub(crate) use checkpoint::checkpoint_memory;
pub use checkpoint_summary::CheckpointSummary;
pub use digest::DigestError;
pub use history::{History, Moment, MoveCounts};
pub use job_level::{Budget, JobDone};
pub use line::Follower;
pub use monitor::{Monitor, Snapshot};
pub use numbers::Numbers;
pub use oracle::Oracle;
pub use saved::CheckpointError;
#[cfg(feature = "cli")]
pub(crate) use saved::MAGIC as CHECKPOINT_MAGIC;
pub use solver::{LEAST_MEMORY, Settings, Solver, SolverError};
pub use standing::{Standing, Wanted};
#[cfg(feature = "cli")]
pub(crate) use strategy::write_certificate_within;
pub use strategy::{StrategyError, write_certificate};
pub use survey::Survey;

#[cfg(test)]
mod tests;
