//! What a subcommand gets from the command line beside its own arguments.

pub(super) mod failure;
pub(super) mod free_memory;
pub(super) mod interrupt;
pub(super) mod options;
pub(super) mod progress;
pub(super) mod ranks;
pub(super) mod standard_output;

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use crate::machine::progress::StopFlag;
#[cfg(feature = "gpu")]
use crate::machine::ranks::RankPlace;
use crate::machine::ranks::Ranks;
use crate::search::{LEAST_MEMORY, Settings};
use crate::theory::values::Evaluator;
pub(super) use failure::{Failure, OrFail, Status};
pub(super) use options::CommonOptions;
use progress::Audience;
pub(super) use progress::Progress;
use ranks::Shares;

/// Memory of a search beside what grows: the data of its board and the lists of its threads.
const SEARCH_BYTES: u64 = 2 << 20;
/// Memory of an engine beside what it remembers: the data of its board twice, and lists.
pub(super) const ENGINE_BYTES: u64 = 4 << 20;
/// Memory of the program itself: its own pages, and what every command reads and prints.
const PROGRAM_BYTES: u64 = 14 << 20;
/// Memory of a thread: its stack as far as it is used, and what the allocator keeps for it.
pub(super) const THREAD_BYTES: u64 = 1 << 20;

/// Output, progress, memory and interruption, as the common options want them.
#[derive(Debug)]
pub(super) struct Context {
    options: CommonOptions,
    threads: usize,
    /// Processes that do this command together, each with as many threads.
    processes: usize,
    /// Whether this is the one of them that speaks.
    speaks: bool,
    /// This one among those on its machine.
    #[cfg(feature = "gpu")]
    place: RankPlace,
    /// Bytes that this process may use, and those of them that are set aside.
    memory: u64,
    aside: AtomicU64,
}

impl Context {
    /// Sets up the global pool of threads. Ranks on one machine share what it has.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub(super) fn new(options: &CommonOptions, ranks: &Ranks) -> Result<Self, Failure> {
        let shares = Shares::of(ranks)?;
        let threads = match (options.threads, shares.processors) {
            (Some(threads), _) => threads.into(),
            // As many as there are processors, or as a variable of the environment says.
            (None, 1) => 0,
            (None, _) => shares.threads(),
        };
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().or_failed()?;
        let threads = rayon::current_num_threads();
        let memory = || free_memory::free() / 4 * 3 / shares.place.of as u64;
        let speaks = ranks.is_first();
        Ok(Self {
            options: CommonOptions { quiet: options.quiet || !speaks, ..options.clone() },
            threads,
            processes: ranks.size(),
            speaks,
            #[cfg(feature = "gpu")]
            place: shares.place,
            memory: options.memory.unwrap_or_else(memory),
            aside: AtomicU64::new(PROGRAM_BYTES + threads as u64 * THREAD_BYTES),
        })
    }

    /// Whether results are to be JSON.
    pub(super) fn json(&self) -> bool {
        self.options.json
    }

    /// How many `-v` were given.
    pub(super) fn verbosity(&self) -> u8 {
        self.options.verbose
    }

    /// Threads of the global pool.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// This process among those of its machine that do the command together.
    #[cfg(feature = "gpu")]
    pub(super) fn place(&self) -> RankPlace {
        self.place
    }

    /// Threads of all processes that do this command together.
    pub(super) fn all_threads(&self) -> usize {
        self.threads * self.processes
    }

    /// Bytes of memory that this process may use: `--memory`, or its share of three quarters of
    /// what was free when it began.
    pub(super) fn memory(&self) -> u64 {
        self.memory
    }

    /// Sets memory aside for something that stays until the command ends.
    ///
    /// # Errors
    /// If there is not so much left of it: nothing is begun that would need more than is given.
    pub(super) fn set_aside(&self, what: impl Display, bytes: u64) -> Result<(), Failure> {
        let before = self.aside.fetch_add(bytes, Ordering::Relaxed);
        let needed = before.saturating_add(bytes);
        if needed <= self.memory {
            return Ok(());
        }
        Err(Self::too_little(what, needed, self.memory))
    }

    /// That a part of the command needs more memory than is given.
    pub(super) fn too_little(what: impl Display, needed: u64, given: u64) -> Failure {
        Failure::usage(format!(
            "--memory is too small: {what} needs at least {}MB in all, {given} bytes may be used",
            needed.div_ceil(1_000_000)
        ))
    }

    /// The memory that is not set aside, for the one part of a command that takes what it gets.
    ///
    /// # Errors
    /// If less than `least` is left.
    pub(super) fn left(&self, what: impl Display, least: u64) -> Result<u64, Failure> {
        self.set_aside(what, least)?;
        let aside = self.aside.fetch_sub(least, Ordering::Relaxed) - least;
        Ok(self.memory - aside)
    }

    /// The settings of a proof search that may use all of the memory that is left.
    ///
    /// # Errors
    /// If `--memory` is too small for any search.
    pub(super) fn search_settings(&self) -> Result<Settings, Failure> {
        let left = self.left("a search", SEARCH_BYTES + LEAST_MEMORY)? - SEARCH_BYTES;
        Ok(Settings::within(left, self.threads()))
    }

    /// The memory for an engine, from what is left: its proof search takes a little more than its
    /// part.
    ///
    /// # Errors
    /// If `--memory` is too small for any.
    pub(super) fn engine_memory(&self) -> Result<u64, Failure> {
        Ok(self.left("an engine", ENGINE_BYTES + (1 << 20))? - ENGINE_BYTES)
    }

    /// An evaluator of local positions that stores at most `most` bytes, within the memory.
    ///
    /// # Errors
    /// If `--memory` is too small for any.
    pub(super) fn evaluator(&self, most: u64) -> Result<Evaluator, Failure> {
        // The first value takes a segment of names, and a quarter of that is kept free.
        let left = self.left("finding values", 2 << 20)?;
        Ok(Evaluator::with_memory(left.min(most)))
    }

    /// Writes text and a line end to standard output.
    ///
    /// # Errors
    /// If standard output does not take it; a closed pipe ends the program quietly.
    pub(super) fn print(&self, text: impl Display) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        let written = writeln!(out, "{text}").and_then(|()| out.flush());
        written.map_err(Failure::of_output)
    }

    /// Writes one line of JSON to standard output.
    ///
    /// # Errors
    /// As [`Context::print`].
    pub(super) fn print_json(&self, value: &impl Serialize) -> Result<(), Failure> {
        self.print(serde_json::to_string(value).or_failed()?)
    }

    /// Writes a remark to standard error, unless `--quiet` was given.
    pub(super) fn remark(&self, text: impl Display) {
        if !self.options.quiet {
            // There is nobody to tell when standard error is closed.
            let _ = writeln!(io::stderr().lock(), "{text}");
        }
    }

    /// A fresh report of progress on standard error.
    pub(super) fn progress(&self) -> Progress {
        Progress::new(Audience::of_stderr(self.options.quiet), self.all_threads())
    }

    /// From now on Ctrl-C sets the flag that is returned, and a second Ctrl-C ends the program.
    /// Before the first call, Ctrl-C ends the program at once.
    ///
    /// # Errors
    /// If the system refuses the handler.
    pub(super) fn stop_on_interrupt(&self) -> Result<StopFlag, Failure> {
        interrupt::handle(self.speaks).or_failed()
    }
}
