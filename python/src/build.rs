//! Building tables, and checking tables, opening tables and certificates.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use amazons::error::Refusal;
use amazons::game::rules::Bitboards;
use amazons::machine::shown::Shown as _;
use amazons::proof::check::LEAST_MEMORY;
use amazons::tables::format::Keep;
use amazons::tables::opening::MAGIC;
use amazons::verify::opening;
use amazons::verify::table::{
    Comparison, least_memory, least_sample_memory, verify_all, verify_sample,
};
use amazons::{
    Board, BuildOptions, Colour, Position, StopFlag, Table, build_margins, verify_certificate,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::errors;
use crate::number::{perhaps_whole, whole};
use crate::position::board;
use crate::remote::expect_path;
use crate::table::{CACHE, PyTable, open, open_opening};
use crate::who_solves::WhoSolves;
use crate::work::{self, Progress, Report, all_or_nothing, on_threads};

/// Solves every position of a board into a directory.
#[pyfunction]
#[pyo3(signature = (
    path, board, amazons="4v4", *, keep="all", margins=false, gpu=WhoSolves::Processor, memory=1_073_741_824,
    threads=None, progress=None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn build(
    py: Python<'_>,
    path: PathBuf,
    board: &str,
    amazons: &str,
    keep: &str,
    margins: bool,
    gpu: WhoSolves,
    #[pyo3(from_py_with = whole)] memory: u64,
    #[pyo3(from_py_with = perhaps_whole)] threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyTable> {
    expect_path(&path)?;
    let board = self::board(board)?;
    let amazons = amazons.parse().map_err(errors::value)?;
    let keep = match keep {
        "all" => Keep::All,
        "odd" => Keep::Odd,
        "first" => Keep::First,
        other => {
            return Err(errors::value(format!(
                "keep: expected 'all', 'odd' or 'first', found {other:?}"
            )));
        }
    };
    work::threads(threads)?;
    let mut options = BuildOptions { keep, ..BuildOptions::new(memory) };
    gpu.choose(options.subject(board, amazons), i8::from(margins), &mut options)?;
    let (stop, observer) = (StopFlag::new(), Progress::default());
    let describe = |told: &Bound<'_, PyDict>| observer.describe(told);
    let report = Report { callback: progress, describe: &describe };
    let solve = || {
        on_threads(threads, || {
            if margins {
                let most = None;
                return build_margins(&path, board, amazons, most, &options, &observer, &stop)
                    .map(drop);
            }
            amazons::build(&path, board, amazons, &options, &observer, &stop).map(drop)
        })
    };
    all_or_nothing(py, &stop, &report, solve)??.map_err(errors::build)?;
    Ok(PyTable::of(open(&path, CACHE)?, path))
}

/// What `verify` found; true if nothing is wrong.
#[pyclass(frozen, get_all, module = "amazons_solver")]
pub(crate) struct Verification {
    kind: &'static str,
    ok: bool,
    checked: u64,
    wrong: u64,
    not_checked: u64,
    example: Option<String>,
    reason: Option<String>,
    position: Option<String>,
    winner: Option<String>,
}

#[pymethods]
impl Verification {
    fn __bool__(&self) -> bool {
        self.ok
    }

    fn __repr__(&self) -> String {
        let Self { kind, ok, checked, wrong, .. } = self;
        let ok = if *ok { "True" } else { "False" };
        format!("Verification(kind='{kind}', ok={ok}, checked={checked}, wrong={wrong})")
    }
}

impl Verification {
    fn of(kind: &'static str) -> Self {
        let nothing = (None, None, None, None);
        let (example, reason, position, winner) = nothing;
        Self {
            kind,
            ok: true,
            checked: 0,
            wrong: 0,
            not_checked: 0,
            example,
            reason,
            position,
            winner,
        }
    }

    fn compared(kind: &'static str, board: Board, comparison: &Comparison) -> Self {
        let Comparison { checked, mismatches, first, .. } = *comparison;
        let example = first.map(|first| shown(board, &first));
        let reason = (mismatches > 0)
            .then(|| format!("{mismatches} of {checked} entries are not what their moves say"));
        Self { ok: mismatches == 0, checked, wrong: mismatches, example, reason, ..Self::of(kind) }
    }
}

fn shown(board: Board, position: &Bitboards) -> String {
    let coloured = Position::new(board, position, Colour::White);
    coloured.map_or_else(|flaws| flaws.to_string(), |position| position.to_string())
}

/// Checks a table, an opening table or a certificate.
#[pyfunction]
#[pyo3(signature = (
    path, *, sample=None, seed=None, memory=1_073_741_824, threads=None, progress=None
))]
pub(crate) fn verify(
    py: Python<'_>,
    path: PathBuf,
    #[pyo3(from_py_with = perhaps_whole)] sample: Option<u64>,
    #[pyo3(from_py_with = perhaps_whole)] seed: Option<u64>,
    #[pyo3(from_py_with = whole)] memory: u64,
    #[pyo3(from_py_with = perhaps_whole)] threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Verification> {
    expect_path(&path)?;
    work::threads(threads)?;
    let is_file = path.is_file();
    if is_file && sample.is_some() {
        let words = format!("sample is for tables, {} is none: all of it is checked", path.shown());
        return Err(errors::value(words));
    }
    let sample = match (sample, seed) {
        (None, Some(_)) => return Err(errors::value("seed goes with sample, which is not given")),
        (None, None) => None,
        (Some(0), _) => return Err(errors::value("sample: expected 1 or more, found 0")),
        (Some(count), seed) => Some(Sample { count, seed: seed.unwrap_or(1) }),
    };
    let (stop, observer) = (StopFlag::new(), Progress::default());
    let describe = |told: &Bound<'_, PyDict>| observer.describe(told);
    let report = Report { callback: progress, describe: &describe };
    let check = || {
        on_threads(threads, || match is_file {
            true if begins_as_opening(&path) => {
                // Checking takes a byte a position beside the 9 or more that it takes itself.
                let opening = open_opening(&path, memory / 10 * 9)?;
                let comparison = opening::verify(&opening, &observer, &stop);
                let all: u64 = opening.plies().iter().map(|ply| ply.len() as u64).sum();
                Ok(Verification {
                    not_checked: all - comparison.checked,
                    ..Verification::compared("opening table", opening.board(), &comparison)
                })
            }
            true => certificate(&path, memory, &observer, &stop),
            false => table(open(&path, CACHE)?, sample, memory, &observer, &stop),
        })
    };
    all_or_nothing(py, &stop, &report, check)??
}

