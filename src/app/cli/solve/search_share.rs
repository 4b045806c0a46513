//! What a search took, and which files it believed: of one process, or of a rank among several.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::board::Word;
use crate::search::Solver;

/// What a search took, and which files it believed; by default none was made.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct SearchShare {
    /// Positions that were evaluated.
    pub(super) nodes: u64,
    /// Whether it believed a digest, or a checkpoint that rests on one.
    pub(super) rests_on_digest: bool,
    /// How long was searched before, if it has gone on from a checkpoint.
    pub(super) before: Option<Duration>,
}

impl SearchShare {
    /// That of a solver, of which all nodes count behind the first `nodes_before`.
    pub(super) fn of<W: Word>(solver: &Solver<'_, W>, nodes_before: u64) -> Self {
        Self {
            nodes: solver.nodes() - nodes_before,
            rests_on_digest: solver.rests_on_digest(),
            before: solver.searched_before(),
        }
    }

    /// That of all ranks together.
    pub(super) fn of_all(shares: &[Self]) -> Self {
        Self {
            nodes: shares.iter().map(|share| share.nodes).sum(),
            rests_on_digest: shares.iter().any(|share| share.rests_on_digest),
            before: shares.iter().filter_map(|share| share.before).max(),
        }
    }
}
