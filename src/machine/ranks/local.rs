//! Ranks that are threads of one process, for tests of what ranks do together.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::message::{Kind, Link, Message};
use super::{Ending, Ranks};

struct Channels {
    rank: usize,
    to: Vec<Sender<Message>>,
    from: Receiver<Message>,
}

impl Link for Channels {
    fn send(&self, to: usize, kind: Kind, bytes: &[u8]) {
        // Who has ended needs no messages.
        let _ = self.to[to].send(Message { from: self.rank, kind, bytes: bytes.into() });
    }

    fn receive(&self) -> Option<Message> {
        self.from.try_recv().ok()
    }
}

/// Calls `command` as each of `size` ranks, and ends them together as processes end.
///
/// Returns what rank 0 says came of it.
///
/// # Panics
/// If `command` panics.
pub fn in_threads(size: usize, command: impl Fn(&Ranks) -> Ending + Sync) -> Ending {
    let (to, from): (Vec<_>, Vec<_>) = (0..size).map(|_| channel()).unzip();
    let command = &command;
    std::thread::scope(|scope| {
        let start = |(rank, from)| {
            let to = to.clone();
            scope.spawn(move || {
                let ranks = Ranks::linked(rank, size, Box::new(Channels { rank, to, from }));
                // Who panics ends the others, too: they would wait for ever.
                match catch_unwind(AssertUnwindSafe(|| command(&ranks))) {
                    Ok(outcome) => ranks.end(outcome),
                    Err(panic) => {
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
