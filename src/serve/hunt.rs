//! One proof search: the position, then each of its moves, within one time limit.
//!
//! Moves are tried in rounds with growing time for each, so that one hard move does not take the time of all the
//! others. What the search of one position proved stays in the table for the next.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::answer::Value;
use crate::notation::move_text;
use crate::progress::StopFlag;
use crate::rules::{ColouredPosition, Move, Position};
use crate::search::{Monitor, Oracle, Settings, Solver, SolverError};

/// What is searched for.
#[derive(Clone, Debug)]
pub(super) struct Hunt {
    pub(super) position: ColouredPosition,
    pub(super) plain: Position,
    pub(super) time: Duration,
    /// Whether every move is to be valued, or one winning move is enough.
    pub(super) all_moves: bool,
    pub(super) settings: Settings,
}

/// What a search tells as it goes.
#[derive(Debug)]
pub(super) enum News {
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

/// The time for each move in the first round.
const FIRST_ROUND: Duration = Duration::from_millis(20);
/// How much longer each round gives than the one before.
const GROWTH: u32 = 4;

/// Searches until everything is known, the time is up or `stop` is set; `tell` gets the news.
pub(super) fn hunt(hunt: &Hunt, oracle: &dyn Oracle, stop: &StopFlag, mut tell: impl FnMut(News)) {
    if let Err(error) = search(hunt, oracle, stop, &mut tell) {
        tell(News::Failed(error));
    }
}

fn search(
    hunt: &Hunt,
    oracle: &dyn Oracle,
    stop: &StopFlag,
    tell: &mut impl FnMut(News),
) -> Result<(), SolverError> {
    let began = Instant::now();
    let end = began + hunt.time;
    let solver = Solver::new(hunt.position.board(), hunt.settings, stop.clone())?;
    let mut solver = solver.with_oracle(oracle).with_deadline(Some(end));
    tell(News::Begun(solver.monitor()));
    let verdict = solver.solve(&hunt.plain)?;
    if let Some(wins) = verdict {
        tell(News::Value(Verdict { value: value(wins), winner: hunt.winner(wins) }));
    }
    let mut moves = Moves::new(hunt, &solver);
    moves.settle(&solver, verdict, tell);
    let mut slice = FIRST_ROUND;
    while moves.wanted(verdict) && !over(stop, end) {
        solver = moves.round(solver, end, slice, verdict, tell)?;
        slice *= GROWTH;
    }
    tell(News::Done(Done {
        value: verdict.map_or(Value::Unknown, value),
        winner: verdict.map(|wins| hunt.winner(wins)),
        best_move: moves.best().map(|played| move_text(hunt.position.board(), played)),
        moves_known: moves.known(),
        moves: moves.list.len(),
        nodes: solver.nodes(),
        seconds: began.elapsed().as_secs_f64(),
    }));
    Ok(())
}

fn over(stop: &StopFlag, end: Instant) -> bool {
    stop.is_set() || Instant::now() >= end
}

fn value(wins: bool) -> Value {
    if wins { Value::Win } else { Value::Loss }
}

impl Hunt {
    fn after(&self, solver: &Solver<'_>, played: Move) -> Position {
        solver.ground().rules().play_unchecked(&self.plain, played)
    }

    fn winner(&self, wins: bool) -> String {
        let turn = self.position.turn();
        if wins { turn } else { turn.other() }.to_string()
    }
}

/// The moves and what is known of them.
struct Moves<'a> {
    hunt: &'a Hunt,
    list: Vec<(Move, Option<bool>)>,
}

impl<'a> Moves<'a> {
    fn new(hunt: &'a Hunt, solver: &Solver<'_>) -> Self {
        let moves = solver.ground().rules().moves(&hunt.plain);
        Self { hunt, list: moves.into_iter().map(|played| (played, None)).collect() }
    }

    /// What needs no search now: a lost position has only losing moves, and the table knows others.
    fn settle(&mut self, solver: &Solver<'_>, verdict: Option<bool>, tell: &mut impl FnMut(News)) {
        let known = |played: Move| match verdict {
            Some(false) => Some(false),
            _ => solver.known(&self.hunt.after(solver, played)).map(|wins| !wins),
        };
        let found: Vec<(Move, Option<bool>)> =
            self.list.iter().map(|&(played, old)| (played, old.or_else(|| known(played)))).collect();
        let news = found.iter().zip(&self.list).filter(|(new, old)| new.1 != old.1);
        let news: Vec<MoveValue> = news.filter_map(|(new, _)| self.told(new.0, new.1)).collect();
        self.list = found;
        if !news.is_empty() {
            tell(News::Moves(news));
        }
    }

    /// One look at each move whose value is not known.
    fn round<'o>(
        &mut self,
        mut solver: Solver<'o>,
        end: Instant,
        slice: Duration,
        verdict: Option<bool>,
        tell: &mut impl FnMut(News),
    ) -> Result<Solver<'o>, SolverError> {
        for index in 0..self.list.len() {
            let (played, known) = self.list[index];
            if known.is_some() || !self.wanted(verdict) {
                continue;
            }
            let now = Instant::now();
            solver = solver.with_deadline(Some(end.min(now + slice)));
            let after = self.hunt.after(&solver, played);
            let wins = solver.solve(&after)?.map(|wins| !wins);
            if let Some(news) = self.told(played, wins) {
                self.list[index].1 = wins;
                tell(News::Moves(vec![news]));
            }
            if Instant::now() >= end || solver.is_over() && now.elapsed() < slice {
                break;
            }
        }
        Ok(solver)
    }

    /// Whether there is a move to look at.
    fn wanted(&self, verdict: Option<bool>) -> bool {
        match verdict {
            Some(true) if self.hunt.all_moves => self.known() < self.list.len(),
            Some(true) => self.best().is_none() && self.known() < self.list.len(),
            _ => false,
        }
    }

    fn told(&self, played: Move, wins: Option<bool>) -> Option<MoveValue> {
        let played = move_text(self.hunt.position.board(), played);
        wins.map(|wins| MoveValue { played, value: value(wins) })
    }

    fn best(&self) -> Option<Move> {
        self.list.iter().find(|(_, wins)| *wins == Some(true)).map(|(played, _)| *played)
    }

    fn known(&self) -> usize {
        self.list.iter().filter(|(_, wins)| wins.is_some()).count()
    }
}
