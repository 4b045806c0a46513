//! The processes that do one command together: one alone, or the ranks that an MPI launcher
//! started.
//!
//! There are two ways to work together. In an [exchange](Ranks::exchange) every rank gives bytes,
//! rank 0 makes one answer of them, and all get it: [telling](Ranks::tell) and
//! [gathering](Ranks::gather) are exchanges. By [`Ranks::hand_out`] rank 0 gives jobs to whoever is
//! free. All ranks call the same ones in the same order. For one process both are done at once,
//! without messages; so there is one code path.
//!
//! All messages go to rank 0 or come from it. Nothing waits inside MPI, which would take a whole
//! processor: a rank that waits looks for messages and sleeps in between. So a rank that fails only
//! has to return its error: [`Ranks::end`] tells rank 0, rank 0 tells the others, and whatever they
//! wait for ends with [`Elsewhere`]. A process that dies is noticed by its launcher, which ends the
//! others.

mod division;
mod launcher;
#[cfg(any(test, feature = "internals"))]
mod local;
mod message;
#[cfg(feature = "mpi")]
mod world;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::machine::progress::StopFlag;
pub use division::Division;
pub use launcher::Launcher;
#[cfg(any(test, feature = "internals"))]
pub use local::in_threads;
use message::{Kind, Link, Message};

/// The processes of this run, as one of them sees them. It belongs to the thread that began it.
pub struct Ranks {
    rank: usize,
    size: usize,
    link: Option<Box<dyn Link>>,
    /// At rank 0: how the others have ended that have.
    ended: RefCell<Vec<Option<Ending>>>,
    /// At rank 0: whether the others know that they are not to wait any more.
    aborted: Cell<bool>,
}

impl fmt::Debug for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank, self.size)
    }
}

/// Another process has failed, which says why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("another process of this run has failed")]
pub struct Elsewhere;

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

/// How a command ended in one process, or in all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Well.
    Done,
    /// Because of another process.
    Elsewhere,
    /// With an exit status and a message.
    Failed(u8, String),
}

/// The exit status that is no failure: a limit, or a request to stop.
const LIMIT: u8 = 3;

impl Ending {
    /// Which of two endings is to be told: a failure, before a limit, before what only followed.
    fn weight(&self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Elsewhere => 1,
            Self::Failed(LIMIT, _) => 2,
            Self::Failed(..) => 3,
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Done => vec![0],
            Self::Elsewhere => vec![1],
            Self::Failed(status, message) => [&[2, *status], message.as_bytes()].concat(),
        }
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        match bytes {
            [] | [0, ..] => Self::Done,
            [2, status, message @ ..] => {
                Self::Failed(*status, String::from_utf8_lossy(message).into_owned())
            }
            _ => Self::Elsewhere,
        }
    }

    /// The ending with the rank named that it is of.
    fn of_rank(self, rank: usize) -> Self {
        match self {
            Self::Failed(status, message) => {
                Self::Failed(status, format!("rank {rank}: {message}"))
            }
            other => other,
        }
    }
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
}

/// Why MPI did not begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorldError {
    /// The program was built without it.
    #[cfg(not(feature = "mpi"))]
    #[error(
        "this program was built without MPI: build it with `cargo build --release --features mpi`"
    )]
    Feature,
    /// Nobody has started other processes.
    #[cfg(feature = "mpi")]
    #[error("--mpi needs a launcher: mpirun -n 4 amazons ..., or srun")]
    Launcher,
    /// The library refuses.
    #[cfg(feature = "mpi")]
    #[error("the MPI library does not start, or knows no threads")]
    Library,
    /// The launcher is of another library.
    #[cfg(feature = "mpi")]
    #[error(
        "the launcher has started {started} processes, but MPI knows of {known}: mpirun, or srun with its --mpi, must be that of the MPI library which this program was built with"
    )]
    OtherLibrary {
        /// Processes by the launcher.
        started: usize,
        /// Processes by MPI.
        known: usize,
    },
}

/// How long a rank that waits sleeps between two looks, at the least and at the most.
const SLEEP: [Duration; 2] = [Duration::from_micros(20), Duration::from_millis(2)];

