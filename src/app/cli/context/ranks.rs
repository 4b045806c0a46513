//! A command that several processes do together: `--mpi`.
//!
//! MPI begins before the command line is understood, so that whatever is wrong with it is told
//! once. Without MPI, or before it has begun, the launcher's variables say who speaks.

use std::ffi::OsString;
use std::process::ExitCode;
use std::{env, fs, io, thread};

use serde::{Deserialize, Serialize};

use super::failure::Failure;
use crate::machine::ranks::{Elsewhere, Launcher, RankPlace, Ranks, WorldError};

impl From<Elsewhere> for Failure {
    fn from(_: Elsewhere) -> Self {
        Self::Elsewhere
    }
}

/// The processes of this command.
///
/// # Errors
/// The exit status, after the user was told, if `--mpi` is given and MPI does not begin.
pub(in crate::app::cli) fn ranks() -> Result<Ranks, ExitCode> {
    if !env::args_os().skip(1).any(|argument| argument == "--mpi") {
        return Ok(Ranks::alone());
    }
    Ranks::world().map_err(|error| match Launcher::of_this_process().is_first() {
        true => Failure::usage(not_begun(&error)).report(),
        false => ExitCode::SUCCESS,
    })
}

/// Why MPI did not begin, and what to do about it.
fn not_begun(error: &WorldError) -> String {
    match error {
        #[cfg(not(feature = "mpi"))]
        WorldError::Feature => {
            format!("{error}: build it with `cargo build --release --features mpi`")
        }
        #[cfg(feature = "mpi")]
        WorldError::Launcher => "--mpi needs a launcher: mpirun -n 4 amazons ..., or srun".into(),
        #[cfg(feature = "mpi")]
        WorldError::Library | WorldError::OtherLibrary { .. } => error.to_string(),
    }
}

/// What must be the same in all processes.
#[derive(Serialize, Deserialize)]
struct Started {
    /// The hash of the program, or its version if it cannot be read.
    program: String,
    arguments: String,
}

impl Started {
    fn this_process() -> Self {
        let hash = || -> io::Result<String> {
            let mut hasher = blake3::Hasher::new();
            hasher.update_reader(fs::File::open(env::current_exe()?)?)?;
            Ok(hasher.finalize().to_hex().to_string())
        };
        let program = hash().unwrap_or_else(|_| env!("CARGO_PKG_VERSION").into());
        let text = |argument: OsString| argument.to_string_lossy().into_owned();
        let arguments: Vec<String> = env::args_os().skip(1).map(text).collect();
        Self { program, arguments: arguments.join(" ") }
    }
}

/// Makes sure that all processes run the same program with the same arguments.
///
/// # Errors
/// [`Failure::Message`] at rank 0 if they do not.
pub(in crate::app::cli) fn check_same(ranks: &Ranks) -> Result<(), Failure> {
    if ranks.size() == 1 {
        return Ok(());
    }
    let given = serde_json::to_vec(&Started::this_process()).unwrap_or_default();
    let mut difference = None;
    let same = ranks.exchange(given, |all| {
        let all: Vec<Option<Started>> =
            all.iter().map(|given| serde_json::from_slice(given).ok()).collect();
        difference = (1..all.len()).find_map(|rank| {
            let (Some(first), Some(other)) = (&all[0], &all[rank]) else {
                return Some(format!("rank {rank} does not say what it runs"));
            };
            let Started { arguments, .. } = other;
            if first.program != other.program {
                Some(format!("rank {rank} runs another build of the program than rank 0"))
            } else if first.arguments != *arguments {
                let expected = &first.arguments;
                Some(format!(
                    "rank {rank} was started with `{arguments}`, rank 0 with `{expected}`: all must have the same arguments"
                ))
            } else {
                None
            }
        });
        vec![difference.is_none().into()]
    })?;
    match difference {
        Some(difference) => Err(Failure::usage(difference)),
        None if same == [0] => Err(Failure::Elsewhere),
        None => Ok(()),
    }
}

/// How many ranks share what this process runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app::cli) struct Shares {
    /// This one among the ranks on its machine, which share its memory.
    pub(in crate::app::cli) place: RankPlace,
    /// Ranks that may use the same processors as this one.
    pub(in crate::app::cli) processors: usize,
}

impl Shares {
    /// With whom this process shares.
    ///
    /// # Errors
    /// If another rank has failed.
    pub(in crate::app::cli) fn of(ranks: &Ranks) -> Result<Self, Failure> {
        let here = (ranks.machine(), allowed_processors());
        let all = ranks.gather(&here)?;
        let machines: Vec<&str> = all.iter().map(|other| other.0.as_str()).collect();
        let on_processors = all.iter().filter(|&other| *other == here).count();
        let place = RankPlace::among(&machines, ranks.rank());
        Ok(Self { place, processors: on_processors.max(1) })
    }

    /// Threads of this process, if nobody says how many.
    pub(in crate::app::cli) fn threads(self) -> usize {
        let all = thread::available_parallelism().map_or(1, usize::from);
        (all / self.processors).max(1)
    }
}

/// Which processors this process may use, as the system writes it; launchers bind ranks to some.
fn allowed_processors() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    line.unwrap_or_default().trim().into()
}
