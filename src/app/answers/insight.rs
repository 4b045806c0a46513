//! `/api/v1/insight`: what can be seen of a position without searching: who is nearer to each
//! square, and the parts that the board has fallen into.

use serde::Serialize;

use super::refusal::Refusal;
use crate::app::distances::Distances;
use crate::app::parts::Parts;
use crate::game::rules::Position;
use crate::theory::values::Evaluator;

/// The most memory for exact values of parts.
const STORED: u64 = 8 << 20;

/// `/api/v1/insight`.
#[derive(Debug, Serialize)]
pub(crate) struct Insight {
    distances: Distances,
    regions: Parts,
}

pub(crate) fn insight(position: &Position) -> Result<Insight, Refusal> {
    let distances = Distances::of(position).map_err(|_| Refusal::internal())?;
    let regions = Parts::of(position, &Evaluator::with_memory(STORED));
    Ok(Insight { distances, regions })
}
