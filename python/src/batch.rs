//! Many positions at a time: lists of positions and of FENs, and arrays of packed positions.

use std::ops::Range;

use amazons::error::FenError;
use amazons::{Board, Position};
use numpy::{
    PyArray1, PyArray2, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use rayon::prelude::*;

use crate::errors;
use crate::position::{PyPosition, board, other_type};

/// Positions, which are read without Python's lock.
pub(crate) enum Batch {
    List(Vec<Item>),
    Packed { board: Board, bytes: Vec<u8>, count: usize },
}

/// A position of a list.
pub(crate) enum Item {
    Position(Position),
    Fen(String),
}

/// What is wrong with a position of a batch.
pub(crate) struct Wrong {
    pub(crate) index: usize,
    pub(crate) error: PyErr,
}

impl Wrong {
    /// The error, which says which position it is about.
    pub(crate) fn raised(self, py: Python<'_>) -> PyErr {
        let words = format!("position {}: {}", self.index, self.error.value(py));
        PyErr::from_type(self.error.get_type(py), words)
    }
}

impl Batch {
    /// Packed positions are of this board.
    pub(crate) fn of(positions: &Bound<'_, PyAny>, board: Board) -> PyResult<Self> {
        match positions.cast::<PyUntypedArray>() {
            Ok(array) if !matches!(array.dtype().kind(), b'O' | b'U') => Self::packed(array, board),
            _ => Self::list(positions),
        }
    }

    fn packed(array: &Bound<'_, PyUntypedArray>, board: Board) -> PyResult<Self> {
        let expected = Position::packed_bytes(board);
        let wanted = format!("packed positions of {board} are an array of uint8, n x {expected}");
        let Ok(rows) = array.cast::<PyArray2<u8>>() else {
            let (kind, shape) = (array.dtype(), array.shape());
            return Err(match array.ndim() {
                2 => PyTypeError::new_err(format!("{wanted}, found {kind}")),
                _ => errors::value(format!("{wanted}, found the shape {shape:?} of {kind}")),
            });
        };
        let (count, found) = (rows.shape()[0], rows.shape()[1]);
        if found != expected {
            return Err(errors::value(format!("{wanted}, found {count} x {found}")));
        }
        let bytes = rows.try_readonly()?.as_array().iter().copied().collect();
        Ok(Self::Packed { board, bytes, count })
    }

    fn list(positions: &Bound<'_, PyAny>) -> PyResult<Self> {
        let item = |(index, item): (usize, PyResult<Bound<'_, PyAny>>)| {
            let item = item?;
            if let Ok(position) = item.cast::<PyPosition>() {
                return Ok(Item::Position(position.get().0));
            }
            match item.cast::<PyString>() {
                Ok(text) => Ok(Item::Fen(text.to_str()?.to_string())),
                Err(_) => Err(Wrong { index, error: other_type(&item) }.raised(item.py())),
            }
        };
        if positions.cast::<PyString>().is_ok() {
            return Err(PyTypeError::new_err("expected a list of positions, found a str"));
        }
        positions.try_iter()?.enumerate().map(item).collect::<PyResult<_>>().map(Self::List)
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::List(items) => items.len(),
            Self::Packed { count, .. } => *count,
        }
    }

    /// Some of the positions, or what is wrong with the first of them that is none.
    pub(crate) fn read(&self, range: Range<usize>) -> Result<Vec<Position>, Wrong> {
        let read: Vec<Result<Position, Wrong>> =
            range.into_par_iter().map(|index| self.one(index)).collect();
        read.into_iter().collect()
    }

    fn one(&self, index: usize) -> Result<Position, Wrong> {
        let wrong = |error| Wrong { index, error };
        match self {
            Self::List(items) => match &items[index] {
                Item::Position(position) => Ok(*position),
                Item::Fen(text) => {
                    text.parse().map_err(|error: FenError| wrong(errors::value(error)))
                }
            },
            Self::Packed { board, bytes, .. } => {
                let length = Position::packed_bytes(*board);
                let packed = &bytes[index * length..][..length];
                Position::from_packed(*board, packed).map_err(|error| wrong(errors::value(error)))
            }
        }
    }
}

/// Positions of one board as an array of packed positions.
#[pyfunction]
#[pyo3(signature = (positions, /))]
pub(crate) fn pack<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let batch = Batch::list(positions)?;
    let read = py.detach(|| batch.read(0..batch.len()));
    let positions = read.map_err(|wrong| wrong.raised(py))?;
    let Some(first) = positions.first().map(Position::board) else {
        return PyArray1::from_vec(py, Vec::new()).reshape([0, 0]);
    };
    if let Some(index) = positions.iter().position(|position| position.board() != first) {
        let other = positions[index].board();
        let error = errors::value(format!("it is on {other}, the first one on {first}"));
        return Err(Wrong { index, error }.raised(py));
    }
    let packed: Vec<u8> = py.detach(|| positions.iter().flat_map(Position::packed).collect());
    PyArray1::from_vec(py, packed).reshape([positions.len(), Position::packed_bytes(first)])
}

/// The positions of an array of packed positions.
#[pyfunction]
#[pyo3(signature = (board, packed, /))]
pub(crate) fn unpack(
    py: Python<'_>,
    board: &str,
    packed: &Bound<'_, PyUntypedArray>,
) -> PyResult<Vec<PyPosition>> {
    let batch = Batch::packed(packed, self::board(board)?)?;
    let read = py.detach(|| batch.read(0..batch.len()));
    let positions = read.map_err(|wrong| wrong.raised(py))?;
    Ok(positions.into_iter().map(PyPosition).collect())
}
