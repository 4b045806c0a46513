//! Threads that take turns: any number of them on few processors, the same in every run.
//!
//! What many threads do together depends on which of them is ahead, so a run of it cannot be
//! repeated, and needs as many processors as threads. Here the threads are *virtual*: each has a
//! thread of the system, but one of them runs at a time. It hands on after a *quantum* of its work;
//! in each round everyone has one turn, in an order that a seed determines. So whatever they do
//! together is repeated exactly with the same seed, and other seeds show what depends on the order.
//!
//! The work itself says when a quantum is over ([`VirtualThreads::pass`]), and must not hold a lock
//! then that others want. Who ends hands on, and so does who panics. The number of turns so far is
//! the same in every run, too: messages that arrive some turns after they were sent could be
//! counted by it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use super::random::Random;

/// How virtual threads take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// How much a thread does in a turn: units of its work, at least 1.
    pub quantum: u64,
    /// Determines the order of every round.
    pub seed: u64,
}

/// Whose turn it is.
#[derive(Debug)]
struct Standing {
    random: Random,
    /// Who has not ended.
    present: Vec<usize>,
    /// Who is still to come in this round, the next one last.
    round: Vec<usize>,
    /// Who runs; nobody before the first turn and after the last.
    running: Option<usize>,
    /// Nobody is to begin, because a thread is missing.
    called_off: bool,
}

impl Standing {
    /// Gives the turn to the next one, if anybody is left.
    fn advance(&mut self) {
        if self.round.is_empty() {
            self.round.clone_from(&self.present);
            for last in (1..self.round.len()).rev() {
                self.round.swap(last, self.random.below(last + 1));
            }
        }
        self.running = self.round.pop();
    }

    /// Whether a part need not wait any longer.
    fn is_ready(&self, part: usize) -> bool {
        self.called_off || self.running == Some(part)
    }
}

/// Virtual threads that do one thing together.
#[derive(Debug)]
pub(crate) struct VirtualThreads {
    quantum: u64,
    standing: Mutex<Standing>,
    /// Each part waits for its turn at its own.
    turn: Box<[Condvar]>,
}

/// Ends a part when it is dropped, after its work or in a panic of it.
struct Present<'a>(&'a VirtualThreads);

impl Drop for Present<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl VirtualThreads {
    /// For so many parts.
    pub(crate) fn new(schedule: Schedule, parts: usize) -> Self {
        let standing = Standing {
            random: Random::new(schedule.seed),
            present: (0..parts).collect(),
            round: Vec::with_capacity(parts),
            running: None,
            called_off: false,
        };
        let turn = (0..parts).map(|_| Condvar::new()).collect();
        Self { quantum: schedule.quantum.max(1), standing: Mutex::new(standing), turn }
    }

    /// How much a part does in a turn.
    pub(crate) fn quantum(&self) -> u64 {
        self.quantum
    }

    /// Calls `work` with the number of every part, each on a virtual thread; returns the results in
    /// the order of the numbers. Called once.
    ///
    /// # Panics
    /// If the system does not give the threads, or `work` panics in one of the parts.
    pub(crate) fn run<T: Send>(&self, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let work = &work;
        let part = move |part| {
            self.wait(self.lock(), part);
            if self.lock().called_off {
                return None;
            }
            let _present = Present(self);
            Some(work(part))
        };
        std::thread::scope(|scope| {
            let start = |number| Builder::new().spawn_scoped(scope, move || part(number));
            let threads: Result<Vec<_>, _> = (0..self.turn.len()).map(start).collect();
            {
                let mut standing = self.lock();
                standing.called_off = threads.is_err();
                standing.advance();
            }
            self.turn.iter().for_each(Condvar::notify_all);
            let threads = threads.expect("a thread of the system for each virtual thread");
            let join = |thread: std::thread::ScopedJoinHandle<'_, Option<T>>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().filter_map(join).collect()
        })
    }

    /// The part that runs hands on, and comes back when its turn has come again.
    pub(crate) fn pass(&self) {
        let mut standing = self.lock();
        let part = standing.running.expect("a part passes in its turn");
        standing.advance();
        self.wake(&standing);
        self.wait(standing, part);
    }

    /// The part that runs has no turn any more.
    fn end(&self) {
        let mut standing = self.lock();
        let part = standing.running.expect("a part ends in its turn");
        standing.present.retain(|&other| other != part);
        standing.advance();
        self.wake(&standing);
    }

    fn wake(&self, standing: &Standing) {
        if let Some(next) = standing.running {
            self.turn[next].notify_all();
        }
    }

    fn wait(&self, standing: MutexGuard<'_, Standing>, part: usize) {
        let waits = |standing: &mut Standing| !standing.is_ready(part);
        let standing = self.turn[part].wait_while(standing, waits);
        drop(standing.unwrap_or_else(PoisonError::into_inner));
    }

    fn lock(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// The order in which parts of the given numbers of quanta do them.
    fn order(seed: u64, quanta: &[usize]) -> Vec<usize> {
        let turns = VirtualThreads::new(Schedule { quantum: 1, seed }, quanta.len());
        let order = Mutex::new(Vec::new());
        let done = turns.run(|part| {
            for quantum in 0..quanta[part] {
                if quantum > 0 {
                    turns.pass();
                }
                order.lock().unwrap().push(part);
            }
            part
        });
        assert!(done.into_iter().eq(0..quanta.len()));
        order.into_inner().unwrap()
    }

    #[test]
    fn everyone_has_one_turn_in_each_round_in_the_order_of_the_seed() {
        let quanta = [3, 1, 3, 0, 2, 3];
        let orders: Vec<_> = (0..8).map(|seed| order(seed, &quanta)).collect();
        for (seed, order) in (0..).zip(&orders) {
            assert_eq!(*order, super::tests::order(seed, &quanta));
            // The first round of five parts that do something, then four, then three.
            for (round, parts) in [(0..5, 5), (5..9, 4), (9..12, 3)] {
                let mut round = order[round].to_vec();
                round.sort_unstable();
                round.dedup();
                assert_eq!(round.len(), parts, "{order:?}");
            }
        }
        assert!(orders.iter().any(|order| *order != orders[0]));
        assert!(order(0, &[]).is_empty());
        assert_eq!(order(0, &[4]), [0; 4]);
    }

    #[test]
    fn who_panics_hands_on() {
        let turns = VirtualThreads::new(Schedule { quantum: 1, seed: 0 }, 3);
        let work = |part| {
            turns.pass();
            assert!(part != 1, "part {part} fails");
            turns.pass();
        };
        let panic = catch_unwind(AssertUnwindSafe(|| turns.run(work))).unwrap_err();
        assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("part 1 fails"));
    }
}
