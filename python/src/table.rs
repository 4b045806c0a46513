//! Tables and opening tables.

use std::path::{Path, PathBuf};

use amazons::error::TableError;
use amazons::machine::shown::Shown as _;
use amazons::tables::format::Sampler;
use amazons::tables::opening::Opening;
use amazons::tables::value_source::{TableAnswer, ValueSource};
use amazons::{Board, Move, Outcome, Position, SampleBy, StopFlag, Table, TableMargin};
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::{Batch, Wrong};
use crate::errors;
use crate::number::whole;
use crate::position::{PyPosition, given};
use crate::remote;
use crate::work::{SILENT, all_or_nothing};

/// A table (a directory) or an opening table (a file), from its path or its address.
#[pyclass(frozen, name = "Table", module = "amazons_solver")]
pub(crate) struct PyTable {
    source: ValueSource,
    path: PathBuf,
}

/// Packed positions, and whether the side to move wins.
type Sample<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray1<bool>>);

/// What a table answers of some positions, in the same order; `None` if somebody asked to stop.
type Answers<A> = Option<Vec<Result<A, TableError>>>;

/// Fewer positions are looked up without a thread that looks for Ctrl-C.
const FEW: usize = 1 << 12;
/// Positions that are looked up together; Ctrl-C is obeyed between them.
const TOGETHER: usize = 1 << 21;
/// Bytes that a position takes while it is drawn and looked up.
const DRAWN: usize = 256;

impl PyTable {
    pub(crate) fn of(table: Table, path: PathBuf) -> Self {
        Self { source: ValueSource::Table(table), path }
    }
}

/// Bytes of decoded frames that a table keeps if nothing is said.
pub(crate) const CACHE: u64 = 268_435_456;

/// An empty list with room for so much: memory that cannot be had is an error here, and ends the
/// process where a list grows.
fn room<T>(count: usize) -> PyResult<Vec<T>> {
    let mut list = Vec::new();
    let words = |error| errors::memory(format!("no memory for the positions: {error}"));
    list.try_reserve_exact(count).map_err(words)?;
    // An allocation that is given back unused might be left out by the compiler.
    std::hint::black_box(list.as_mut_ptr());
    Ok(list)
}

/// Opens the table of a directory. Its files are read and not mapped: one that is cut while it is
/// in use is an error then, and does not end the process.
pub(crate) fn open(path: &Path, cache: u64) -> PyResult<Table> {
    let table = Table::open(path).map_err(|error| errors::table(&error))?;
    Ok(table.without_maps().with_cache(cache))
}

/// Reads the opening table of a file, in so many bytes of memory.
pub(crate) fn open_opening(path: &Path, memory: u64) -> PyResult<Opening> {
    Opening::open(path, memory).map_err(|error| errors::opening(path, &error))
}