/// Whether a regular file begins so; to read from a pipe would wait for its writer.
fn begins_as_opening(path: &Path) -> bool {
    let mut first = [0; MAGIC.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == *MAGIC
}

/// So many random entries of a table.
#[derive(Clone, Copy)]
struct Sample {
    count: u64,
    seed: u64,
}

fn table(
    table: Table,
    sample: Option<Sample>,
    memory: u64,
    observer: &Progress,
    stop: &StopFlag,
) -> PyResult<Verification> {
    let threads = rayon::current_num_threads();
    let (least, wanted) = (table.least_memory(threads), table.wanted_memory(threads));
    let verifying = match sample {
        None => least_memory(&table),
        Some(_) => least_sample_memory(&table, None),
    };
    let needed = least + verifying;
    if memory < needed {
        return Err(errors::too_little("verifying this table", memory, needed));
    }
    // A part of what is left is for frames that stay decoded, the rest for more at a time.
    let held = least + (wanted - least).min((memory - needed) / 4);
    let (table, memory) = (table.with_memory(held), memory - held);
    let comparison = match sample {
        None => verify_all(&table, memory, observer, stop),
        Some(Sample { count, seed }) => {
            let mut random = StdRng::seed_from_u64(seed);
            verify_sample(&table, count, memory, &mut random, observer, stop)
        }
    };
    let comparison = comparison.map_err(|error| errors::table(&error))?;
    Ok(Verification::compared("table", table.board(), &comparison))
}

fn certificate(
    path: &Path,
    memory: u64,
    observer: &Progress,
    stop: &StopFlag,
) -> PyResult<Verification> {
    if memory < LEAST_MEMORY {
        return Err(errors::too_little("checking a certificate", memory, LEAST_MEMORY));
    }
    let open = || File::open(path).map(BufReader::new);
    match verify_certificate(open, memory, observer, stop) {
        Ok((claim, checked)) => Ok(Verification {
            checked: checked.positions,
            position: Some(claim.position.to_string()),
            winner: Some(claim.winner().to_string()),
            ..Verification::of("certificate")
        }),
        Err(Refusal::File(error)) => Err(errors::file(format!("{}: {error}", path.shown()))),
        Err(refusal) => Ok(Verification {
            ok: false,
            reason: Some(refusal.to_string()),
            ..Verification::of("certificate")
        }),
    }
}
