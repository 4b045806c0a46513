//! Proof search.

use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

use amazons::error::SolverError;
use amazons::search::{LEAST_MEMORY, Monitor, Survey, Wanted};
use amazons::{Move, Outcome, Position, Solver, SolverSettings, StopFlag};
use pyo3::exceptions::PyTimeoutError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors;
use crate::number::{perhaps_whole, whole};
use crate::position::{board, given};
use crate::work::{self, Report, interruptible};

/// Proof search for the positions of one board.
#[pyclass(frozen, name = "Solver", module = "amazons_solver")]
pub(crate) struct PySolver {
    /// Nothing if a search failed inside.
    solver: Mutex<Option<Solver<'static>>>,
    board: amazons::Board,
    threads: usize,
}

/// A time in seconds.
pub(crate) fn seconds(time: Option<f64>) -> PyResult<Option<Duration>> {
    let read = |time: f64| {
        Duration::try_from_secs_f64(time).map_err(|error| {
            errors::value(format!("time: expected seconds, found {time}: {error}"))
        })
    };
    time.map(read).transpose()
}

fn late(position: &Position, time: Option<f64>) -> PyErr {
    let time = time.map_or(String::new(), |time| format!(" after {time} s"));
    PyTimeoutError::new_err(format!("the search of {position} was not done{time}"))
}

fn describe(told: &Bound<'_, PyDict>, monitor: &Monitor, began: Instant) -> PyResult<()> {
    let now = monitor.snapshot();
    told.set_item("seconds", began.elapsed().as_secs_f64())?;
    told.set_item("nodes", now.nodes)?;
    told.set_item("fill", now.fill)?;
    told.set_item("open", now.open)?;
    told.set_item("total", now.total)
}

impl PySolver {
    /// Has the solver work within some time; an interruption is an error, and leaves it as it is.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        time: Option<f64>,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(&mut Solver<'static>) -> Result<T, SolverError> + Send,
    ) -> PyResult<T> {
        let time = seconds(time)?;
        let mut guard = match self.solver.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(errors::fault("this solver is at work already: make another one"));
            }
        };
        let broken = || errors::fault("a search of this solver failed inside: make another one");
        let solver = guard.take().ok_or_else(broken)?;
        let (began, stop) = (Instant::now(), StopFlag::new());
        let deadline = time.and_then(|time| began.checked_add(time));
        let mut solver = solver.with_stop(stop.clone()).with_deadline(deadline);
        let monitor: Arc<Monitor> = solver.monitor();
        let describe = |told: &Bound<'_, PyDict>| describe(told, &monitor, began);
        let report = Report { callback: progress, describe: &describe };
        let search = move || {
            let done = work(&mut solver);
            (solver, done)
        };
        let ((solver, done), error) = interruptible(py, &stop, &report, search)?;
        *guard = Some(solver);
        error.map_or(Ok(()), Err)?;
        done.map_err(errors::solver)
    }
}

#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(signature = (board, *, memory=256 << 20, threads=None, seed=0))]
    fn new(
        py: Python<'_>,
        board: &str,
        #[pyo3(from_py_with = whole)] memory: u64,
        #[pyo3(from_py_with = perhaps_whole)] threads: Option<usize>,
        #[pyo3(from_py_with = whole)] seed: u64,
    ) -> PyResult<Self> {
        let (board, threads) = (self::board(board)?, work::threads(threads)?);
        if memory < LEAST_MEMORY {
            return Err(errors::too_little("a search", memory, LEAST_MEMORY));
        }
        let settings = SolverSettings { seed, ..SolverSettings::within(memory, threads) };
        let solver = py.detach(|| Solver::new(board, settings, StopFlag::new()));
        let solver = Mutex::new(Some(solver.map_err(errors::solver)?));
        Ok(Self { solver, board, threads })
    }

    #[getter]
    fn board(&self) -> String {
        self.board.to_string()
    }

    #[pyo3(signature = (position, /, *, time=None, progress=None))]
    fn solve(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        time: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<bool> {
        let position = given(position)?;
        let outcome = self.with(py, time, progress, move |solver| solver.solve(&position))?;
        outcome.map(Outcome::is_win).ok_or_else(|| late(&position, time))
    }

    #[pyo3(signature = (position, /, *, time=None, progress=None))]
    fn best_move(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        time: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<String>> {
        let position = given(position)?;
        let search = move |solver: &mut Solver<'static>| {
            Ok((solver.best_move(&position)?, solver.known(&position)?))
        };
        match self.with(py, time, progress, search)? {
            (Some(played), _) => Ok(Some(played.to_string())),
            (None, Some(Outcome::Loss)) => Ok(None),
            (None, _) => Err(late(&position, time)),
        }
    }

    #[pyo3(signature = (position, /, *, time=None, progress=None))]
    fn all_moves<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        time: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let position = given(position)?;
        let search = move |solver: &mut Solver<'static>| {
            let mut survey = Survey::new(solver, &position, Wanted::All)?;
            survey.run(solver, |_| None, |_| {})?;
            Ok(survey.moves().to_vec())
        };
        let told = PyDict::new(py);
        for (played, outcome) in self.with(py, time, progress, search)? {
            let played = Move::of(position.board(), played).map_err(errors::fault)?;
            told.set_item(played.to_string(), outcome.map(Outcome::is_win))?;
        }
        Ok(told)
    }

    fn __repr__(&self) -> String {
        format!("Solver('{}', threads={})", self.board, self.threads)
    }
}
