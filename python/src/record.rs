//! Records of games.

use amazons::{Move, Record};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors;
use crate::position::{PyPosition, given};

/// The main line of a recorded game.
#[pyclass(frozen, eq, name = "Record", module = "amazons_solver")]
#[derive(PartialEq, Eq)]
pub(crate) struct PyRecord(Record);

#[pymethods]
impl PyRecord {
    #[new]
    #[pyo3(signature = (start, moves, /))]
    fn new(start: &Bound<'_, PyAny>, moves: &Bound<'_, PyAny>) -> PyResult<Self> {
        if moves.cast::<PyString>().is_ok() {
            return Err(PyTypeError::new_err("expected a list of moves, found a str"));
        }
        let moves: Vec<String> = moves.extract()?;
        let moves: Result<Vec<Move>, _> = moves.iter().map(|played| played.parse()).collect();
        let record = Record::new(given(start)?, &moves.map_err(errors::value)?);
        record.map(Self).map_err(errors::value)
    }

    #[getter]
    fn sgf(&self) -> String {
        self.0.sgf()
    }

    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition(*self.0.start())
    }

    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves().iter().map(ToString::to_string).collect()
    }

    #[getter]
    fn positions(&self) -> Vec<PyPosition> {
        self.0.positions().iter().copied().map(PyPosition).collect()
    }

    #[getter]
    fn moves_left_out(&self) -> usize {
        self.0.moves_left_out()
    }

    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.0.remarks().to_vec()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Record('{}')", self.0)
    }
}

/// All games of a record, whatever its form.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn read_records(text: &Bound<'_, PyAny>) -> PyResult<Vec<PyRecord>> {
    let records = match (text.cast::<PyString>(), text.cast::<PyBytes>()) {
        (Ok(text), _) => amazons::read_records(text.to_str()?.as_bytes()),
        (_, Ok(bytes)) => amazons::read_records(bytes.as_bytes()),
        _ => {
            let found = text.get_type();
            let found = found.name()?;
            return Err(PyTypeError::new_err(format!("expected str or bytes, found {found}")));
        }
    };
    Ok(records.map_err(errors::value)?.into_iter().map(PyRecord).collect())
}
