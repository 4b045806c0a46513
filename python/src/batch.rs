//! Many positions at a time: lists of positions and of FENs, and arrays of packed positions.

use std::ops::Range;

use amazons::error::FenError;
use amazons::{Board, Position, StopFlag};
use numpy::{
    PyArray1, PyArray2, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use rayon::prelude::*;

use crate::errors;
use crate::position::{PyPosition, board, other_type};
use crate::work::{SILENT, all_or_nothing};

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
        // No rows may have any length: `pack` of no positions knows no board.
        if found != expected && count > 0 {
            return Err(errors::value(format!("{wanted}, found {count} x {found}")));
        }
        let rows = rows.try_readonly()?;
        let bytes = match rows.as_slice() {
            Ok(bytes) if rows.is_c_contiguous() => bytes.to_vec(),
            // Rows that do not lie one behind the other.
            _ => rows.as_array().iter().copied().collect(),
        };
        Ok(Self::Packed { board, bytes, count })
    }

    fn list(positions: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = positions.py();
        let item = |(index, item): (usize, PyResult<Bound<'_, PyAny>>)| {
            look_for_signals(py, index)?;
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

/// Python's objects that are made or read one after the other before Ctrl-C is looked for.
const OBJECTS: usize = 1 << 14;
/// Fewer positions are read without a thread that looks for Ctrl-C.
const FEW: usize = 1 << 12;
/// Positions that are read together; Ctrl-C is obeyed between them.
const TOGETHER: usize = 1 << 16;

/// Raises what Ctrl-C has asked for, now and then while objects are gone through.
fn look_for_signals(py: Python<'_>, index: usize) -> PyResult<()> {
    if index.is_multiple_of(OBJECTS) { py.check_signals() } else { Ok(()) }
}

/// Reads a batch in pieces, each of which is given to `take` with the number of its first position;
/// Ctrl-C ends it.
fn read_in_pieces<T: Default + Send>(
    py: Python<'_>,
    batch: &Batch,
    take: impl Fn(&mut T, usize, &[Position]) -> Result<(), Wrong> + Sync,
) -> PyResult<T> {
    let stop = StopFlag::new();
    let work = || -> Result<T, Wrong> {
        let (mut taken, mut first) = (T::default(), 0);
        while first < batch.len() && !stop.is_set() {
            let end = batch.len().min(first + TOGETHER);
            take(&mut taken, first, &batch.read(first..end)?)?;
            first = end;
        }
        Ok(taken)
    };
    let read = match batch.len() < FEW {
        true => py.detach(work),
        false => all_or_nothing(py, &stop, &SILENT, work)?,
    };
    read.map_err(|wrong| wrong.raised(py))
}

/// Positions that are packed, and the board of the first of them.
#[derive(Default)]
struct Packing {
    board: Option<Board>,
    bytes: Vec<u8>,
}

impl Packing {
    /// Packs one more position, which must be on the board of the others.
    fn add(&mut self, index: usize, position: &Position) -> Result<(), Wrong> {
        let first = *self.board.get_or_insert(position.board());
        let other = position.board();
        if other != first {
            let error = errors::value(format!("it is on {other}, the first one on {first}"));
            return Err(Wrong { index, error });
        }
        self.bytes.extend(position.packed());
        Ok(())
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
    let packing = read_in_pieces(py, &batch, |packing: &mut Packing, first, positions| {
        let numbered = (first..).zip(positions);
        numbered.into_iter().try_for_each(|(index, position)| packing.add(index, position))
    })?;
    let length = packing.board.map_or(0, Position::packed_bytes);
    PyArray1::from_vec(py, packing.bytes).reshape([batch.len(), length])
}

/// The positions of an array of packed positions.
#[pyfunction]
#[pyo3(signature = (board, packed, /))]
pub(crate) fn unpack<'py>(
    py: Python<'py>,
    board: &str,
    packed: &Bound<'py, PyUntypedArray>,
) -> PyResult<Bound<'py, PyList>> {
    let batch = Batch::packed(packed, self::board(board)?)?;
    let read = read_in_pieces(py, &batch, |all: &mut Vec<Position>, _, positions| {
        all.extend(positions);
        Ok(())
    })?;
    let list = PyList::empty(py);
    for (index, position) in read.into_iter().enumerate() {
        look_for_signals(py, index)?;
        list.append(PyPosition(position))?;
    }
    Ok(list)
}
