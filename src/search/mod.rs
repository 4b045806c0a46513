//! Proof search: who wins a position, without looking at all of it.

mod checkpoint;
mod dfpn;
pub mod digest;
mod foreign_position;
mod job_level;
mod margins;
mod monitor;
mod sized_solver;
mod solver;
mod strategy;
mod sum;
mod survey;
mod table;
pub mod variants;

pub use crate::game::GroundTooLarge;
#[cfg(feature = "cli")]
pub(crate) use checkpoint::checkpoint_memory;
pub use checkpoint::format::CheckpointError;
#[cfg(feature = "cli")]
pub(crate) use checkpoint::format::MAGIC as CHECKPOINT_MAGIC;
pub use checkpoint::summary::CheckpointSummary;
pub use digest::DigestError;
pub use foreign_position::ForeignPosition;
pub use job_level::{Budget, JobDone};
#[cfg(any(test, feature = "internals"))]
pub use job_level::{Fault, Network, Simulated, simulate, simulate_faults};
pub use margins::survey::MarginSurvey;
pub use monitor::history::{History, Moment, MoveCounts};
pub use monitor::line::Follower;
pub use monitor::{Monitor, Snapshot};
pub use sized_solver::SizedSolver;
pub use solver::{LEAST_MEMORY, Settings, Solver, SolverError};
#[cfg(feature = "cli")]
pub(crate) use strategy::write_certificate_within;
pub use strategy::{StrategyError, write_certificate};
pub use sum::board_data::BoardData;
pub use sum::numbers::Numbers;
pub use sum::oracle::Oracle;
pub use survey::Survey;
pub use survey::standing::{Standing, Wanted};

#[cfg(test)]
mod tests;
