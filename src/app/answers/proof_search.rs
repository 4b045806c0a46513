//! One proof search: a position and its moves, within one time limit, told as it goes.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::answer::Value;
use super::query::{Game, read};
use super::refusal::Refusal;
use crate::game::Outcome;
use crate::game::notation::move_text;
use crate::game::rules::Position;
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::search::{self, Monitor, Oracle, Settings, Solver, SolverError, Survey};

/// What is searched for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The position, of a board that the search takes.
    pub position: Position,
    /// The longest time.
    pub time: Duration,
    /// Whether every move is to be valued, or one winning move is enough.
    pub all_moves: bool,
}

/// How long to search and for what; beside the position.
#[derive(Deserialize)]
struct HowToSearch {
    seconds: Option<f64>,
    moves_valued: Option<MovesValued>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum MovesValued {
    All,
    Best,
}

/// Seconds of a search for which none are given.
const DEFAULT_SECONDS: f64 = 10.0;
/// The shortest search.
const LEAST_SECONDS: f64 = 0.05;

impl Wanted {
    /// What a query asks for.
    ///
    /// # Errors
    /// If it has no position, or one of more than 64 squares, or another time than from 0.05 s to
    /// `longest`.
    pub fn read(query: &str, longest: Duration) -> Result<Self, Refusal> {
        let position = read::<Game>(query)?.position()?;
        let how: HowToSearch = read(query)?;
        let longest = longest.as_secs_f64();
        let seconds = how.seconds.unwrap_or(DEFAULT_SECONDS.min(longest));
        if !(LEAST_SECONDS..=longest).contains(&seconds) {
            let message =
                format!("expected seconds from {LEAST_SECONDS} to {longest}, found {seconds}");
            return Err(Refusal::bad("bad_seconds", message));
        }
        let board = position.board();
        if !board.fits::<u64>() {
            let message =
                format!("{board} has {} squares, the search takes at most 64", board.squares());
            return Err(Refusal::impossible("board_too_large", message));
        }
        let all_moves = !matches!(how.moves_valued, Some(MovesValued::Best));
        Ok(Self { position, time: Duration::from_secs_f64(seconds), all_moves })
    }
}

/// Called between the parts of a search; says when the next part is to end at the latest.
pub type Between<'a> = &'a mut dyn FnMut(&Monitor) -> Option<Instant>;

/// What a search tells as it goes.
#[derive(Debug)]
pub enum SearchEvent {
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

impl SearchEvent {
    /// Its name and its JSON, and whether it is the last; `None` for the beginning.
    pub fn told(&self) -> Option<(&'static str, String, bool)> {
        Some(match self {
            Self::Begun(_) => return None,
            Self::Value(verdict) => ("value", json(verdict), false),
            Self::Moves(moves) => ("moves", json(moves), false),
            Self::Done(done) => ("done", json(done), true),
            Self::Failed(error) => ("failed", failure("no_memory", &error.to_string()), true),
        })
    }
}

/// The data of `failed`, the event of a search that comes to no end.
pub fn failure(code: &'static str, message: &str) -> String {
    json(&Failed { code, message })
}

/// The data of `progress`: the figures of a running search that began then.
pub fn progress(monitor: &Monitor, began: Instant) -> String {
    let glimpse = monitor.snapshot();
    json(&Progress {
        nodes: glimpse.nodes,
        seconds: began.elapsed().as_secs_f64(),
        table_fill: glimpse.fill,
        proof: glimpse.numbers.map(|numbers| numbers.proof),
        disproof: glimpse.numbers.map(|numbers| numbers.disproof),
        refuted: glimpse.total - glimpse.open.min(glimpse.total),
        first_moves: glimpse.total,
    })
}

fn json(data: &impl Serialize) -> String {
    // Only maps with other keys than strings cannot be JSON, and there are none.
    serde_json::to_string(data).unwrap_or_default()
}

#[derive(Serialize)]
struct Failed<'a> {
    code: &'static str,
    message: &'a str,
}

/// The figures of a running search.
#[derive(Debug, Serialize)]
struct Progress {
    nodes: u64,
    seconds: f64,
    table_fill: f64,
    proof: Option<u32>,
    disproof: Option<u32>,
    refuted: usize,
    first_moves: usize,
}

/// The value of the position.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    value: Value,
    winner: String,
}

/// The value of a move, for its maker.
#[derive(Clone, Debug, Serialize)]
pub struct MoveValue {
    #[serde(rename = "move")]
    played: String,
    value: Value,
}

/// How it ended.
#[derive(Clone, Debug, Serialize)]
pub struct Done {
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
pub fn run(
    wanted: &Wanted,
    settings: Settings,
    oracle: &dyn Oracle,
    stop: &StopFlag,
    between: Between<'_>,
    mut tell: impl FnMut(SearchEvent),
) {
    if let Err(error) = survey(wanted, settings, oracle, stop, between, &mut tell) {
        tell(SearchEvent::Failed(error));
    }
}

fn survey(
    wanted: &Wanted,
    settings: Settings,
    oracle: &dyn Oracle,
    stop: &StopFlag,
    between: Between<'_>,
    tell: &mut impl FnMut(SearchEvent),
) -> Result<(), SolverError> {
    let began = Instant::now();
    let end = began + wanted.time;
    let board = wanted.position.board();
    let solver = Solver::new(board, settings, stop.clone())?;
    let mut solver = solver.with_oracle(oracle).with_deadline(Some(end));
    let monitor = solver.monitor();
    tell(SearchEvent::Begun(monitor.clone()));
    let moves = if wanted.all_moves { search::Wanted::All } else { search::Wanted::One };
    let mut survey = Survey::new(&solver, &wanted.position, moves).map_err(SolverError::from)?;
    let mut told = Told { outcome: false, moves: vec![false; survey.moves().len()] };
    survey.run(&mut solver, |_| between(&monitor), |survey| told.tell(wanted, survey, tell))?;
    let best = survey.of_value(Some(Outcome::Win)).first().map(|&played| move_text(board, played));
    tell(SearchEvent::Done(Done {
        value: Value::of(survey.outcome()),
        winner: survey.outcome().map(|outcome| wanted.winner(outcome)),
        best_move: best,
        moves_known: survey.moves().len() - survey.of_value(None).len(),
        moves: survey.moves().len(),
        nodes: solver.nodes(),
        seconds: began.elapsed().as_secs_f64(),
    }));
    Ok(())
}

impl Wanted {
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
    fn tell(&mut self, wanted: &Wanted, survey: &Survey, tell: &mut impl FnMut(SearchEvent)) {
        if let Some(outcome) = survey.outcome().filter(|_| !self.outcome) {
            self.outcome = true;
            let (value, winner) = (Value::of(Some(outcome)), wanted.winner(outcome));
            tell(SearchEvent::Value(Verdict { value, winner }));
        }
        let mut news = Vec::new();
        for (&(played, known), told) in survey.moves().iter().zip(&mut self.moves) {
            if known.is_some() && !*told {
                *told = true;
                let played = move_text(wanted.position.board(), played);
                news.push(MoveValue { played, value: Value::of(known) });
            }
        }
        if !news.is_empty() {
            tell(SearchEvent::Moves(news));
        }
    }
}
