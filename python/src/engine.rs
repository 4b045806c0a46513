//! The engine: a score and a move for positions that nobody has solved.

use std::sync::{Mutex, TryLockError};

use amazons::{Engine, EngineSettings, Limits, Move, Outcome, Position, Score, StopFlag};
use pyo3::prelude::*;

use crate::errors;
use crate::knowledge::PyKnowledge;
use crate::number::{perhaps_whole, whole};
use crate::position::{board, given};
use crate::solver::seconds;
use crate::work::{self, SILENT, all_or_nothing};

/// What the engine decided.
#[pyclass(frozen, get_all, module = "amazons_solver")]
pub(crate) struct Evaluation {
    score: f64,
    outcome: Option<bool>,
    #[pyo3(name = "move")]
    played: Option<String>,
    line: Vec<String>,
    source: &'static str,
    nodes: u64,
}

#[pymethods]
impl Evaluation {
    fn __repr__(&self) -> String {
        let played = self.played.as_ref().map_or("None".into(), |played| format!("'{played}'"));
        format!("Evaluation(score={:+.2}, move={played})", self.score)
    }
}

/// A lead in squares.
fn squares(score: Score) -> f64 {
    match score.proven() {
        Some(Outcome::Win) => f64::INFINITY,
        Some(Outcome::Loss) => f64::NEG_INFINITY,
        None => f64::from(score.hundredths()) / 100.0,
    }
}

/// A player of one board.
#[pyclass(frozen, name = "Engine", module = "amazons_solver")]
pub(crate) struct PyEngine {
    engine: Mutex<Engine>,
    board: amazons::Board,
}

/// Positions of a search if nothing else limits it.
const NODES: u64 = 10_000;

impl PyEngine {
    fn of(
        board: amazons::Board,
        memory: usize,
        threads: Option<usize>,
        knowledge: Option<&PyKnowledge>,
    ) -> PyResult<Self> {
        let threads = threads.unwrap_or(1);
        work::threads(Some(threads))?;
        let settings = EngineSettings { memory, threads, ..EngineSettings::default() };
        let mut engine = Engine::new(board, settings).map_err(errors::engine)?;
        if let Some(PyKnowledge(knowledge)) = knowledge {
            engine = engine.with_known(knowledge.clone());
        }
        Ok(Self { engine: Mutex::new(engine), board })
    }

    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Engine, &StopFlag) -> T + Send,
    ) -> PyResult<T> {
        let mut guard = match self.engine.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(_)) => {
                return Err(errors::fault(
                    "a search of this engine failed inside: make another one",
                ));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(errors::fault("this engine is at work already: make another one"));
            }
        };
        let stop = StopFlag::new();
        let engine = &mut *guard;
        all_or_nothing(py, &stop, &SILENT, || work(engine, &stop))
    }

    fn choose(&self, py: Python<'_>, position: Position, limits: Limits) -> PyResult<Evaluation> {
        let search = move |engine: &mut Engine, stop: &StopFlag| {
            engine.choose(&position, &limits, stop, &mut |_| {})
        };
        let decision = self.with(py, search)?.map_err(errors::engine)?;
        let name = |played| Move::of(position.board(), played).map(|played| played.to_string());
        let line = decision.lines.first().map_or(&[][..], |line| &line.moves);
        let line: Result<Vec<String>, _> = line.iter().map(|&played| name(played)).collect();
        Ok(Evaluation {
            score: squares(decision.score),
            outcome: decision.score.proven().map(Outcome::is_win),
            played: decision.played.map(name).transpose().map_err(errors::fault)?,
            line: line.map_err(errors::fault)?,
            source: decision.source.word(),
            nodes: decision.nodes,
        })
    }
}

fn limits(time: Option<f64>, nodes: Option<u64>, depth: Option<u32>) -> PyResult<Limits> {
    let time = seconds(time)?;
    let nodes = nodes.or_else(|| (time.is_none() && depth.is_none()).then_some(NODES));
    Ok(Limits { time, nodes, depth, ..Limits::default() })
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (board, *, memory=67_108_864, threads=None, knowledge=None))]
    fn new(
        board: &str,
        #[pyo3(from_py_with = whole)] memory: usize,
        #[pyo3(from_py_with = perhaps_whole)] threads: Option<usize>,
        knowledge: Option<&Bound<'_, PyKnowledge>>,
    ) -> PyResult<Self> {
        Self::of(self::board(board)?, memory, threads, knowledge.map(Bound::get))
    }

    #[getter]
    fn board(&self) -> String {
        self.board.to_string()
    }

    #[pyo3(signature = (position, /, *, time=None, nodes=None, depth=None))]
    fn evaluate(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        time: Option<f64>,
        #[pyo3(from_py_with = perhaps_whole)] nodes: Option<u64>,
        #[pyo3(from_py_with = perhaps_whole)] depth: Option<u32>,
    ) -> PyResult<Evaluation> {
        self.choose(py, given(position)?, limits(time, nodes, depth)?)
    }

    #[pyo3(signature = (position, /))]
    fn score(&self, position: &Bound<'_, PyAny>) -> PyResult<f64> {
        let position = given(position)?;
        let engine = self.engine.try_lock();
        let engine = engine.map_err(|_| errors::fault("this engine is at work already"))?;
        engine.evaluate(&position).map(squares).map_err(errors::engine)
    }

    fn __repr__(&self) -> String {
        format!("Engine('{}')", self.board)
    }
}

/// The engine's score and move.
#[pyfunction]
#[pyo3(signature = (
    position, /, *, time=None, nodes=None, depth=None, memory=16_777_216, threads=None, knowledge=None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn evaluate(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    time: Option<f64>,
    #[pyo3(from_py_with = perhaps_whole)] nodes: Option<u64>,
    #[pyo3(from_py_with = perhaps_whole)] depth: Option<u32>,
    #[pyo3(from_py_with = whole)] memory: usize,
    #[pyo3(from_py_with = perhaps_whole)] threads: Option<usize>,
    knowledge: Option<&Bound<'_, PyKnowledge>>,
) -> PyResult<Evaluation> {
    let position = given(position)?;
    let limits = limits(time, nodes, depth)?;
    let knowledge = knowledge.map(Bound::get);
    PyEngine::of(position.board(), memory, threads, knowledge)?.choose(py, position, limits)
}