/// Sleeps longer and longer until something happens.
struct Patience(Duration);

impl Patience {
    fn new() -> Self {
        Self(SLEEP[0])
    }

    /// How long to wait this time.
    fn next(&mut self) -> Duration {
        let now = self.0;
        self.0 = (now * 3 / 2).min(SLEEP[1]);
        now
    }

    fn sleep(&mut self) {
        std::thread::sleep(self.next());
    }
}

impl Ranks {
    /// One process.
    pub fn alone() -> Self {
        let (ended, aborted) = (RefCell::default(), Cell::new(false));
        Self { rank: 0, size: 1, link: None, ended, aborted }
    }

    #[cfg(any(test, feature = "internals", feature = "mpi"))]
    fn linked(rank: usize, size: usize, link: Box<dyn Link>) -> Self {
        let ended = RefCell::new(vec![None; size]);
        Self { rank, size, link: Some(link), ended, aborted: Cell::new(false) }
    }

    /// The processes that an MPI launcher started. From now on a panic in any thread ends this
    /// process, and the launcher then ends the others.
    ///
    /// # Errors
    /// [`WorldError`]; the same in every process.
    #[cfg(feature = "mpi")]
    pub fn world() -> Result<Self, WorldError> {
        let launcher = Launcher::of_this_process();
        if launcher.rank.is_none() {
            return Err(WorldError::Launcher);
        }
        let world = world::World::new().ok_or(WorldError::Library)?;
        let (rank, known) = (world.rank(), world.size());
        if let Some(started) = launcher.size.filter(|&started| known == 1 && started > 1) {
            return Err(WorldError::OtherLibrary { started, known });
        }
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            eprintln!("rank {rank}:");
            tell(panic);
            // The status of a panic. To go on would be to wait for the others, who wait too.
            std::process::exit(101);
        }));
        Ok(Self::linked(rank, known, Box::new(world)))
    }

    /// There are none in a program without MPI.
    ///
    /// # Errors
    /// [`WorldError::Feature`].
    #[cfg(not(feature = "mpi"))]
    pub fn world() -> Result<Self, WorldError> {
        Err(WorldError::Feature)
    }

    /// The number of this process, from 0.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many processes there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether this is the process that speaks, and writes what is written once.
    pub fn is_first(&self) -> bool {
        self.rank() == 0
    }

    /// What tells machines apart: ranks on one machine share its memory and processors.
    pub fn machine(&self) -> String {
        #[cfg(feature = "mpi")]
        if self.link.is_some() {
            return world::World::machine();
        }
        String::new()
    }

    /// Every rank gives bytes; rank 0 makes an answer of them, by rank; all get it.
    ///
    /// # Errors
    /// [`Elsewhere`] if another rank has failed.
    pub fn exchange(
        &self,
        given: Vec<u8>,
        answer: impl FnOnce(Vec<Vec<u8>>) -> Vec<u8>,
    ) -> Result<Vec<u8>, Elsewhere> {
        let Some(link) = &self.link else { return Ok(answer(vec![given])) };
        let mut patience = Patience::new();
        if !self.is_first() {
            link.send(0, Kind::Given, &given);
            loop {
                match link.receive() {
                    Some(Message { kind: Kind::Answer, bytes, .. }) => return Ok(bytes),
                    Some(Message { kind: Kind::Abort, .. }) => return Err(Elsewhere),
                    _ => patience.sleep(),
                }
            }
        }
        let mut all: Vec<Option<Vec<u8>>> = vec![None; self.size];
        all[0] = Some(given);
        while all.iter().any(Option::is_none) {
            match link.receive() {
                Some(Message { from, kind: Kind::Given, bytes }) => all[from] = Some(bytes),
                Some(message) => self.note(message)?,
                None => patience.sleep(),
            }
        }
        let answer = answer(all.into_iter().flatten().collect());
        self.others().for_each(|rank| link.send(rank, Kind::Answer, &answer));
        Ok(answer)
    }

    /// All get the value that rank 0 gives.
    ///
    /// # Errors
    /// As [`Self::exchange`].
    ///
    /// # Panics
    /// As [`to_bytes`].
    pub fn tell<T: Serialize + DeserializeOwned>(
        &self,
        value: impl FnOnce() -> T,
    ) -> Result<T, Elsewhere> {
        let given = if self.is_first() { to_bytes(&value()) } else { Vec::new() };
        Ok(from_bytes(&self.exchange(given, |mut all| all.swap_remove(0))?))
    }

    /// All get the values of all, by rank.
    ///
    /// # Errors
    /// As [`Self::exchange`].
    ///
    /// # Panics
    /// As [`to_bytes`].
    pub fn gather<T: Serialize + DeserializeOwned>(&self, value: &T) -> Result<Vec<T>, Elsewhere> {
        let list = |all: Vec<Vec<u8>>| {
            to_bytes(&all.iter().map(|given| from_bytes(given)).collect::<Vec<T>>())
        };
        Ok(from_bytes(&self.exchange(to_bytes(value), list)?))
    }

    /// Waits for all.
    ///
    /// # Errors
    /// As [`Self::exchange`].
    pub fn meet(&self) -> Result<(), Elsewhere> {
        self.tell(|| ())
    }

    /// Hands out jobs until there are none: `master` makes who knows them, at rank 0, which returns
    /// it; `work` does one, in every rank, on a thread of its own. `halt` is set when the job is to
    /// be given up, because somebody asked one of the processes to stop, a job has failed, or all
    /// is known; then its result counts for nothing.
    ///
    /// # Errors
    /// [`Unfinished`].
    pub fn hand_out<M: Master, E: Send>(
        &self,
        master: impl FnOnce() -> M,
        stop: &StopFlag,
        halt: &StopFlag,
        work: impl Fn(&[u8]) -> Result<Vec<u8>, E> + Sync,
    ) -> Result<Option<M>, Unfinished<E>> {
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
                _ => self.lead(master(), stop, &worker).map(Some),
            }
        })
    }

    /// What rank 0 does while jobs are handed out.
    fn lead<M: Master, E>(
        &self,
        mut master: M,
        stop: &StopFlag,
        worker: &Worker<'_, E>,
    ) -> Result<M, Unfinished<E>> {
        let (mut asked, mut stopped) = (false, false);
        // Whom nothing was given yet, and who has nothing to do.
        let (mut missing, mut busy) = (self.size - 1, 0);
        let mut free = vec![0];
        let mut patience = Patience::new();
        loop {
            if !worker.halt.is_set() && (asked || stop.is_set() || master.is_complete()) {
                stopped = asked || stop.is_set();
                worker.halt.stop();
                self.send_all(Kind::Halt, &[]);
            }
            if !worker.halt.is_set() {
                let mut still = Vec::new();
                for rank in std::mem::take(&mut free) {
                    match master.next(rank) {
                        None => still.push(rank),
                        Some(job) if rank == 0 => {
                            busy += 1;
                            worker.give(job);
                        }
                        Some(job) => {
                            busy += 1;
                            self.send(rank, Kind::Job, &job);
                        }
                    }
                }
                free = still;
            }
            if busy == 0 && missing == 0 {
                self.send_all(Kind::End, &[stopped.into()]);
                return if stopped { Err(Unfinished::Stopped) } else { Ok(master) };
            }
            let Some(message) = self.link.as_ref().and_then(|link| link.receive()) else {
                let Some(result) = worker.result(&mut patience) else { continue };
                busy -= 1;
                match result {
                    Ok(result) if !worker.halt.is_set() => master.take(0, result),
                    Err(error) if !worker.halt.is_set() => return Err(Unfinished::Here(error)),
                    _ => {}
                }
                free.push(0);
                continue;
            };
            patience = Patience::new();
            match message {
                Message { from, kind: Kind::Ready, .. } => {
                    missing -= 1;
                    free.push(from);
                }
                Message { from, kind: Kind::Result, bytes } => {
                    busy -= 1;
                    if !worker.halt.is_set() {
                        master.take(from, bytes);
                    }
                    free.push(from);
                }
                Message { from, kind: Kind::Dropped, .. } => {
                    busy -= 1;
                    free.push(from);
                }
                Message { kind: Kind::Stop, .. } => asked = true,
                other => {
                    if let Err(failed) = self.note(other) {
                        worker.halt.stop();
                        return Err(Unfinished::Elsewhere(failed));
                    }
                }
            }
        }
    }

    /// What the other ranks do while jobs are handed out.
    fn serve<E>(
        &self,
        link: &dyn Link,
        stop: &StopFlag,
        worker: &Worker<'_, E>,
    ) -> Result<(), Unfinished<E>> {
        let mut told = false;
        let mut patience = Patience::new();
        link.send(0, Kind::Ready, &[]);
        loop {
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

    /// Ends the command in all processes together.
    ///
    /// Returns what came of it all, at rank 0: the first failure, with its rank if it is not rank
    /// 0. The other ranks get [`Ending::Done`]: they have nothing to say.
    pub fn end(self, ending: Ending) -> Ending {
        let Some(link) = &self.link else { return ending };
        let mut patience = Patience::new();
        if !self.is_first() {
            link.send(0, Kind::Ended, &ending.to_bytes());
            while link.receive().is_none_or(|message| message.kind != Kind::Goodbye) {
                patience.sleep();
            }
            return Ending::Done;
        }
        // Rank 0 answers nobody from now on, even if it has ended well, as when nobody reads what
        // it prints. Who waits for it, or will, has to end too. Who has had all answers ends by
        // itself.
        self.abort();
        while self.others().any(|rank| self.ended.borrow()[rank].is_none()) {
            match link.receive() {
                // That somebody has failed does not matter to rank 0 any more.
                Some(message) => drop(self.note(message)),
                None => patience.sleep(),
            }
        }
        self.send_all(Kind::Goodbye, &[]);
        let others = self.ended.borrow_mut().drain(..).enumerate().collect::<Vec<_>>();
        others.into_iter().fold(ending, |told, (rank, ended)| match ended {
            // That another one has ended is no reason of its own.
            Some(Ending::Elsewhere) | None => told,
            Some(ended) if ended.weight() > told.weight() => ended.of_rank(rank),
            Some(_) => told,
        })
    }

    fn others(&self) -> std::ops::Range<usize> {
        1..self.size
    }

    fn send(&self, to: usize, kind: Kind, bytes: &[u8]) {
        if let Some(link) = &self.link {
            link.send(to, kind, bytes);
        }
    }

    /// Sends to all others. One that has ended takes no note of it.
    fn send_all(&self, kind: Kind, bytes: &[u8]) {
        self.others().for_each(|rank| self.send(rank, kind, bytes));
    }

    /// Takes note of a rank that has ended.
    ///
    /// # Errors
    /// If it has: this rank has not, so the other one has failed.
    fn note(&self, message: Message) -> Result<(), Elsewhere> {
        if message.kind != Kind::Ended {
            // A request to stop that came too late; it will be made again.
            return Ok(());
        }
        self.ended.borrow_mut()[message.from] = Some(Ending::from_bytes(&message.bytes));
        self.abort();
        Err(Elsewhere)
    }

    /// Tells the others that somebody has failed or that rank 0 has ended, once.
    fn abort(&self) {
        if !self.aborted.replace(true) {
            self.send_all(Kind::Abort, &[]);
        }
    }
}

/// A value as ranks tell it to each other.
///
/// # Panics
/// If it has a map with other keys than texts.
pub fn to_bytes(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("numbers, texts and lists are JSON")
}

/// What [`to_bytes`] made bytes of.
///
/// # Panics
/// If the bytes are of another type.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> T {
    serde_json::from_slice(bytes).expect("the ranks run the same program")
}

/// The thread that does the jobs of this rank.
struct Worker<'a, E> {
    jobs: std::sync::mpsc::Sender<Vec<u8>>,
    results: std::sync::mpsc::Receiver<Result<Vec<u8>, E>>,
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

#[cfg(test)]
mod tests;
