//! `/api/v1/insight`: what can be seen of a position without searching: who is nearer to each
//! square, and the parts that the board has fallen into.

use serde::Serialize;

use super::refusal::Refusal;
use crate::app::parts::Parts;
use crate::game::rules::Position;
use crate::play::queen_distances;
use crate::theory::values::Evaluator;

/// The most memory for exact values of parts.
const STORED: u64 = 8 << 20;

/// `/api/v1/insight`.
#[derive(Debug, Serialize)]
pub(crate) struct Insight {
    distances: Distances,
    regions: Parts,
}

/// Queen moves to each square from a1, b1 and so on; `null` for those that the side does not reach.
#[derive(Debug, Serialize)]
struct Distances {
    white: Vec<Option<u8>>,
    black: Vec<Option<u8>>,
}

pub(crate) fn insight(position: &Position) -> Result<Insight, Refusal> {
    let distances = queen_distances(position).map_err(|_| Refusal::internal())?;
    let (white, black) = (distances.white, distances.black);
    let regions = Parts::of(position, &Evaluator::with_memory(STORED));
    Ok(Insight { distances: Distances { white, black }, regions })
}
