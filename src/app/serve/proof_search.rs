//! One proof search: a position and its moves, within one time limit, told as it goes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::answer::Value;
use crate::game::Outcome;
use crate::game::notation::move_text;
use crate::game::rules::Position;
use crate::machine::progress::StopFlag;
use crate::search::{Monitor, Oracle, Settings, Solver, SolverError, Survey, Wanted};

/// What is searched for.
#[derive(Clone, Debug)]
pub(super) struct ProofSearch {
    pub(super) position: Position,
    pub(super) time: Duration,
    /// Whether every move is to be valued, or one winning move is enough.
    pub(super) all_moves: bool,
    pub(super) settings: Settings,
}

/// What a search tells as it goes.
#[derive(Debug)]
pub(super) enum SearchEvent {
    /// It has begun; the monitor shows how far it is.
    Begun(Arc<Monitor>),
    /// The position's value.
    Value(Verdict),
    /// Values of some moves.
    Moves(Vec<MoveValue>),
    /// It is over.
    Done(Done),
    /// There is no memory for it.
    Failed(SolverError),
}

/// The value of the position.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Verdict {
    value: Value,
    winner: String,
}

/// The value of a move, for its maker.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MoveValue {
    #[serde(rename = "move")]
    played: String,
    value: Value,
}

/// How it ended.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Done {
    value: Value,
    winner: Option<String>,
    best_move: Option<String>,
    /// Moves whose value was found.
    moves_known: usize,
    moves: usize,
    nodes: u64,
    seconds: f64,
}

/// Searches until everything is known, the time is up or `stop` is set; `tell` gets the news.
pub(super) fn run(
    search: &ProofSearch,
    oracle: &dyn Oracle,
    stop: &StopFlag,
    mut tell: impl FnMut(SearchEvent),
) {
    if let Err(error) = survey(search, oracle, stop, &mut tell) {
        tell(SearchEvent::Failed(error));
    }
}

fn survey(
    search: &ProofSearch,
    oracle: &dyn Oracle,
    stop: &StopFlag,
    tell: &mut impl FnMut(SearchEvent),
) -> Result<(), SolverError> {
    let began = Instant::now();
    let end = began + search.time;
    let solver = Solver::new(search.position.board(), search.settings, stop.clone())?;
    let mut solver = solver.with_oracle(oracle).with_deadline(Some(end));
    tell(SearchEvent::Begun(solver.monitor()));
    let wanted = if search.all_moves { Wanted::All } else { Wanted::One };
    let mut survey = Survey::new(&solver, &search.position, wanted).map_err(SolverError::from)?;
    let mut told = Told { outcome: false, moves: vec![false; survey.moves().len()] };
    survey.run(&mut solver, |_| None, |survey| told.tell(search, survey, tell))?;
    let best = survey
        .of_value(Some(Outcome::Win))
        .first()
        .map(|&played| move_text(search.position.board(), played));
    tell(SearchEvent::Done(Done {
        value: Value::of(survey.outcome()),
        winner: survey.outcome().map(|outcome| search.winner(outcome)),
        best_move: best,
        moves_known: survey.moves().len() - survey.of_value(None).len(),
        moves: survey.moves().len(),
        nodes: solver.nodes(),
        seconds: began.elapsed().as_secs_f64(),
    }));
    Ok(())
}

impl ProofSearch {
    fn winner(&self, outcome: Outcome) -> String {
        outcome.winner(self.position.turn()).to_string()
    }
}

/// What was told already: whether the outcome was, whatever it is, and of each move.
struct Told {
    outcome: bool,
    moves: Vec<bool>,
}

impl Told {
    /// Tells what is new.
    fn tell(&mut self, search: &ProofSearch, survey: &Survey, tell: &mut impl FnMut(SearchEvent)) {
        if let Some(outcome) = survey.outcome().filter(|_| !self.outcome) {
            self.outcome = true;
            let (value, winner) = (Value::of(Some(outcome)), search.winner(outcome));
            tell(SearchEvent::Value(Verdict { value, winner }));
        }
        let mut news = Vec::new();
        for (&(played, known), told) in survey.moves().iter().zip(&mut self.moves) {
            if known.is_some() && !*told {
                *told = true;
                let played = move_text(search.position.board(), played);
                news.push(MoveValue { played, value: Value::of(known) });
            }
        }
        if !news.is_empty() {
            tell(SearchEvent::Moves(news));
        }
    }
}
