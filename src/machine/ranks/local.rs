//! Ranks that are threads of one process, for tests of what ranks do together.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::message::{Kind, Link, Message};
use super::{Ending, LOST_AFTER, Ranks};

struct Channels {
    rank: usize,
    /// Whether no message comes to it or from it.
    cut: Arc<AtomicBool>,
    to: Vec<Sender<Message>>,
    from: Receiver<Message>,
}

impl Link for Channels {
    fn send(&self, to: usize, kind: Kind, bytes: &[u8]) {
        if self.cut.load(Ordering::Relaxed) {
            return;
        }
        // Who has ended needs no messages.
        let _ = self.to[to].send(Message { from: self.rank, kind, bytes: bytes.into() });
    }

    fn receive(&self) -> Option<Message> {
        if self.cut.load(Ordering::Relaxed) { None } else { self.from.try_recv().ok() }
    }
}

/// Calls `command` as each of `size` ranks, and ends them together as processes end.
///
/// Returns what rank 0 says came of it.
///
/// # Panics
/// If `command` panics.
pub fn in_threads(size: usize, command: impl Fn(&Ranks) -> Ending + Sync) -> Ending {
    let cut: Vec<Arc<AtomicBool>> = (0..size).map(|_| Arc::default()).collect();
    in_threads_cut(&cut, LOST_AFTER, command)
}

/// As [`in_threads`], of as many ranks as there are flags: no message comes to a rank or from it
/// while its flag is set. They are taken back when rank 0 has ended.
///
/// # Panics
/// If `command` panics.
pub fn in_threads_cut(
    cut: &[Arc<AtomicBool>],
    lost_after: Duration,
    command: impl Fn(&Ranks) -> Ending + Sync,
) -> Ending {
    let size = cut.len();
    let (to, from): (Vec<_>, Vec<_>) = (0..size).map(|_| channel()).unzip();
    let command = &command;
    let mend = |rank| {
        if rank == 0 {
            cut.iter().for_each(|cut| cut.store(false, Ordering::Relaxed));
        }
    };
    let mend = &mend;
    std::thread::scope(|scope| {
        let start = |(rank, from)| {
            let to = to.clone();
            scope.spawn(move || {
                let link = Channels { rank, cut: cut[rank].clone(), to, from };
                let ranks = Ranks { lost_after, ..Ranks::linked(rank, size, Box::new(link)) };
                // Who panics ends the others, too: they would wait for ever.
                match catch_unwind(AssertUnwindSafe(|| command(&ranks))) {
                    Ok(outcome) => {
                        let ended = ranks.end(outcome);
                        mend(rank);
                        ended
                    }
                    Err(panic) => {
                        // Before the end, which waits for all that are not lost.
                        mend(rank);
                        ranks.end(Ending::Failed(101, "panicked".into()));
                        resume_unwind(panic)
                    }
                }
            })
        };
        let ranks: Vec<_> = from.into_iter().enumerate().map(start).collect();
        let join = |rank: std::thread::ScopedJoinHandle<'_, Ending>| {
            rank.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        ranks.into_iter().map(join).next().unwrap_or(Ending::Done)
    })
}
