//! One proof search: a position and its moves, within one time limit, told as it goes.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::query::Query;
use super::refusal::Refusal;
use crate::app::value::Value;
use crate::game::AnyPosition;
use crate::game::Outcome;
use crate::game::board::Word;
use crate::game::notation::move_text;
use crate::game::rules::{IndexedMove, Position};
use crate::game::variants::{SingleMove, VariantPosition};
use crate::knowledge::{Basis, Finding, Knowledge, SourceError, TablesOracle};
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::search::variants::{VariantSolver, VariantSolverError, VariantSurvey};
use crate::search::{
    GroundTooLarge, Monitor, Settings, SizedSolver, Solver, SolverError, Standing, Survey, Wanted,
};

/// What a search is asked.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The position, which there is a search for.
    pub position: AnyPosition,
    /// The longest time.
    pub time: Duration,
    /// Which moves are to be valued.
    pub wanted: Wanted,
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

impl SearchRequest {
    const FIELDS: [&'static str; 4] = ["fen", "moves", "seconds", "moves_valued"];

    /// What a query asks for.
    ///
    /// # Errors
    /// If it has no position, or one that no search takes, or another time than from 0.05 s to
    /// `longest`.
    pub fn read(query: &str, longest: Duration) -> Result<Self, Refusal> {
        let query = Query::read(query, &Self::FIELDS)?;
        let position = query.line()?.last;
        let how: HowToSearch = query.fields()?;
        let longest = longest.as_secs_f64();
        let seconds = how.seconds.unwrap_or(DEFAULT_SECONDS.min(longest));
        if !(LEAST_SECONDS..=longest).contains(&seconds) {
            let message =
                format!("expected seconds from {LEAST_SECONDS} to {longest}, found {seconds:?}");
            return Err(Refusal::bad("bad_seconds", message));
        }
        if let Some(message) = refused(&position) {
            return Err(Refusal::impossible("board_too_large", message));
        }
        let wanted = match how.moves_valued {
            Some(MovesValued::All) | None => Wanted::All,
            Some(MovesValued::Best) => Wanted::One,
        };
        Ok(Self { position, time: Duration::from_secs_f64(seconds), wanted })
    }
}

/// Why there is no search for a position, if there is none.
pub(super) fn refused(position: &AnyPosition) -> Option<String> {
    match position {
        AnyPosition::Amazons(position) => {
            GroundTooLarge::check(position).err().map(|error| error.to_string())
        }
        AnyPosition::Variant(position) => {
            let (board, squares) = (position.board(), position.board().squares());
            let words = || format!("{board} has {squares} squares, the search takes at most 64");
            (!board.fits::<u64>()).then(words)
        }
    }
}

/// Why a search comes to no end.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// Of Amazons.
    #[error(transparent)]
    Amazons(#[from] SolverError),
    /// Of another game.
    #[error(transparent)]
    Variant(#[from] VariantSolverError),
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
    /// It came to no end, mostly because there is no memory for it.
    Failed(SearchError),
}

impl SearchEvent {
    /// As whoever listens hears it; `None` for the beginning.
    pub fn to_message(&self) -> Option<Message> {
        let (name, data, is_last) = match self {
            Self::Begun(_) => return None,
            Self::Value(verdict) => ("value", json(verdict), false),
            Self::Moves(moves) => ("moves", json(moves), false),
            Self::Done(done) => ("done", json(done), true),
            Self::Failed(error) => {
                let code = match error {
                    SearchError::Amazons(SolverError::Memory { .. }) => "no_memory",
                    _ => "internal",
                };
                ("failed", failure(code, &error.to_string()), true)
            }
        };
        Some(Message { name, data, is_last })
    }
}

/// An event of a search in words.
#[derive(Debug)]
pub struct Message {
    /// What has happened.
    pub name: &'static str,
    /// JSON.
    pub data: String,
    /// Whether nothing comes after it.
    pub is_last: bool,
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
    source: Basis,
}

/// The value of a move, for its maker.
#[derive(Clone, Debug, Serialize)]
pub struct MoveValue {
    #[serde(rename = "move")]
    played: String,
    value: Value,
    /// What that rests on, if on more than a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Basis>,
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
    request: &SearchRequest,
    settings: Settings,
    knowledge: &Knowledge,
    stop: &StopFlag,
    between: Between<'_>,
    mut tell: impl FnMut(SearchEvent),
) {
    let done = match &request.position {
        AnyPosition::Amazons(position) => {
            survey(request, position, settings, knowledge, stop, between, &mut tell)
                .map_err(SearchError::from)
        }
        AnyPosition::Variant(position) => {
            variant_survey(request, position, settings, knowledge, stop, between, &mut tell)
                .map_err(SearchError::from)
        }
    };
    tell(match done {
        Ok(done) => SearchEvent::Done(done),
        Err(error) => SearchEvent::Failed(error),
    });
}

/// Of Amazons, with what tables know. What it proves is remembered.
fn survey(
    request: &SearchRequest,
    position: &Position,
    settings: Settings,
    knowledge: &Knowledge,
    stop: &StopFlag,
    between: Between<'_>,
    tell: &mut impl FnMut(SearchEvent),
) -> Result<Done, SolverError> {
    let began = Instant::now();
    let oracle = TablesOracle::new(knowledge.tables(position.board()));
    let solver = SizedSolver::of(position, settings, stop.clone())?;
    // Where what was proved contradicts a source, the search tells what it has found itself.
    let remember = |standing: &Standing<IndexedMove>| {
        let moves = standing.moves().iter().filter_map(|&(played, value)| Some((played, value?)));
        knowledge.proofs().remember(position, standing.outcome(), moves, &oracle.basis());
        knowledge.of(position).ok()
    };
    let basis = || oracle.basis();
    let mut news = News::new(request, &basis);
    match solver.with_oracle(&oracle).with_deadline(Some(began + request.time)) {
        SizedSolver::Board(solver) => {
            survey_by(solver, &mut news, position, began, remember, between, tell)
        }
        SizedSolver::Endgame(solver) => {
            survey_by(solver, &mut news, position, began, remember, between, tell)
        }
    }
}

/// The same by a solver. What it has found is remembered at the end; then it says all that is
/// known.
fn survey_by<W: Word>(
    mut solver: Solver<'_, W>,
    news: &mut News<'_>,
    position: &Position,
    began: Instant,
    remember: impl FnOnce(&Standing<IndexedMove>) -> Option<Finding>,
    between: Between<'_>,
    tell: &mut impl FnMut(SearchEvent),
) -> Result<Done, SolverError> {
    let (monitor, request) = (solver.monitor(), news.request);
    tell(SearchEvent::Begun(monitor.clone()));
    let mut survey = Survey::new(&solver, position, request.wanted)?;
    let text = |played| move_text(position.board(), played);
    survey.run(
        &mut solver,
        |_| between(&monitor),
        |survey| news.tell(survey.standing(), text, tell),
    )?;
    let done = request.done(survey.standing(), text, solver.nodes(), began);
    Ok(match remember(survey.standing()) {
        Some(known) => done.beside(&known, request, text),
        None => done,
    })
}

/// By other rules: what is known is told beside what was found. What it proves is not remembered.
fn variant_survey(
    request: &SearchRequest,
    position: &VariantPosition,
    settings: Settings,
    knowledge: &Knowledge,
    stop: &StopFlag,
    between: Between<'_>,
    tell: &mut impl FnMut(SearchEvent),
) -> Result<Done, VariantSolverError> {
    let began = Instant::now();
    let (board, rules) = (position.board(), position.rules());
    let mut solver = VariantSolver::new(board, rules, settings.table_bytes, stop.clone())?;
    let monitor = solver.monitor();
    tell(SearchEvent::Begun(monitor.clone()));
    let mut survey = VariantSurvey::new(&solver, position, request.wanted)?;
    let mut news = News::new(request, &|| Basis::Proof);
    let text = |played: SingleMove| played.text(board);
    survey.run(&mut solver, began + request.time, &mut || between(&monitor), |standing| {
        news.tell(standing, text, tell)
    })?;
    let standing = survey.standing();
    let done = request.done(standing, text, solver.nodes(), began);
    let beside = || -> Result<Finding<SingleMove>, SourceError> {
        let mut known = knowledge.by_other_rules(position)?;
        for &(played, value) in standing.moves() {
            value.map_or(Ok(()), |value| known.tell_move(played, value, &Basis::Proof))?;
        }
        standing.outcome().map_or(Ok(()), |value| known.tell_value(value, &Basis::Proof))?;
        Ok(known)
    };
    // Where what was found contradicts a source, the search tells what it has found itself.
    Ok(match beside() {
        Ok(known) => done.beside(&known, request, text),
        Err(_) => done,
    })
}

impl SearchRequest {
    fn winner(&self, outcome: Outcome) -> String {
        outcome.winner(self.position.squares().turn()).to_string()
    }

    /// How a search ended that began then.
    fn done<M: Copy>(
        &self,
        standing: &Standing<M>,
        text: impl Fn(M) -> String,
        nodes: u64,
        began: Instant,
    ) -> Done {
        Done {
            value: Value::of(standing.outcome()),
            winner: standing.outcome().map(|outcome| self.winner(outcome)),
            best_move: standing.of_value(Some(Outcome::Win)).first().map(|&played| text(played)),
            moves_known: standing.moves().len() - standing.of_value(None).len(),
            moves: standing.moves().len(),
            nodes,
            seconds: began.elapsed().as_secs_f64(),
        }
    }
}

impl Done {
    /// The same with what else is known.
    fn beside<M: Copy + Ord>(
        self,
        known: &Finding<M>,
        request: &SearchRequest,
        text: impl Fn(M) -> String,
    ) -> Self {
        let winning = known.of_value(Some(Outcome::Win)).next();
        Self {
            value: Value::of(known.value()),
            winner: known.value().map(|outcome| request.winner(outcome)),
            best_move: self.best_move.or(winning.map(text)),
            moves_known: known.moves().len() - known.of_value(None).count(),
            ..self
        }
    }
}

/// What news there have been: whether of the outcome, whatever it is, and of each move.
struct News<'w> {
    request: &'w SearchRequest,
    /// What the search rests on by now.
    basis: &'w dyn Fn() -> Basis,
    outcome: bool,
    moves: Vec<bool>,
}

impl<'w> News<'w> {
    fn new(request: &'w SearchRequest, basis: &'w dyn Fn() -> Basis) -> Self {
        Self { request, basis, outcome: false, moves: Vec::new() }
    }

    /// Tells what is new.
    fn tell<M: Copy>(
        &mut self,
        standing: &Standing<M>,
        text: impl Fn(M) -> String,
        tell: &mut impl FnMut(SearchEvent),
    ) {
        if let Some(outcome) = standing.outcome().filter(|_| !self.outcome) {
            self.outcome = true;
            let (value, winner) = (Value::of(Some(outcome)), self.request.winner(outcome));
            tell(SearchEvent::Value(Verdict { value, winner, source: (self.basis)() }));
        }
        self.moves.resize(standing.moves().len(), false);
        let source = Some((self.basis)()).filter(|basis| *basis != Basis::Proof);
        let mut values = Vec::new();
        for (&(played, outcome), is_old) in standing.moves().iter().zip(&mut self.moves) {
            if outcome.is_some() && !*is_old {
                *is_old = true;
                let (played, value) = (text(played), Value::of(outcome));
                values.push(MoveValue { played, value, source: source.clone() });
            }
        }
        if !values.is_empty() {
            tell(SearchEvent::Moves(values));
        }
    }
}
