//! Jobs that rank 0 hands out to whoever is free, itself among them.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

use super::message::{Kind, Link, Message};
use super::patience::Patience;
use super::silence::Silence;
use super::{Elsewhere, Ranks};
use crate::machine::progress::StopFlag;

/// Why work that was handed out was not done.
#[derive(Debug, PartialEq, Eq)]
pub enum Unfinished<E> {
    /// A job failed here.
    Here(E),
    /// A job failed elsewhere.
    Elsewhere(Elsewhere),
    /// Somebody asked one of the processes to stop.
    Stopped,
}

/// Who knows what is to be done. Lives at rank 0.
pub trait Master {
    /// The next job for a rank; `None` if there is none for it before another result has come.
    fn next(&mut self, rank: usize) -> Option<Vec<u8>>;

    /// What came of a job.
    fn take(&mut self, rank: usize, result: Vec<u8>);

    /// Whether jobs that are still at work may be given up, because nothing is to be learnt of
    /// them.
    fn is_complete(&self) -> bool {
        false
    }

    /// A rank is lost, and its job with it. Whether the others go on without it; if not, all end as
    /// if somebody had asked them to stop.
    fn lose(&mut self, _rank: usize) -> bool {
        false
    }
}

/// What ends the work of a rank.
#[derive(Clone, Copy, Debug)]
pub struct StopFlags<'a> {
    /// Is set by who asks this process to stop.
    pub stop: &'a StopFlag,
    /// Is set when the job at hand is to be given up, because somebody asked one of the processes
    /// to stop, a job has failed, or all is known; then its result counts for nothing.
    pub halt: &'a StopFlag,
}

/// How often a rank says that it is there while nobody takes it for lost.
const HEARD_OF: u32 = 6;

impl Ranks {
    /// Hands out jobs until there are none: `master` makes who knows them, at rank 0, which returns
    /// it; `work` does one, in every rank, on a thread of its own.
    ///
    /// # Errors
    /// [`Unfinished`].
    pub fn hand_out<M: Master, E: Send>(
        &self,
        master: impl FnOnce() -> M,
        flags: StopFlags<'_>,
        work: impl Fn(&[u8]) -> Result<Vec<u8>, E> + Sync,
    ) -> Result<Option<M>, Unfinished<E>> {
        let StopFlags { stop, halt } = flags;
        let (jobs, to_do) = channel::<Vec<u8>>();
        let (done, results) = channel();
        std::thread::scope(|scope| {
            let work = &work;
            scope.spawn(move || {
                for job in to_do {
                    if done.send(work(&job)).is_err() {
                        return;
                    }
                }
            });
            // Dropping the sender of jobs, on every way out, ends that thread.
            let worker = Worker { jobs, results, halt };
            match &self.link {
                Some(link) if !self.is_first() => {
                    self.serve(link.as_ref(), stop, &worker).map(|()| None)
                }
                _ => Leader::new(self, master(), &worker).lead(stop).map(Some),
            }
        })
    }

    /// What the other ranks do while jobs are handed out.
    fn serve<E>(
        &self,
        link: &dyn Link,
        stop: &StopFlag,
        worker: &Worker<'_, E>,
    ) -> Result<(), Unfinished<E>> {
        let (mut told, mut spoken) = (false, Instant::now());
        let mut patience = Patience::new();
        link.send(0, Kind::Ready, &[]);
        loop {
            if spoken.elapsed() > self.lost_after / HEARD_OF {
                link.send(0, Kind::Alive, &[]);
                spoken = Instant::now();
            }
            if stop.is_set() && !std::mem::replace(&mut told, true) {
                link.send(0, Kind::Stop, &[]);
            }
            let Some(message) = link.receive() else {
                match worker.result(&mut patience) {
                    None => {}
                    Some(Ok(result)) => link.send(0, Kind::Result, &result),
                    Some(Err(_)) if worker.halt.is_set() => link.send(0, Kind::Dropped, &[]),
                    Some(Err(error)) => return Err(Unfinished::Here(error)),
                }
                continue;
            };
            patience = Patience::new();
            match message.kind {
                Kind::Job => worker.give(message.bytes),
                Kind::Halt => worker.halt.stop(),
                Kind::End if message.bytes == [0] => return Ok(()),
                Kind::End => return Err(Unfinished::Stopped),
                Kind::Abort => {
                    worker.halt.stop();
                    return Err(Unfinished::Elsewhere(Elsewhere));
                }
                _ => {}
            }
        }
    }
}

/// Rank 0 while jobs are handed out.
struct Leader<'a, M, E> {
    ranks: &'a Ranks,
    master: M,
    worker: &'a Worker<'a, E>,
    /// The ranks that have nothing to do.
    free: Vec<usize>,
    /// Those that have a job.
    busy: BTreeSet<usize>,
    /// Those that have not yet said that they are ready.
    missing: BTreeSet<usize>,
    silence: Silence,
    /// Whether somebody asked another rank to stop.
    asked: bool,
    /// Whether jobs were given up because somebody asked for it.
    stopped: bool,
}

