//! `/api/v1/margins`: by how much a position is won, and by how much each of its moves wins or
//! loses, in spare moves: what is known, and what a short search adds.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::query::Query;
use super::refusal::Refusal;
use crate::app::threshold_report::ThresholdReport;
use crate::app::value::Value;
use crate::game::ThresholdRange;
use crate::game::notation::{fen, move_text};
use crate::game::rules::Position;
use crate::knowledge::{Basis, Knowledge, Margins, TablesOracle};
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

/// The question by how much a position is won.
#[derive(Clone, Debug)]
pub(crate) struct HowMuch {
    position: Position,
    /// How long it is searched at most; in no time there is no search.
    time: Duration,
}

impl HowMuch {
    /// The fields of its query.
    pub(super) const FIELDS: [&'static str; 3] = ["fen", "moves", "seconds"];

    /// As [`Self::of`].
    ///
    /// # Errors
    /// As [`Self::of`].
    #[cfg(feature = "serve")]
    pub(crate) fn read(query: &str) -> Result<Self, Refusal> {
        Self::of(&Query::read(query, &Self::FIELDS)?)
    }

    /// What a query asks for: a search of a second if it does not say.
    ///
    /// # Errors
    /// If it has no position of Amazons, or its seconds are not from 0 to 1.
    pub(super) fn of(query: &Query<'_>) -> Result<Self, Refusal> {
        let position = query.amazons("margins")?;
        let HowToSearch { seconds } = query.fields()?;
        let longest = LONGEST.as_secs_f64();
        let seconds = seconds.unwrap_or(longest);
        if !(0.0..=longest).contains(&seconds) {
            let message = format!("expected seconds from 0 to {longest}, found {seconds:?}");
            return Err(Refusal::bad("bad_seconds", message));
        }
        Ok(Self { position, time: Duration::from_secs_f64(seconds) })
    }

    /// What is known without a search.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub(crate) fn known(&self, knowledge: &Knowledge) -> Result<Margins, Refusal> {
        Ok(knowledge.margins(&self.position)?)
    }

    /// Whether a search that is asked for may tell more than is known.
    pub(crate) fn wants_search(&self, known: &Margins) -> bool {
        !known.is_complete() && !self.time.is_zero() && self.position.board().fits::<u64>()
    }

    /// What is known after a search. What it proves is remembered.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub(crate) fn search(
        &self,
        known: &Margins,
        knowledge: &Knowledge,
        stop: &StopFlag,
    ) -> Result<Margins, Refusal> {
        let oracle = TablesOracle::new(knowledge.tables(self.position.board()));
        let survey = search(&self.position, self.time, known, &oracle, stop);
        let survey = survey.map_err(|error| match error {
            SolverError::Contradiction => Refusal::no_table(error.to_string()),
            _ => Refusal::internal(),
        })?;
        let basis = oracle.basis().and(known.basis().as_ref());
        let (proofs, range) = (knowledge.proofs(), survey.range());
        proofs.remember_margins(&self.position, range, survey.moves(), &basis);
        self.known(knowledge)
    }

    /// The answer, where so much is known.
    pub(crate) fn report(&self, known: &Margins) -> MarginsReport {
        MarginsReport::new(&self.position, known)
    }
}

/// `/api/v1/margins`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MarginsReport {
    position: String,
    side_to_move: String,
    winner: Option<String>,
    #[serde(flatten)]
    threshold: ThresholdReport,
    /// What that rests on, if anything is known.
    source: Option<Basis>,
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

impl MarginsReport {
    fn new(position: &Position, known: &Margins) -> Self {
        let range = known.position();
        let mut moves = known.moves().to_vec();
        moves.sort_by_key(|&(played, range)| (range.most(), range.least(), played));
        let named = |(played, range): (_, ThresholdRange)| MoveMargin {
            played: move_text(position.board(), played),
            value: Value::of(range.outcome()),
            threshold: range.into(),
        };
        Self {
            position: fen(position),
            side_to_move: position.turn().to_string(),
            winner: range.outcome().map(|outcome| outcome.winner(position.turn()).to_string()),
            threshold: range.into(),
            source: known.basis(),
            complete: known.is_complete(),
            moves: moves.into_iter().map(named).collect(),
        }
    }
}

/// Searches the margins of a position of which something is known.
fn search(
    position: &Position,
    time: Duration,
    known: &Margins,
    oracle: &TablesOracle,
    stop: &StopFlag,
) -> Result<MarginSurvey, SolverError> {
    let settings = Settings { table_bytes: MEMORY, threads: 1, seed: 0 };
    let solver = Solver::new(position.board(), settings, stop.clone())?;
    let mut solver = solver.with_oracle(oracle).with_deadline(Some(Instant::now() + time));
    let mut survey = MarginSurvey::new(&solver, position)?;
    survey.learn(known.position())?;
    survey.learn_moves(known.moves())?;
    survey.run(&mut solver, |_| None, |_| ())?;
    Ok(survey)
}
