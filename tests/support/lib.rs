//! What the test programs share: compiled once for all of them, and never published.

pub mod counts;
pub mod endgames;
pub mod long;
pub mod margins;
pub mod opening;
pub mod positions;
pub mod proofs;
pub mod tables;
