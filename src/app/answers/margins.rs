//! `/api/v1/margins`: by how much a position is won, and by how much each of its moves wins or
//! loses, in spare moves: what is known, and what a short search adds.

use serde::Serialize;

use super::refusal::Refusal;
use super::report::Value;
use crate::game::notation::{fen, move_text};
use crate::game::rules::Position;
use crate::game::{Threshold, ThresholdRange};
use crate::knowledge::{Knowledge, Margins, TablesOracle};
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::search::{MarginSurvey, Settings, Solver, SolverError};

/// The longest search.
const LONGEST: std::time::Duration = std::time::Duration::from_secs(1);
/// Bytes of its table.
const MEMORY: u64 = 16 << 20;

/// `/api/v1/margins`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MarginsReport {
    position: String,
    side_to_move: String,
    winner: Option<String>,
    #[serde(flatten)]
    threshold: ThresholdReport,
    /// Whether the margins of the position and of all its moves are known.
    complete: bool,
    /// All moves, best first.
    moves: Vec<MoveMargin>,
}

/// A move, seen by its maker.
#[derive(Clone, Debug, Serialize)]
struct MoveMargin {
    #[serde(rename = "move")]
    played: String,
    value: Value,
    #[serde(flatten)]
    threshold: ThresholdReport,
}

/// Between what a threshold lies.
#[derive(Clone, Debug, Serialize)]
struct ThresholdReport {
    /// The threshold, if it is known.
    threshold: Option<i16>,
    /// By how many spare moves is won or lost, at least and at most; absent if it is not known who
    /// wins.
    margin: Option<[u16; 2]>,
    /// The least and the greatest threshold that are possible.
    thresholds: [i16; 2],
}

impl ThresholdReport {
    fn new(range: ThresholdRange) -> Self {
        let (least, most) = (range.least(), range.most());
        let [one, other] = [least.margin(), most.margin()];
        Self {
            threshold: range.exact().map(Threshold::spare),
            margin: range.outcome().map(|_| [one.min(other), one.max(other)]),
            thresholds: [least.spare(), most.spare()],
        }
    }
}

/// What is known of the margins of a position. What the search proves is remembered.
pub(crate) fn margins(
    position: &Position,
    knowledge: &Knowledge,
    stop: &StopFlag,
) -> Result<MarginsReport, Refusal> {
    let mut known = knowledge.margins(position)?;
    if !known.is_complete() && position.board().fits::<u64>() {
        let survey = search(position, &known, knowledge, stop);
        let survey = survey.map_err(|_| Refusal::internal())?;
        knowledge.proofs().remember_margins(position, survey.range(), survey.moves());
        known = knowledge.margins(position)?;
    }
    let range = known.position();
    let mut moves = known.moves().to_vec();
    moves.sort_by_key(|&(played, range)| (range.most(), range.least(), played));
    let named = |(played, range): (_, ThresholdRange)| MoveMargin {
        played: move_text(position.board(), played),
        value: Value::of(range.outcome()),
        threshold: ThresholdReport::new(range),
    };
    Ok(MarginsReport {
        position: fen(position),
        side_to_move: position.turn().to_string(),
        winner: range.outcome().map(|outcome| outcome.winner(position.turn()).to_string()),
        threshold: ThresholdReport::new(range),
        complete: known.is_complete(),
        moves: moves.into_iter().map(named).collect(),
    })
}

/// Searches the margins of a position of which something is known.
fn search(
    position: &Position,
    known: &Margins,
    knowledge: &Knowledge,
    stop: &StopFlag,
) -> Result<MarginSurvey, SolverError> {
    let settings = Settings { table_bytes: MEMORY, threads: 1, seed: 0 };
    let oracle = TablesOracle::new(knowledge.tables(position.board()));
    let solver = Solver::new(position.board(), settings, stop.clone())?;
    let mut solver = solver.with_oracle(&oracle).with_deadline(Some(Instant::now() + LONGEST));
    let mut survey = MarginSurvey::new(&solver, position)?;
    survey.learn(known.position());
    survey.learn_moves(known.moves());
    survey.run(&mut solver, |_| None, |_| ())?;
    Ok(survey)
}