impl<'a, M: Master, E> Leader<'a, M, E> {
    fn new(ranks: &'a Ranks, master: M, worker: &'a Worker<'a, E>) -> Self {
        Self {
            ranks,
            master,
            worker,
            free: vec![0],
            busy: BTreeSet::new(),
            missing: ranks.others().filter(|&rank| !ranks.is_lost(rank)).collect(),
            silence: Silence::new(ranks.size),
            asked: false,
            stopped: false,
        }
    }

    /// Hands out jobs until there are none, or they are given up; returns who knew them.
    fn lead(mut self, stop: &StopFlag) -> Result<M, Unfinished<E>> {
        let mut patience = Patience::new();
        loop {
            self.halt(stop);
            self.hand_out();
            if self.busy.is_empty() && self.missing.is_empty() {
                self.ranks.send_all(Kind::End, &[self.stopped.into()]);
                return if self.stopped { Err(Unfinished::Stopped) } else { Ok(self.master) };
            }
            if let Some(message) = self.ranks.link.as_ref().and_then(|link| link.receive()) {
                patience = Patience::new();
                self.note(message)?;
            } else if let Some(result) = self.worker.result(&mut patience) {
                self.take_own(result)?;
            }
            self.lose_silent();
        }
    }

    /// Goes on without a rank that has said nothing for too long, or lets all end.
    fn lose_silent(&mut self) {
        let is_heard = |rank: &usize| !self.missing.contains(rank) && !self.ranks.is_lost(*rank);
        let heard = self.ranks.others().filter(is_heard);
        if let Some(rank) = self.silence.look(heard, self.ranks.lost_after) {
            self.ranks.lost.borrow_mut().insert(rank);
            self.busy.remove(&rank);
            self.free.retain(|&free| free != rank);
            let goes_on = self.master.lose(rank);
            self.asked |= !goes_on;
        }
    }

    /// Lets all jobs be given up, once, if somebody asked for it or all is known.
    fn halt(&mut self, stop: &StopFlag) {
        let asked = self.asked || stop.is_set();
        if !self.worker.halt.is_set() && (asked || self.master.is_complete()) {
            self.stopped = asked;
            self.worker.halt.stop();
            self.ranks.send_all(Kind::Halt, &[]);
        }
    }

    /// Gives a job to every free rank for which there is one.
    fn hand_out(&mut self) {
        if self.worker.halt.is_set() {
            return;
        }
        for rank in std::mem::take(&mut self.free) {
            let Some(job) = self.master.next(rank) else {
                self.free.push(rank);
                continue;
            };
            self.busy.insert(rank);
            match rank {
                0 => self.worker.give(job),
                _ => self.ranks.send(rank, Kind::Job, &job),
            }
        }
    }

    /// Takes what came of a job of rank 0 itself.
    ///
    /// # Errors
    /// If the job failed, and was not given up.
    fn take_own(&mut self, result: Result<Vec<u8>, E>) -> Result<(), Unfinished<E>> {
        self.busy.remove(&0);
        self.free.push(0);
        match result {
            _ if self.worker.halt.is_set() => {}
            Ok(result) => self.master.take(0, result),
            Err(error) => return Err(Unfinished::Here(error)),
        }
        Ok(())
    }

    /// Takes note of what another rank says.
    ///
    /// # Errors
    /// If it has ended.
    fn note(&mut self, message: Message) -> Result<(), Unfinished<E>> {
        if self.ranks.is_lost(message.from) {
            return Ok(());
        }
        self.silence.heard(message.from);
        match message {
            Message { from, kind: Kind::Ready, .. } => {
                self.missing.remove(&from);
                self.free.push(from);
            }
            Message { from, kind: Kind::Result, bytes } => {
                self.busy.remove(&from);
                if !self.worker.halt.is_set() {
                    self.master.take(from, bytes);
                }
                self.free.push(from);
            }
            Message { from, kind: Kind::Dropped, .. } => {
                self.busy.remove(&from);
                self.free.push(from);
            }
            Message { kind: Kind::Stop, .. } => self.asked = true,
            other => self.ranks.note(other).map_err(|failed| {
                self.worker.halt.stop();
                Unfinished::Elsewhere(failed)
            })?,
        }
        Ok(())
    }
}

/// The thread that does the jobs of this rank.
struct Worker<'a, E> {
    jobs: Sender<Vec<u8>>,
    results: Receiver<Result<Vec<u8>, E>>,
    halt: &'a StopFlag,
}

impl<E> Worker<'_, E> {
    fn give(&self, job: Vec<u8>) {
        self.jobs.send(job).expect("it takes jobs until its sender is dropped");
    }

    /// What came of a job, if it comes in a moment.
    fn result(&self, patience: &mut Patience) -> Option<Result<Vec<u8>, E>> {
        match self.results.recv_timeout(patience.next()) {
            Ok(result) => {
                *patience = Patience::new();
                Some(result)
            }
            Err(RecvTimeoutError::Timeout) => None,
            // The scope tells of its panic when all have left it.
            Err(RecvTimeoutError::Disconnected) => {
                panic!("the thread that does the jobs has ended")
            }
        }
    }
}
