//! Work on all threads of the pool whose results are taken in order.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::error::BuildError;
use super::reorder::ReorderBuffer;
use crate::machine::progress::StopFlag;

/// Results that may be finished ahead of the one that is taken next, for each thread.
pub(super) const WINDOW_PER_THREAD: u64 = 4;

/// Does the work of some numbers and returns `sink`, which `accept` has given the results in order,
/// and what ended the work: the first error is the one to report.
///
/// Every thread takes numbers from a counter and works with a `worker` of its own. One that finds
/// nothing ends the work: whoever else works has failed, and says why. `beside` calls what it gets,
/// which returns when all is done or given up; meanwhile it may do a part of the work itself.
pub(super) fn in_order<T: Send, S: Send, W>(
    numbers: Range<u64>,
    stop: &StopFlag,
    sink: S,
    beside: impl FnOnce(&(dyn Fn() + Sync)) -> Result<(), BuildError>,
    worker: impl Fn() -> Result<W, BuildError> + Sync,
    accept: impl Fn(&mut S, u64, T) -> Result<(), BuildError> + Sync,
) -> (S, Result<(), BuildError>)
where
    W: FnMut(u64) -> Result<Option<T>, BuildError>,
{
    let window = WINDOW_PER_THREAD * rayon::current_num_threads() as u64;
    let buffer = ReorderBuffer::new(numbers.start, window, sink);
    let (next, failure) = (AtomicU64::new(numbers.start), Mutex::new(None));
    let work = || -> Result<(), BuildError> {
        let mut worker = worker()?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return Ok(());
            }
            if stop.is_set() {
                return Err(BuildError::Stopped);
            }
            let Some(result) = worker(number)? else {
                buffer.abandon();
                return Ok(());
            };
            if !buffer.push(number, result, &accept)? {
                return Ok(());
            }
        }
    };
    let all = || {
        rayon::broadcast(|_| {
            let _guard = buffer.abandon_on_panic();
            if let Err(error) = work() {
                buffer.abandon();
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        });
    };
    let done = beside(&all);
    let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    (buffer.into_sink(), failure.map_or(done, Err))
}
