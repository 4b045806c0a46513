//! Proof search: of all positions of a board of at most 64 squares, or of late positions of a
//! larger one.

use std::fmt::Display;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

use amazons::error::SolverError;
use amazons::search::{GroundTooLarge, LEAST_MEMORY, Monitor, SizedSolver};
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
    solver: Mutex<Searching>,
    board: amazons::Board,
    settings: SolverSettings,
}

/// Where the search of a solver is.
enum Searching {
    /// Of a board of more than 64 squares nothing is searched before a position is known.
    NotYet,
    /// It can go on.
    Ready(SizedSolver<'static>),
    /// It is at work, or has failed inside.
    Gone,
}

/// A time in seconds; an infinite one is none.
pub(crate) fn seconds(time: Option<f64>) -> PyResult<Option<Duration>> {
    let time = time.filter(|&time| time != f64::INFINITY);
    let read = |time: f64| {
        Duration::try_from_secs_f64(time).map_err(|error| {
            errors::value(format!("time: expected seconds, found {time}: {error}"))
        })
    };
    time.map(read).transpose()
}

/// That a search was not done in its time.
pub(crate) fn late(position: impl Display, time: Option<f64>) -> PyErr {
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
    /// Has the solver work on a position within some time; an interruption is an error, and leaves
    /// it as it is.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        position: &Position,
        time: Option<f64>,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(&mut SizedSolver<'static>) -> Result<T, SolverError> + Send,
    ) -> PyResult<T> {
        let time = seconds(time)?;
        let mut guard = match self.solver.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(errors::fault("this solver is at work already: make another one"));
            }
        };
        let solver = match std::mem::replace(&mut *guard, Searching::Gone) {
            Searching::Ready(solver) if self.serves(&solver, position) => solver,
            Searching::Gone => {
                let words = "a search of this solver failed inside: make another one";
                return Err(errors::fault(words));
            }
            before => {
                // One that is refused leaves the solver as it is. Its table stays until then.
                let made = self.solver_of(py, position);
                match made {
                    Ok(solver) => solver,
                    Err(error) => {
                        *guard = before;
                        return Err(error);
                    }
                }
            }
        };
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
        *guard = Searching::Ready(solver);
        error.map_or(Ok(()), Err)?;
        done.map_err(errors::solver)
    }

    /// A solver of a position of the board, which has more than 64 squares.
    fn solver_of(&self, py: Python<'_>, position: &Position) -> PyResult<SizedSolver<'static>> {
        if position.board() != self.board {
            let (expected, found) = (self.board, position.board());
            return Err(errors::value(format!("expected a position of {expected}, found {found}")));
        }
        let made = py.detach(|| SizedSolver::of(position, self.settings, StopFlag::new()));
        made.map_err(errors::solver)
    }

    /// Whether a solver goes on with a position, or refuses it. On a board of more than 64 squares
    /// a position that does not come from the solver's has another solver.
    fn serves(&self, solver: &SizedSolver<'static>, position: &Position) -> bool {
        matches!(solver, SizedSolver::Board(_))
            || position.board() != self.board
            || solver.takes(position)
    }
}

#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(signature = (board, *, memory=268_435_456, threads=None, seed=0))]
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
        let solver = match board.squares() > GroundTooLarge::MOST {
            true => Searching::NotYet,
            false => {
                let made = py.detach(|| Solver::new(board, settings, StopFlag::new()));
                Searching::Ready(SizedSolver::Board(made.map_err(errors::solver)?))
            }
        };
        Ok(Self { solver: Mutex::new(solver), board, settings })
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
        let outcome = self.with(py, &position, time, progress, |solver| solver.solve(&position))?;
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
        let search = |solver: &mut SizedSolver<'static>| {
            Ok((solver.best_move(&position)?, solver.known(&position)?))
        };
        match self.with(py, &position, time, progress, search)? {
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
        let search = |solver: &mut SizedSolver<'static>| solver.all_moves(&position);
        let told = PyDict::new(py);
        for (played, outcome) in self.with(py, &position, time, progress, search)? {
            let played = Move::of(position.board(), played).map_err(errors::fault)?;
            told.set_item(played.to_string(), outcome.map(Outcome::is_win))?;
        }
        Ok(told)
    }

    fn __repr__(&self) -> String {
        format!("Solver('{}', threads={})", self.board, self.settings.threads)
    }
}
