//! What was found out about a game.

use crate::app::annotation::{Cost, Costly, Estimate, Standing};
use crate::knowledge::Finding;

/// By node, but for the costly moves.
pub(super) struct Found {
    pub(super) findings: Vec<Finding>,
    /// Of positions whose value is not known.
    pub(super) estimates: Vec<Option<Estimate>>,
    pub(super) standings: Vec<Standing>,
    /// The worst first.
    pub(super) costly: Vec<Costly>,
    /// What each move cost in spare moves, if that was asked for; else empty.
    pub(super) costs: Vec<Option<Cost>>,
}
