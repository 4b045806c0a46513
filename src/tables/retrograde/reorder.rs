//! A reorder buffer: work is done out of order by many threads and handed on in order.
//!
//! Threads take numbers 0, 1, 2, ... and finish them in any order; the sink must get them in order.
//! Whoever finishes the number that is next hands on all that are ready, and what comes meanwhile,
//! while the others leave their results and go on. A thread that is far ahead waits, so that at
//! most `window` results are held; the thread with the next number never waits, so there is always
//! progress.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Results on their way from the threads to the sink `S`, which gets them in order.
pub(super) struct ReorderBuffer<T, S> {
    state: Mutex<State<T>>,
    /// Whoever hands on holds it, for as long as that takes; nobody else asks for it.
    sink: Mutex<S>,
    moved: Condvar,
    window: u64,
}

struct State<T> {
    /// The first number that the sink does not have.
    next: u64,
    waiting: BTreeMap<u64, T>,
    /// Whether somebody hands on.
    draining: bool,
    failed: bool,
}

impl<T> State<T> {
    /// Takes the results that are next, without a gap.
    fn take_ready(&mut self) -> Vec<T> {
        (self.next..).map_while(|number| self.waiting.remove(&number)).collect()
    }
}

impl<T, S> ReorderBuffer<T, S> {
    /// Begins with number `first`; at most `window` numbers may be ahead of the next.
    pub(super) fn new(first: u64, window: u64, sink: S) -> Self {
        let state = State { next: first, waiting: BTreeMap::new(), draining: false, failed: false };
        Self { state: Mutex::new(state), sink: Mutex::new(sink), moved: Condvar::new(), window }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves the result of `number`. If it is the next one and nobody hands on, hands it on with
    /// all that follow, in order, to `accept`.
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
        let mut state = self.state();
        state.waiting.insert(number, result);
        loop {
            if state.failed {
                return Ok(false);
            }
            if !state.draining && state.waiting.contains_key(&state.next) {
                state.draining = true;
                drop(state);
                self.drain(&mut accept)?;
                state = self.state();
            } else if number >= state.next + self.window {
                state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
            } else {
                return Ok(true);
            }
        }
    }

    /// Hands on until the next number is missing, or all is over.
    fn drain<E>(&self, accept: &mut impl FnMut(&mut S, u64, T) -> Result<(), E>) -> Result<(), E> {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.state();
        loop {
            let (first, ready) = (state.next, state.take_ready());
            if state.failed || ready.is_empty() {
                state.draining = false;
                return Ok(());
            }
            drop(state);
            let after = first + ready.len() as u64;
            for (number, result) in (first..).zip(ready) {
                if let Err(error) = accept(&mut sink, number, result) {
                    self.abandon();
                    return Err(error);
                }
            }
            state = self.state();
            state.next = after;
            self.moved.notify_all();
        }
    }

    /// Wakes all that wait and accepts no more: the thread that had the next number has given up.
    pub(super) fn abandon(&self) {
        self.state().failed = true;
        self.moved.notify_all();
    }

    /// Abandons the buffer if the thread that holds this unwinds: those that wait for its number
    /// would wait for ever.
    pub(super) fn abandon_on_panic(&self) -> AbandonOnPanic<'_, T, S> {
        AbandonOnPanic(self)
    }

    /// The sink, with everything that was handed on.
    pub(super) fn into_sink(self) -> S {
        self.sink.into_inner().unwrap_or_else(PoisonError::into_inner)
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
    fn results_are_left_while_somebody_hands_on() {
        let buffer = ReorderBuffer::new(0, 3, Vec::new());
        let keep = |sink: &mut Vec<u64>, number, ()| {
            if number == 0 {
                // Neither waits for this one: both are within the window.
                assert_eq!(buffer.push(1, (), |_, _, ()| Err("handed on twice")), Ok(true));
                assert_eq!(buffer.push(2, (), |_, _, ()| Err("handed on twice")), Ok(true));
            }
            sink.push(number);
            Ok::<(), &str>(())
        };
        assert_eq!(buffer.push(0, (), keep), Ok(true));
        assert_eq!(buffer.into_sink(), [0, 1, 2]);
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
