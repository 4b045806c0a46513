//! What a subcommand gets from the command line beside its own arguments.

use std::fmt::Display;
use std::io::{self, Write};

use serde::Serialize;

use super::progress::{Audience, Progress};
use super::{Common, Failure, OrFail, free_memory, interrupt};
use crate::machine::progress::StopFlag;
use crate::search::Settings;
use crate::theory::values::Evaluator;

/// A search in less memory than this is refused.
const LEAST_SEARCH: u64 = 4 << 20;
/// Memory of the program itself: its pages, the stacks of its threads.
const PROGRAM_BYTES: u64 = 16 << 20;

/// The largest table of a search in so much memory. While a table grows, one of an eighth of its
/// size is there too.
pub(super) fn search_table(memory: u64) -> u64 {
    memory / 9 * 8
}

/// Output, progress, memory and interruption, as the common options want them.
#[derive(Debug)]
pub struct Context {
    common: Common,
    threads: usize,
}

impl Context {
    /// Sets up the global pool of threads.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn new(common: &Common) -> Result<Self, Failure> {
        let threads = common.threads.map_or(0, usize::from);
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().or_failed()?;
        Ok(Self { common: common.clone(), threads: rayon::current_num_threads() })
    }

    /// Whether results are to be JSON.
    pub fn json(&self) -> bool {
        self.common.json
    }

    /// How many `-v` were given.
    pub fn verbosity(&self) -> u8 {
        self.common.verbose
    }

    /// Threads of the global pool.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Bytes of memory that this process may use: `--memory`, or three quarters of what is free
    /// now.
    pub fn memory(&self) -> u64 {
        self.common.memory.unwrap_or_else(|| free_memory::free() / 4 * 3)
    }

    /// The settings of a proof search that may use all of the memory.
    ///
    /// # Errors
    /// If `--memory` is too small for any search.
    pub(super) fn search_settings(&self) -> Result<Settings, Failure> {
        let memory = self.memory();
        if memory < LEAST_SEARCH {
            return Err(Failure::usage("--memory is too small for a search: give at least 4MiB"));
        }
        Ok(Settings { table_bytes: search_table(memory), threads: self.threads(), seed: 0 })
    }

    /// An evaluator of local positions that stores at most `most` bytes, within the memory.
    pub(super) fn evaluator(&self, most: u64) -> Evaluator {
        let memory = self.memory();
        let stored = memory.saturating_sub(PROGRAM_BYTES).max(memory / 2);
        Evaluator::with_memory(stored.min(most))
    }

    /// Writes text and a line end to standard output.
    ///
    /// # Errors
    /// If standard output does not take it; a closed pipe ends the program quietly.
    pub fn print(&self, text: impl Display) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        Ok(writeln!(out, "{text}").and_then(|()| out.flush())?)
    }

    /// Writes one line of JSON to standard output.
    ///
    /// # Errors
    /// As [`Context::print`].
    pub fn print_json(&self, value: &impl Serialize) -> Result<(), Failure> {
        self.print(serde_json::to_string(value).or_failed()?)
    }

    /// Writes a remark to standard error, unless `--quiet` was given.
    pub fn remark(&self, text: impl Display) {
        if !self.common.quiet {
            // There is nobody to tell when standard error is closed.
            let _ = writeln!(io::stderr().lock(), "{text}");
        }
    }

    /// A fresh report of progress on standard error.
    pub fn progress(&self) -> Progress {
        Progress::new(Audience::of_stderr(self.common.quiet), self.threads)
    }

    /// From now on Ctrl-C sets the flag that is returned, and a second Ctrl-C ends the program.
    /// Before the first call, Ctrl-C ends the program at once.
    ///
    /// # Errors
    /// If the system refuses the handler.
    pub fn stop_on_interrupt(&self) -> Result<StopFlag, Failure> {
        interrupt::handle().or_failed()
    }
}
