//! The options that every subcommand takes, before or after its own.

use std::num::NonZeroUsize;

use crate::app::input;

/// Options common to all subcommands.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Common options")]
pub(in crate::app::cli) struct CommonOptions {
    /// Threads to use [default: all]
    #[arg(long, value_name = "N", global = true, value_parser = input::threads)]
    pub(in crate::app::cli) threads: Option<NonZeroUsize>,

    /// Memory never to exceed, for example 8GiB or 500MB [default: three quarters of what is free];
    /// of each process with --mpi [default: its share on its machine]
    #[arg(long, value_name = "SIZE", global = true, value_parser = input::size)]
    pub(in crate::app::cli) memory: Option<u64>,

    /// Print results as JSON, one object a line
    #[arg(long, global = true)]
    pub(in crate::app::cli) json: bool,

    /// No progress and no remarks on standard error
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(in crate::app::cli) quiet: bool,

    /// More remarks on standard error; twice for even more
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub(in crate::app::cli) verbose: u8,
}
