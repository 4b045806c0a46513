//! Work that hears of no request to stop, such as a call of a C library or of the system: whoever
//! waits for it does not wait longer than for the request.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use super::progress::StopFlag;

/// How often a request to stop is looked for.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// What comes of work that is done on a thread of its own; `None` if somebody asks to stop before.
///
/// Then the thread goes on until the work is done or the process ends. So nobody may wait for what
/// the work holds.
///
/// # Panics
/// If the work does, or the system gives no thread.
pub(crate) fn unless_stopped<T: Send + 'static>(
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (done, result) = sync_channel(1);
    let thread = std::thread::spawn(move || {
        // Nobody hears of work that was abandoned.
        let _ = done.send(work());
    });
    loop {
        if stop.is_set() {
            return None;
        }
        match result.recv_timeout(LOOK) {
            Ok(done) => return Some(done),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("it has sent what came of its work"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn work_is_done_or_abandoned() {
        let stop = StopFlag::new();
        assert_eq!(unless_stopped(&stop, || 3), Some(3));
        let (asked, (end, ended)) = (stop.clone(), channel::<()>());
        let waiting = move || {
            asked.stop();
            ended.recv().is_err()
        };
        assert_eq!(unless_stopped(&stop, waiting), None);
        drop(end);
    }

    #[test]
    #[should_panic = "as told"]
    fn a_panic_is_passed_on() {
        unless_stopped(&StopFlag::new(), || panic!("as told"));
    }
}
