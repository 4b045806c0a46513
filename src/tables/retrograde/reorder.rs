//! A reorder buffer: work is done out of order by many threads and handed on in order.
//!
//! Threads take numbers 0, 1, 2, ... and finish them in any order; the sink must get them in order.
//! Whoever finishes the number that is next passes it on, with all that wait behind it. A thread
//! that is far ahead waits, so that at most `window` results are held; the thread with the next
//! number never waits, so there is always progress.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};

/// Results on their way from the threads to the sink `S`, which gets them in order.
pub(super) struct ReorderBuffer<T, S> {
    state: Mutex<State<T, S>>,
    moved: Condvar,
    window: u64,
}

struct State<T, S> {
    next: u64,
    waiting: BTreeMap<u64, T>,
    sink: S,
    failed: bool,
}

impl<T, S> ReorderBuffer<T, S> {
    /// Begins with number `first`; at most `window` numbers may be ahead of the next.
    pub(super) fn new(first: u64, window: u64, sink: S) -> Self {
        let state = State { next: first, waiting: BTreeMap::new(), sink, failed: false };
        Self { state: Mutex::new(state), moved: Condvar::new(), window }
    }

    /// Hands on the result of `number`, and all that waited for it, in order, to `accept`.
    ///
    /// Returns `false` if an earlier call failed; nothing is accepted any more.
    ///
    /// # Errors
    /// The error of `accept`; the buffer has failed then.
    pub(super) fn push<E>(
        &self,
        number: u64,
        result: T,
        mut accept: impl FnMut(&mut S, u64, T) -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting.insert(number, result);
        loop {
            if state.failed {
                return Ok(false);
            }
            let next = state.next;
            if let Some(result) = state.waiting.remove(&next) {
                if let Err(error) = accept(&mut state.sink, next, result) {
                    state.failed = true;
                    self.moved.notify_all();
                    return Err(error);
                }
                state.next += 1;
                self.moved.notify_all();
            } else if number >= next + self.window {
                state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
            } else {
                return Ok(true);
            }
        }
    }

    /// Wakes all that wait and accepts no more: the thread that had the next number has given up.
    pub(super) fn abandon(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).failed = true;
        self.moved.notify_all();
    }

    /// Abandons the buffer if the thread that holds this unwinds: those that wait for its number
    /// would wait for ever.
    pub(super) fn abandon_on_panic(&self) -> AbandonOnPanic<'_, T, S> {
        AbandonOnPanic(self)
    }

    /// The sink, with everything that was handed on.
    pub(super) fn into_sink(self) -> S {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).sink
    }
}

/// See [`ReorderBuffer::abandon_on_panic`].
pub(super) struct AbandonOnPanic<'a, T, S>(&'a ReorderBuffer<T, S>);

impl<T, S> Drop for AbandonOnPanic<'_, T, S> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn results_come_in_order_from_many_threads() {
        let end = if cfg!(miri) { 200 } else { 1000 };
        let buffer = ReorderBuffer::new(3, 5, Vec::new());
        let taken = AtomicU64::new(3);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    loop {
                        let number = taken.fetch_add(1, Ordering::Relaxed);
                        if number >= end {
                            break;
                        }
                        let accept = |sink: &mut Vec<u64>, number, result: u64| {
                            assert_eq!(result, 7 * number);
                            sink.push(number);
                            Ok::<(), ()>(())
                        };
                        assert_eq!(buffer.push(number, 7 * number, accept), Ok(true));
                    }
                });
            }
        });
        assert_eq!(buffer.into_sink(), (3..end).collect::<Vec<u64>>());
    }

    #[test]
    fn a_failure_frees_everyone() {
        let buffer = ReorderBuffer::new(0, 1, ());
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| buffer.push(4, (), |_, _, ()| Ok::<(), ()>(())));
            assert_eq!(buffer.push(0, (), |_, _, ()| Err("full")), Err("full"));
            assert_eq!(waits.join().unwrap(), Ok(false));
        });
    }

    #[test]
    fn a_panic_frees_everyone_and_goes_on() {
        let buffer = ReorderBuffer::new(0, 1, ());
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| buffer.push(4, (), |_, _, ()| Ok::<(), ()>(())));
            let panics = || {
                let _guard = buffer.abandon_on_panic();
                buffer.push(0, (), |_, _, ()| -> Result<(), ()> { panic!("a listener's own") })
            };
            let panic = catch_unwind(AssertUnwindSafe(panics)).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"a listener's own"));
            assert_eq!(waits.join().unwrap(), Ok(false));
        });
        // Where nothing panics a guard does nothing.
        let whole = ReorderBuffer::new(0, 1, ());
        drop(whole.abandon_on_panic());
        assert_eq!(whole.push(0, (), |_, _, ()| Ok::<(), ()>(())), Ok(true));
    }
}
