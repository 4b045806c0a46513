//! Positions of the games around Amazons.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use amazons::error::VariantSolverError;
use amazons::game::notation::Symbols;
use amazons::{
    Amazons, AnyPosition, Outcome, RuleSet, StopFlag, Turns, VariantPosition, VariantSolver,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::errors;
use crate::number::whole;
use crate::position::board;
use crate::solver::{late, seconds};
use crate::work::{SILENT, interruptible};

/// A position of a game around Amazons, from its FEN and its rules. It never changes.
#[pyclass(frozen, eq, name = "VariantPosition", module = "amazons_solver")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PyVariantPosition(VariantPosition);

/// A FEN and the name of its rules.
type Given = (String, String);

/// The rules of a name, with other turns if they are given.
fn rules(name: &str, turns: Option<&str>) -> PyResult<RuleSet> {
    let rules: RuleSet = name.parse().map_err(errors::value)?;
    let turns: Option<Turns> = turns.map(str::parse).transpose().map_err(errors::value)?;
    Ok(rules.with_turns(turns))
}

#[pymethods]
impl PyVariantPosition {
    #[new]
    #[pyo3(signature = (fen, rules, /, *, turns=None))]
    fn new(fen: &str, rules: &str, turns: Option<&str>) -> PyResult<Self> {
        let rules = self::rules(rules, turns)?;
        let read = AnyPosition::read(fen, Some(rules)).map_err(errors::value)?;
        Ok(Self(read.into()))
    }

    #[classmethod]
    #[pyo3(signature = (board, rules, amazons=None, *, turns=None))]
    fn start(
        _: &Bound<'_, PyType>,
        board: &str,
        rules: &str,
        amazons: Option<&str>,
        turns: Option<&str>,
    ) -> PyResult<Self> {
        let (board, rules) = (self::board(board)?, self::rules(rules, turns)?);
        let amazons: Option<Amazons> =
            amazons.map(str::parse).transpose().map_err(errors::value)?;
        VariantPosition::start(rules, board, amazons).map(Self).map_err(errors::value)
    }

    #[getter]
    fn fen(&self) -> String {
        self.any().fen()
    }

    #[getter]
    fn board(&self) -> String {
        self.0.board().to_string()
    }

    #[getter]
    fn rules(&self) -> String {
        self.named().0
    }

    #[getter]
    fn turns(&self) -> Option<String> {
        self.named().1
    }

    #[getter]
    fn turn(&self) -> String {
        self.0.turn().to_string()
    }

    fn moves(&self) -> Vec<String> {
        self.any().moves(None)
    }

    #[pyo3(signature = (played, /))]
    fn play(&self, played: &str) -> PyResult<Self> {
        self.0.play_text(played).map(Self).map_err(errors::value)
    }

    #[getter]
    fn outcome(&self) -> Option<bool> {
        (!self.0.can_move()).then_some(false)
    }

    #[getter]
    fn winner(&self) -> Option<String> {
        (!self.0.can_move()).then(|| self.0.turn().other().to_string())
    }

    #[pyo3(signature = (*, time=None, memory=268_435_456))]
    fn solve(
        &self,
        py: Python<'_>,
        time: Option<f64>,
        #[pyo3(from_py_with = whole)] memory: u64,
    ) -> PyResult<bool> {
        let (position, stop) = (self.0, StopFlag::new());
        let until = seconds(time)?.and_then(|time| Instant::now().checked_add(time));
        if memory < VariantSolver::LEAST_TABLE_BYTES {
            return Err(errors::too_little("the search", memory, VariantSolver::LEAST_TABLE_BYTES));
        }
        let solver = VariantSolver::new(position.board(), position.rules(), memory, stop.clone());
        let mut solver = solver.map_err(errors::value)?.with_deadline(until);
        let search = move || solver.solve(&position);
        let (found, error): (Result<Option<Outcome>, VariantSolverError>, _) =
            interruptible(py, &stop, &SILENT, search)?;
        error.map_or(Ok(()), Err)?;
        let late = || late(self.fen(), time);
        found.map_err(errors::value)?.map(Outcome::is_win).ok_or_else(late)
    }

    fn __str__(&self) -> String {
        self.any().diagram(Symbols::Ascii)
    }

    fn __repr__(&self) -> String {
        let (rules, turns) = self.named();
        let turns = turns.map_or(String::new(), |turns| format!(", turns='{turns}'"));
        format!("VariantPosition('{}', '{rules}'{turns})", self.fen())
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Given, Bound<'py, PyDict>)> {
        let (rules, turns) = self.named();
        let keywords = PyDict::new(py);
        keywords.set_item("turns", turns)?;
        Ok(((self.fen(), rules), keywords))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }
}

impl PyVariantPosition {
    /// The name of the rules, and the turns where they are not those of the name. No others are
    /// ever given.
    fn named(&self) -> (String, Option<String>) {
        let rules = self.0.rules();
        rules.named().map_or_else(
            || (rules.to_string(), None),
            |(name, turns)| (name.to_string(), turns.map(|turns| turns.to_string())),
        )
    }

    fn any(&self) -> AnyPosition {
        AnyPosition::Variant(self.0)
    }
}
