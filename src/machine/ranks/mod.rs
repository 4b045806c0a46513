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
//! others. One that is stopped, or cut off from the others, is noticed by rank 0 while there are
//! jobs: whoever does jobs says every ten seconds that it is there, and who says nothing for a
//! minute is *lost*. Then the others go on without it, or end as if somebody had asked them to stop
//! ([`Master::lose`]). What a lost rank says later is passed over.

mod division;
mod ending;
mod jobs;
mod launcher;
#[cfg(any(test, feature = "internals"))]
mod local;
mod message;
mod patience;
mod place;
mod silence;
#[cfg(feature = "mpi")]
mod world;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use division::Division;
pub use ending::Ending;
pub use jobs::{Master, StopFlags, Unfinished};
pub use launcher::Launcher;
#[cfg(any(test, feature = "internals"))]
pub use local::{in_threads, in_threads_cut};
use message::{Kind, Link, Message};
use patience::Patience;
pub use place::RankPlace;

/// The processes of this run, as one of them sees them. It belongs to the thread that began it.
pub struct Ranks {
    rank: usize,
    size: usize,
    link: Option<Box<dyn Link>>,
    /// At rank 0: how the others have ended that have.
    ended: RefCell<Vec<Option<Ending>>>,
    /// At rank 0: whether the others know that they are not to wait any more.
    aborted: Cell<bool>,
    /// At rank 0: the ranks that are lost.
    lost: RefCell<BTreeSet<usize>>,
    /// After how long a silence a rank is lost.
    lost_after: Duration,
}

/// After how long a silence a rank is lost.
const LOST_AFTER: Duration = Duration::from_secs(60);

impl fmt::Debug for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank, self.size)
    }
}

/// Another process has failed, which says why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("another process of this run has failed")]
pub struct Elsewhere;

/// Why MPI did not begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorldError {
    /// The program was built without it.
    #[cfg(not(feature = "mpi"))]
    #[error("this program was built without MPI")]
    Feature,
    /// Nobody has started other processes.
    #[cfg(feature = "mpi")]
    #[error("no launcher has started this process")]
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

impl Ranks {
    /// One process.
    pub fn alone() -> Self {
        Self::new(0, 1, None)
    }

    #[cfg(any(test, feature = "internals", feature = "mpi"))]
    fn linked(rank: usize, size: usize, link: Box<dyn Link>) -> Self {
        Self::new(rank, size, Some(link))
    }

    fn new(rank: usize, size: usize, link: Option<Box<dyn Link>>) -> Self {
        Self {
            rank,
            size,
            link,
            ended: RefCell::new(vec![None; size]),
            aborted: Cell::new(false),
            lost: RefCell::default(),
            lost_after: LOST_AFTER,
        }
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

    /// At rank 0, the ranks that are lost.
    pub fn lost(&self) -> Vec<usize> {
        self.lost.borrow().iter().copied().collect()
    }

    fn is_lost(&self, rank: usize) -> bool {
        self.lost.borrow().contains(&rank)
    }

    /// What tells machines apart: ranks on one machine share its memory and processors.
    pub fn machine(&self) -> String {
        #[cfg(feature = "mpi")]
        if self.link.is_some() {
            return world::World::machine();
        }
        String::new()
    }

    /// Every rank gives bytes; rank 0 makes an answer of them, by rank; all get it. Of a rank that
    /// is lost there are none.
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
        self.lost().into_iter().for_each(|rank| all[rank] = Some(Vec::new()));
        while all.iter().any(Option::is_none) {
            match link.receive() {
                Some(Message { from, .. }) if self.is_lost(from) => {}
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

    /// All get the values of all, by rank, but for ranks that are lost.
    ///
    /// # Errors
    /// As [`Self::exchange`].
    ///
    /// # Panics
    /// As [`to_bytes`].
    pub fn gather<T: Serialize + DeserializeOwned>(&self, value: &T) -> Result<Vec<T>, Elsewhere> {
        let list = |all: Vec<Vec<u8>>| {
            let given = all.iter().filter(|given| !given.is_empty());
            to_bytes(&given.map(|given| from_bytes(given)).collect::<Vec<T>>())
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
        let is_awaited = |rank: usize| self.ended.borrow()[rank].is_none() && !self.is_lost(rank);
        while self.others().any(is_awaited) {
            match link.receive() {
                // That somebody has failed does not matter to rank 0 any more.
                Some(message) => drop(self.note(message)),
                None => patience.sleep(),
            }
        }
        self.send_all(Kind::Goodbye, &[]);
        let ending = self.with_lost(ending);
        let others = self.ended.borrow_mut().drain(..).enumerate().collect::<Vec<_>>();
        if !self.lost.borrow().is_empty() {
            // The end of MPI would wait for them. The launcher sees that this process is gone.
            std::mem::forget(self.link);
        }
        others.into_iter().fold(ending, |gravest, (rank, ended)| match ended {
            // That another one has ended is no reason of its own.
            Some(Ending::Elsewhere) | None => gravest,
            Some(ended) if ended.weight() > gravest.weight() => ended.of_rank(rank),
            Some(_) => gravest,
        })
    }

    /// An ending at a limit, with the ranks named that are lost.
    fn with_lost(&self, ending: Ending) -> Ending {
        match (ending, self.lost().first()) {
            (Ending::Limit(message), Some(rank)) => Ending::Limit(format!(
                "rank {rank} has said nothing for {:?}; {message}",
                self.lost_after
            )),
            (ending, _) => ending,
        }
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
        // A request to stop that came too late will be made again.
        if message.kind != Kind::Ended || self.is_lost(message.from) {
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

#[cfg(test)]
mod tests;
