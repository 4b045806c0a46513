//! `/api/v1/margins`: by how much a position is won, and by how much each of its moves wins or
//! loses, in spare moves: what is known, and what a short search adds.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::query::Query;
use super::refusal::Refusal;
use super::report::Value;
use crate::app::threshold_report::ThresholdReport;
use crate::game::ThresholdRange;
use crate::game::notation::{fen, move_text};
use crate::game::rules::Position;
use crate::knowledge::{Knowledge, Margins, TablesOracle};
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::search::{MarginSurvey, Settings, Solver, SolverError};

/// The longest search.
const LONGEST: Duration = Duration::from_secs(1);
/// Bytes of its table.
const MEMORY: u64 = 16 << 20;

/// How long to search; beside the position.
#[derive(Deserialize)]
struct HowToSearch {
    seconds: Option<f64>,
}

/// The longest time of the search that a query asks for: a second if it does not say. With 0 there
/// is none, and what is known already is answered.
///
/// # Errors
/// If it is not from 0 to 1 second.
pub(crate) fn search_time(query: &Query<'_>) -> Result<Duration, Refusal> {
    let HowToSearch { seconds } = query.fields()?;
    let longest = LONGEST.as_secs_f64();
    let seconds = seconds.unwrap_or(longest);
    if !(0.0..=longest).contains(&seconds) {
        let message = format!("expected seconds from 0 to {longest}, found {seconds}");
        return Err(Refusal::bad("bad_seconds", message));
    }
    Ok(Duration::from_secs_f64(seconds))
}

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

/// What is known of the margins of a position, after a search for so long at most. What it proves
/// is remembered.
pub(crate) fn margins(
    position: &Position,
    time: Duration,
    knowledge: &Knowledge,
    stop: &StopFlag,
) -> Result<MarginsReport, Refusal> {
    let mut known = knowledge.margins(position)?;
    if !known.is_complete() && !time.is_zero() && position.board().fits::<u64>() {
        let survey = search(position, time, &known, knowledge, stop);
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
        threshold: range.into(),
    };
    Ok(MarginsReport {
        position: fen(position),
        side_to_move: position.turn().to_string(),
        winner: range.outcome().map(|outcome| outcome.winner(position.turn()).to_string()),
        threshold: range.into(),
        complete: known.is_complete(),
        moves: moves.into_iter().map(named).collect(),
    })
}

/// Searches the margins of a position of which something is known.
fn search(
    position: &Position,
    time: Duration,
    known: &Margins,
    knowledge: &Knowledge,
    stop: &StopFlag,
) -> Result<MarginSurvey, SolverError> {
    let settings = Settings { table_bytes: MEMORY, threads: 1, seed: 0 };
    let oracle = TablesOracle::new(knowledge.tables(position.board()));
    let solver = Solver::new(position.board(), settings, stop.clone())?;
    let mut solver = solver.with_oracle(&oracle).with_deadline(Some(Instant::now() + time));
    let mut survey = MarginSurvey::new(&solver, position)?;
    survey.learn(known.position());
    survey.learn_moves(known.moves());
    survey.run(&mut solver, |_| None, |_| ())?;
    Ok(survey)
}