#[pymethods]
impl PyTable {
    #[new]
    #[pyo3(signature = (path, /, *, cache=268_435_456))]
    fn new(
        py: Python<'_>,
        path: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = whole)] cache: u64,
    ) -> PyResult<Self> {
        if let Some(address) = remote::address(path) {
            return Ok(Self { source: remote::open(py, &address, cache)?, path: address.into() });
        }
        let path: PathBuf = path.extract()?;
        let source = py.detach(|| match path.is_file() {
            true => open_opening(&path, u64::MAX)
                .map(|opening| ValueSource::Opening(opening, path.clone())),
            false => open(&path, cache).map(ValueSource::Table),
        })?;
        Ok(Self { source, path })
    }

    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // An address is text, and no path to a file.
        match self.path.to_str().filter(|path| remote::is_address(path)) {
            Some(address) => Ok(address.into_pyobject(py)?.into_any()),
            None => Ok(self.path.clone().into_pyobject(py)?.into_any()),
        }
    }

    #[getter]
    fn board(&self) -> String {
        match &self.source {
            ValueSource::Table(table) => table.board().to_string(),
            ValueSource::Opening(opening, _) => opening.board().to_string(),
        }
    }

    #[getter]
    fn amazons(&self) -> String {
        match &self.source {
            ValueSource::Table(table) => table.manifest().subject.amazons.to_string(),
            ValueSource::Opening(opening, _) => opening.start().sides().to_string(),
        }
    }

    #[getter]
    fn start(&self) -> PyResult<PyPosition> {
        let start = match &self.source {
            ValueSource::Table(table) => {
                Position::start_with(table.board(), table.manifest().subject.amazons)
            }
            ValueSource::Opening(opening, _) => Ok(*opening.start()),
        };
        start.map(PyPosition).map_err(errors::value)
    }

    #[getter]
    fn tiers<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let tier = |arrows: usize, positions: u64, wins: u64, stored: bool| {
            let told = PyDict::new(py);
            told.set_item("arrows", arrows)?;
            told.set_item("positions", positions)?;
            told.set_item("wins", wins)?;
            told.set_item("stored", stored)?;
            Ok(told)
        };
        match &self.source {
            ValueSource::Table(table) => table
                .manifest()
                .tiers
                .iter()
                .map(|record| {
                    let told = tier(record.arrows, record.positions, record.wins, record.stored)?;
                    told.set_item("mover", record.mover)?;
                    told.set_item("opponent", record.opponent)?;
                    Ok(told)
                })
                .collect(),
            ValueSource::Opening(opening, _) => {
                let first = opening.start().burned();
                let plies = opening.plies().iter().enumerate();
                plies
                    .map(|(number, ply)| {
                        tier(first + number, ply.len() as u64, ply.wins() as u64, true)
                    })
                    .collect()
            }
        }
    }

    #[pyo3(signature = (position, /))]
    fn value(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<bool> {
        let position = given(position)?;
        let value = py.detach(|| self.source.value(&position));
        value.map(Outcome::is_win).map_err(|error| errors::table(&error))
    }

    #[pyo3(signature = (position, /))]
    fn moves<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let position = given(position)?;
        let known = py.detach(|| self.source.look_up(&position));
        let moves = match known.map_err(|error| errors::table(&error))? {
            TableAnswer::All(answer) => answer.moves,
            TableAnswer::Outcome(_) => {
                return Err(errors::value(format!(
                    "{} ends with {position}: it has its value, not those of its moves",
                    self.path.shown()
                )));
            }
        };
        let told = PyDict::new(py);
        for (played, outcome) in moves {
            let played = Move::of(position.board(), played).map_err(errors::fault)?;
            told.set_item(played.to_string(), outcome.is_win())?;
        }
        Ok(told)
    }

    #[pyo3(signature = (positions, /))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let batch = Batch::of(positions, self.whose())?;
        let ask =
            |positions: &[Position], stop: &StopFlag| self.source.values_until(positions, stop);
        look_up(py, &batch, ask, |value: Outcome| Ok(value.is_win()))
    }

    #[pyo3(signature = (positions, /))]
    fn margins<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let ValueSource::Table(table) = &self.source else {
            return Err(errors::value(format!(
                "{} is an opening table: margins are those of tables",
                self.path.shown()
            )));
        };
        if !table.stored().has_all_layers() {
            return Err(errors::value(format!(
                "{} does not know all margins: build it with margins=True",
                self.path.shown()
            )));
        }
        let batch = Batch::of(positions, self.whose())?;
        let ask = |positions: &[Position], stop: &StopFlag| table.margins_until(positions, stop);
        look_up(py, &batch, ask, |margin: Option<TableMargin>| {
            let exact = margin.and_then(TableMargin::exact);
            let exact = exact.ok_or_else(|| errors::fault("its margin is not known"))?;
            // A board of a table has at most 64 squares.
            Ok(exact.spare() as i8)
        })
    }

    #[pyo3(signature = (count, seed=1, *, by="positions"))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole)] count: usize,
        #[pyo3(from_py_with = whole)] seed: u64,
        by: &str,
    ) -> PyResult<Sample<'py>> {
        let by = match by {
            "positions" => SampleBy::Positions,
            "tiers" => SampleBy::Tiers,
            other => {
                let words = format!("by: expected 'positions' or 'tiers', found {other:?}");
                return Err(errors::value(words));
            }
        };
        let ValueSource::Table(table) = &self.source else {
            return Err(errors::value(format!(
                "{} is an opening table: samples are drawn from tables",
                self.path.shown()
            )));
        };
        let bytes = Position::packed_bytes(table.board());
        let stop = StopFlag::new();
        let draw = || {
            let failed = |error: TableError| errors::table(&error);
            let mut sampler = Sampler::new(table, by, seed).map_err(failed)?;
            let mut packed: Vec<u8> = room(count.saturating_mul(bytes))?;
            let mut wins: Vec<bool> = room(count)?;
            // What drawing takes cannot fail in small, so it is seen first whether there is room.
            room::<u8>(count.min(TOGETHER) * DRAWN)?;
            while wins.len() < count && !stop.is_set() {
                let together = (count - wins.len()).min(TOGETHER);
                let positions: Vec<Position> = sampler.by_ref().take(together).collect();
                if positions.is_empty() {
                    return Err(errors::fault("the table has more positions than can be counted"));
                }
                let Some(values) = table.values_until(&positions, &stop) else { break };
                for (position, value) in positions.iter().zip(values) {
                    packed.extend(position.packed());
                    wins.push(value.map_err(failed)?.is_win());
                }
            }
            Ok((packed, wins))
        };
        let (packed, wins) = all_or_nothing(py, &stop, &SILENT, draw)??;
        let packed = PyArray1::from_vec(py, packed).reshape([count, bytes])?;
        Ok((packed, wins.into_pyarray(py)))
    }

    fn __repr__(&self) -> String {
        format!("Table('{}'): {} {}", self.path.shown(), self.board(), self.amazons())
    }
}

