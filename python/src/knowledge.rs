//! What is known of positions without a search.

use std::path::PathBuf;
use std::sync::Arc;

use amazons::{Colour, Knowledge, Lead, Outcome};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors;
use crate::position::given;
use crate::remote;

/// What is known of a position.
#[pyclass(frozen, get_all, module = "amazons_solver")]
pub(crate) struct Known {
    outcome: Option<bool>,
    basis: Option<String>,
    moves: Py<PyDict>,
}

#[pymethods]
impl Known {
    fn __repr__(&self) -> String {
        let outcome = match self.outcome {
            None => "None",
            Some(true) => "True",
            Some(false) => "False",
        };
        let basis = self.basis.as_ref().map_or("None".into(), |basis| format!("'{basis}'"));
        format!("Known(outcome={outcome}, basis={basis})")
    }
}

/// The rules, bounds, tables and certificates.
#[pyclass(frozen, name = "Knowledge", module = "amazons_solver")]
pub(crate) struct PyKnowledge(pub(crate) Arc<Knowledge>);

#[pymethods]
impl PyKnowledge {
    #[new]
    #[pyo3(signature = (*paths))]
    fn new(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Self> {
        paths.iter().try_for_each(|path| remote::expect_path(path))?;
        let opened = py.detach(|| Knowledge::open(&paths)).map_err(errors::source)?;
        Ok(Self(Arc::new(opened)))
    }

    #[pyo3(signature = (position, /))]
    fn look_up(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Known> {
        let position = given(position)?;
        let finding = py.detach(|| self.0.of(&position)).map_err(errors::source)?;
        let moves = PyDict::new(py);
        for (played, value) in finding.named_moves() {
            moves.set_item(played.to_string(), value.map(Outcome::is_win))?;
        }
        Ok(Known {
            outcome: finding.value().map(Outcome::is_win),
            basis: finding.value().and(finding.basis()).map(ToString::to_string),
            moves: moves.unbind(),
        })
    }
}

/// White's moves less Black's, at least and at most.
#[pyfunction]
#[pyo3(signature = (position, /))]
pub(crate) fn score(py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<(i32, i32)> {
    let position = given(position)?;
    let Lead { least, most } = py.detach(|| Lead::in_position(&position, Colour::White));
    Ok((least, most))
}
