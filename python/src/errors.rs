//! The library's errors as Python's exceptions, with the library's words.

use amazons::error::TableError as Library;
use amazons::error::{BuildError, EngineError, OpeningError, SolverError, SourceError};
use amazons::machine::shown::Shown as _;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    amazons_solver,
    TableError,
    PyOSError,
    "A file that is missing, damaged, or no table."
);

/// What was given is wrong.
pub(crate) fn value(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Memory that is not there, or not allowed.
pub(crate) fn memory(error: impl std::fmt::Display) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// That `memory` is less than something needs.
pub(crate) fn too_little(what: impl std::fmt::Display, given: u64, needed: u64) -> PyErr {
    memory(format!("{what} needs at least {needed} bytes of memory, {given} are given"))
}

/// A file.
pub(crate) fn file(error: impl std::fmt::Display) -> PyErr {
    TableError::new_err(error.to_string())
}

/// Something that is not the caller's fault.
pub(crate) fn fault(words: impl std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(words.to_string())
}

/// An error of a table: about the position that was asked for, or about the table.
pub(crate) fn table(error: &Library) -> PyErr {
    table_with(error, error.to_string())
}

/// As [`table`], with other words.
pub(crate) fn table_with(error: &Library, words: String) -> PyErr {
    if let Some(interrupt) = raised_within(error) {
        return interrupt;
    }
    match error {
        Library::OtherGame { .. } | Library::Location(_) | Library::Shape(_) => value(words),
        Library::Memory { .. } => memory(words),
        _ => file(words),
    }
}

/// The exception that was raised while a file was read, if one was.
fn raised_within(error: &(dyn std::error::Error + 'static)) -> Option<PyErr> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let inside = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        if let Some(raised) = inside.and_then(|inside| inside.downcast_ref::<PyErr>()) {
            return Some(Python::attach(|py| raised.clone_ref(py)));
        }
        cause = error.source();
    }
    None
}

pub(crate) fn opening(path: &std::path::Path, error: &OpeningError) -> PyErr {
    let words = format!("{} {error}", path.shown());
    match error {
        OpeningError::Memory { .. } => memory(words),
        _ => file(words),
    }
}

pub(crate) fn build(error: BuildError) -> PyErr {
    match error {
        BuildError::Shape(_)
        | BuildError::OtherTable { .. }
        | BuildError::NoSuchTier { .. }
        | BuildError::TooManyPlacements { .. }
        | BuildError::NoOpeningOf { .. } => value(error),
        BuildError::Memory { .. } => memory(error),
        BuildError::Table(error) => table(&error),
        error => file(error),
    }
}

pub(crate) fn solver(error: SolverError) -> PyErr {
    match error {
        SolverError::Memory { .. } => memory(error),
        SolverError::Contradiction => file(error),
        error => value(error),
    }
}

pub(crate) fn source(error: SourceError) -> PyErr {
    match error {
        SourceError::Table(error) => table(&error),
        error => file(error),
    }
}

pub(crate) fn engine(error: EngineError) -> PyErr {
    match error {
        error @ EngineError::Memory { .. } => memory(error),
        error @ EngineError::Known(_) => file(error),
        error => value(error),
    }
}
