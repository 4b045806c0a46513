//! Positions.

use std::hash::{DefaultHasher, Hash, Hasher};

use amazons::game::notation::{Symbols, diagram};
use amazons::game::rules::Setup;
use amazons::{Board, Move, Outcome, Position, Square};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyType};

use crate::errors;

/// A legal position, from its FEN. It never changes.
#[pyclass(frozen, eq, name = "Position", module = "amazons_solver")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PyPosition(pub(crate) Position);

/// A position, or the FEN of one.
pub(crate) fn given(object: &Bound<'_, PyAny>) -> PyResult<Position> {
    if let Ok(position) = object.cast::<PyPosition>() {
        return Ok(position.get().0);
    }
    match object.cast::<PyString>() {
        Ok(text) => text.to_str()?.parse().map_err(errors::value),
        Err(_) => Err(other_type(object)),
    }
}

/// The error that something is no position.
pub(crate) fn other_type(object: &Bound<'_, PyAny>) -> PyErr {
    let found = object.get_type();
    let found = found.name().map_or_else(|_| "something else".into(), |name| name.to_string());
    PyTypeError::new_err(format!("expected a Position or a FEN, found {found}"))
}

pub(crate) fn board(text: &str) -> PyResult<Board> {
    text.parse().map_err(errors::value)
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (fen, /))]
    fn new(fen: &str) -> PyResult<Self> {
        fen.parse().map(Self).map_err(errors::value)
    }

    #[classmethod]
    #[pyo3(signature = (board, amazons=None))]
    fn start(_: &Bound<'_, PyType>, board: &str, amazons: Option<&str>) -> PyResult<Self> {
        let board = self::board(board)?;
        let start = match amazons {
            None => Position::start(board),
            Some(text) => Position::start_with(board, text.parse().map_err(errors::value)?),
        };
        start.map(Self).map_err(errors::value)
    }

    #[classmethod]
    #[pyo3(signature = (board, packed, /))]
    fn from_packed(_: &Bound<'_, PyType>, board: &str, packed: &[u8]) -> PyResult<Self> {
        Position::from_packed(self::board(board)?, packed).map(Self).map_err(errors::value)
    }

    fn packed<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.packed())
    }

    #[getter]
    fn fen(&self) -> String {
        self.0.to_string()
    }

    #[getter]
    fn board(&self) -> String {
        self.0.board().to_string()
    }

    #[getter]
    fn columns(&self) -> usize {
        self.0.board().columns()
    }

    #[getter]
    fn rows(&self) -> usize {
        self.0.board().rows()
    }

    #[getter]
    fn turn(&self) -> String {
        self.0.turn().to_string()
    }

    #[getter]
    fn amazons(&self) -> String {
        self.0.sides().to_string()
    }

    #[getter]
    fn white(&self) -> PyResult<Vec<String>> {
        self.squares(|setup| setup.white.iter().collect())
    }

    #[getter]
    fn black(&self) -> PyResult<Vec<String>> {
        self.squares(|setup| setup.black.iter().collect())
    }

    #[getter]
    fn burned(&self) -> PyResult<Vec<String>> {
        self.squares(|setup| setup.arrows.iter().collect())
    }

    fn moves(&self) -> Vec<String> {
        self.0.moves().map(|played| played.to_string()).collect()
    }

    #[pyo3(signature = (played, /))]
    fn play(&self, played: &str) -> PyResult<Self> {
        let played: Move = played.parse().map_err(errors::value)?;
        self.0.play(played).map(Self).map_err(errors::value)
    }

    #[getter]
    fn outcome(&self) -> Option<bool> {
        self.end().map(Outcome::is_win)
    }

    #[getter]
    fn winner(&self) -> Option<String> {
        self.end().map(|outcome| outcome.winner(self.0.turn()).to_string())
    }

    #[pyo3(name = "to_array")]
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let setup = self.0.setup();
        let mut squares = vec![0; setup.board.squares()];
        for (set, contents) in [(setup.white, 1), (setup.black, 2), (setup.arrows, 3)] {
            set.iter().for_each(|square| squares[square.index()] = contents);
        }
        PyArray1::from_vec(py, squares).reshape([setup.board.rows(), setup.board.columns()])
    }

    #[pyo3(signature = (ascii=false))]
    fn diagram(&self, ascii: bool) -> String {
        diagram(&self.0, if ascii { Symbols::Ascii } else { Symbols::Unicode })
    }

    fn svg(&self) -> String {
        self.0.svg()
    }

    fn _repr_svg_(&self) -> String {
        self.0.svg()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        (slf.get_type(), (slf.get().fen(),))
    }
}

impl PyPosition {
    /// What the side to move has reached, if the game is over: without a move it has lost.
    fn end(&self) -> Option<Outcome> {
        (self.0.moves().len() == 0).then_some(Outcome::Loss)
    }

    fn squares(
        &self,
        of: impl Fn(&Setup) -> Vec<amazons::game::board::SquareIndex>,
    ) -> PyResult<Vec<String>> {
        let setup = self.0.setup();
        let name = |square| Square::of(setup.board, square).map(|square| square.to_string());
        of(&setup).into_iter().map(|square| name(square).map_err(errors::fault)).collect()
    }
}