impl PyTable {
    fn whose(&self) -> Board {
        match &self.source {
            ValueSource::Table(table) => table.board(),
            ValueSource::Opening(opening, _) => opening.board(),
        }
    }
}

/// What a table answers of each position of a batch, as an array; Ctrl-C ends it.
fn look_up<'py, A: Send, T: Element + Send>(
    py: Python<'py>,
    batch: &Batch,
    ask: impl Fn(&[Position], &StopFlag) -> Answers<A> + Sync,
    take: impl Fn(A) -> PyResult<T> + Sync,
) -> PyResult<Bound<'py, PyArray1<T>>> {
    let stop = StopFlag::new();
    let work = || many(batch, &stop, &ask, &take);
    let found =
        if batch.len() < FEW { py.detach(work) } else { all_or_nothing(py, &stop, &SILENT, work)? };
    found.map(|found| found.into_pyarray(py)).map_err(|error| error.raised(py))
}

/// What is answered of each position, or what is wrong with the first that fails.
fn many<A, T>(
    batch: &Batch,
    stop: &StopFlag,
    ask: impl Fn(&[Position], &StopFlag) -> Answers<A>,
    take: impl Fn(A) -> PyResult<T>,
) -> Result<Vec<T>, Wrong> {
    let mut found = Vec::with_capacity(batch.len());
    while found.len() < batch.len() && !stop.is_set() {
        let first = found.len();
        let positions = batch.read(first..batch.len().min(first + TOGETHER))?;
        let Some(answers) = ask(&positions, stop) else { break };
        for (index, answer) in (first..).zip(answers) {
            let answer = answer.map_err(|error| errors::table(&error)).and_then(&take);
            found.push(answer.map_err(|error| Wrong { index, error })?);
        }
    }
    Ok(found)
}
