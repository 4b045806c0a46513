//! Work that takes long: on a thread of its own, without Python's lock, while the calling thread
//! looks for Ctrl-C and tells how far it is.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use amazons::machine::progress::{Observer, StopFlag};
use amazons::machine::threads::MOST_THREADS;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors;

/// How often the calling thread looks for Ctrl-C and calls the callback.
const TICK: Duration = Duration::from_millis(50);

/// A callback of the caller, which is given what `describe` puts into a dictionary.
pub(crate) struct Report<'a> {
    pub(crate) callback: Option<Py<PyAny>>,
    pub(crate) describe: &'a (dyn Fn(&Bound<'_, PyDict>) -> PyResult<()> + Sync),
}

/// Nobody is told.
pub(crate) const SILENT: Report<'static> = Report { callback: None, describe: &|_| Ok(()) };

impl Report<'_> {
    fn call(&self, py: Python<'_>) -> PyResult<()> {
        let Some(callback) = &self.callback else { return Ok(()) };
        let told = PyDict::new(py);
        (self.describe)(&told)?;
        callback.call1(py, (told,)).map(drop)
    }
}

/// Does `work` and returns what it returned. Ctrl-C, or an exception of the callback, sets `stop`,
/// which `work` has to obey, and is returned beside it. The callback is also called once after the
/// work was done.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &StopFlag,
    report: &Report<'_>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let (done, mut error) = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let worker = scope.spawn(move || {
                // Dropped when the work is done, or has panicked.
                let _sender = sender;
                work()
            });
            let mut error = None;
            while receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let look = |py: Python<'_>| {
                    py.check_signals()?;
                    report.call(py)
                };
                if error.is_none()
                    && let Err(raised) = Python::attach(look)
                {
                    stop.stop();
                    error = Some(raised);
                }
            }
            (worker.join(), error)
        })
    });
    let done = done.map_err(|panic| errors::fault(words(&*panic)))?;
    if error.is_none() {
        error = py.check_signals().and_then(|()| report.call(py)).err();
    }
    Ok((done, error))
}

/// As [`interruptible`], where what was found until an interruption is of no use.
pub(crate) fn all_or_nothing<T: Send>(
    py: Python<'_>,
    stop: &StopFlag,
    report: &Report<'_>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    match interruptible(py, stop, report, work)? {
        (done, None) => Ok(done),
        (_, Some(error)) => Err(error),
    }
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("a fault of the library, please report it: {}", text.unwrap_or_default())
}

/// How far a build or a check is.
#[derive(Default)]
pub(crate) struct Progress {
    stage: Mutex<Stage>,
    done: AtomicU64,
}

#[derive(Clone, Default)]
struct Stage {
    name: String,
    total: u64,
    unit: String,
}

impl Observer for Progress {
    fn begin(&self, stage: &str, total: u64, unit: &str) {
        let stage = Stage { name: stage.to_string(), total, unit: unit.to_string() };
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        self.done.store(0, Ordering::Relaxed);
    }

    fn add(&self, count: u64) {
        self.done.fetch_add(count, Ordering::Relaxed);
    }
}

impl Progress {
    pub(crate) fn describe(&self, told: &Bound<'_, PyDict>) -> PyResult<()> {
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
        told.set_item("stage", stage.name)?;
        told.set_item("done", self.done.load(Ordering::Relaxed))?;
        told.set_item("total", stage.total)?;
        told.set_item("unit", stage.unit)
    }
}

/// Does `work` on so many threads, or on one for each processor.
pub(crate) fn on_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let Some(threads) = threads else { return Ok(work()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(pool.map_err(errors::fault)?.install(work))
}

/// A number of threads; by default that of the processors.
pub(crate) fn threads(given: Option<usize>) -> PyResult<usize> {
    match given {
        Some(threads @ 1..=MOST_THREADS) => Ok(threads),
        Some(other) => {
            Err(errors::value(format!("threads: expected 1 to {MOST_THREADS}, found {other}")))
        }
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS)),
    }
}
