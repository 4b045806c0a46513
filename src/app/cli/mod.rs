//! The command line: one file a subcommand, each with its arguments and a `run`.
//!
//! `main` parses, sets up the threads and hands over to the subcommand, which gets a [`Context`] to
//! print to, to report progress to and to be stopped by. Results go to standard output, everything
//! else to standard error. The exit status is 0 when done, or that of the [`Failure`].
//!
//! To add a subcommand: a file with `Args` and `run`, a variant of `Command`, an arm of `run`.

mod annotate;
mod batch;
mod build;
mod chart;
mod check;
mod common;
mod completeness;
mod context;
mod described;
mod digest;
mod engine_config;
mod export;
mod failure;
mod free_disk;
mod free_memory;
mod info;
mod instance;
mod interrupt;
mod line;
mod lookup;
mod match_play;
mod merge;
mod opening;
mod output;
mod overwriting;
mod packaging;
mod perft;
mod plan;
mod play;
mod plot;
mod position_args;
mod position_solver;
mod progress;
mod quantity;
mod region;
mod regions;
mod rules_args;
mod sample;
mod score;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod solve;
mod sums;
mod table_oracle;
mod together;
mod uci;
mod value;
mod variant_lookup;
mod variants;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use super::input;
use crate::machine::ranks::{Ending, Ranks};
pub use common::Common;
pub use context::Context;
pub use failure::{Failure, OrFail, Status};
pub use progress::Progress;

/// Solves small boards of the Game of the Amazons exactly.
///
/// A POSITION is a board, written columns x rows (4x5: its start position, four amazons a side,
/// White to move), or a FEN in one argument ("1qq1/q2q/Q2Q/1QQ1 w": ranks from the top, Q white, q
/// black, * burned, numbers of empty squares, then the side to move).
#[derive(Debug, Parser)]
#[command(name = "amazons", version, after_long_help = EXIT_STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

const EXIT_STATUS: &str = "\
Exit status: 0 done; 1 failed; 2 wrong usage or an impossible position; 3 a limit was reached without an answer.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Say of every move of a game in SGF what it is worth, and which threw the win away
    Annotate(annotate::Args),
    /// Solve every position of a board backwards into tables; resumes what was stopped
    Build(build::Args),
    /// Draw figures of a table by the number of arrows, as SVG
    Chart(chart::Args),
    /// Check the bytes of a table: headers, sizes, checksums, content hashes
    Check(check::Args),
    /// Print the completions of a shell: amazons completions bash >
    /// /usr/share/bash-completion/completions/amazons
    Completions(packaging::CompletionsArgs),
    /// Write a digest of a checkpoint: what was costliest to find, in a file small enough to keep
    Digest(digest::Args),
    /// Write the values of all positions of a tier as plain bits
    Export(export::Args),
    /// What a table holds: counts by tier, bytes, hashes
    Info(info::Args),
    /// Write a position that encodes a hard problem
    Instance(instance::Args),
    /// Values of positions and of each of their moves, from a table
    Lookup(lookup::Args),
    /// Play two settings of the player against each other and count the games
    Match(match_play::Args),
    /// Write the manual pages into a directory
    Man(packaging::ManArgs),
    /// Make one certificate of many, such as those of the positions after each first move
    Merge(merge::Args),
    /// Write an opening table: the values of all positions that the first moves lead to
    Opening(opening::Args),
    /// Count move sequences
    Perft(perft::Args),
    /// Positions, bytes, memory and time of a table, before anything is computed
    Plan(plan::Args),
    /// Play a game against the program
    Play(play::Args),
    /// Value a local position, or a sum of several
    Region(region::Args),
    /// Count regions, line segment graphs, defective territories and zugzwangs
    Regions(regions::Args),
    /// Write random positions of a table with their values, as CSV or for numpy
    Sample(sample::Args),
    /// Count what each side has left of a game
    Score(score::Args),
    /// Explore tables and searches in the browser
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    /// Draw a position
    Show(show::Args),
    /// Say who wins a position, and by which move
    Solve(solve::Args),
    /// List the files of a directory with their SHA-256 sums, as sha256sum does
    Sums(sums::Args),
    /// Play by the UCI protocol, as Fairy-Stockfish does for its variant amazons
    Uci(uci::Args),
    /// Add and compare values in CGSuite's notation; canonical forms, thermographs
    Value(value::Args),
    /// Recompute what a table, an opening table, a certificate or the results directory claims
    Verify(verify::Args),
}

/// Runs the command line of this process; the return value is its exit status.
pub fn main() -> ExitCode {
    let ranks = match together::ranks() {
        Ok(ranks) => ranks,
        Err(status) => return status,
    };
    let mut status = ExitCode::SUCCESS;
    let outcome = together::check_same(&ranks).and_then(|()| match Cli::try_parse() {
        Ok(cli) => {
            let context = Context::new(&cli.common, &ranks)?;
            run(cli.command, &context, &ranks)
        }
        Err(error) if ranks.is_first() => {
            // There is nobody to tell when standard error is closed.
            let _ = error.print();
            status = ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1));
            Ok(())
        }
        Err(_) => Ok(()),
    });
    match ranks.end(outcome.map_or_else(Failure::outcome, |()| Ending::Done)) {
        Ending::Done => status,
        outcome => failure::report(&outcome),
    }
}

fn run(command: Command, context: &Context, ranks: &Ranks) -> Result<(), Failure> {
    match command {
        Command::Annotate(args) => annotate::run(&args, context),
        Command::Build(args) => build::run(args, context, ranks),
        Command::Chart(args) => chart::run(&args, context),
        Command::Check(args) => check::run(&args, context),
        Command::Completions(args) => packaging::completions(&args, Cli::command(), context),
        Command::Digest(args) => digest::run(&args, context),
        Command::Export(args) => export::run(&args, context),
        Command::Info(args) => info::run(&args, context),
        Command::Instance(args) => instance::run(&args, context),
        Command::Lookup(args) => lookup::run(&args, context),
        Command::Man(args) => packaging::man(&args, Cli::command(), context),
        Command::Match(args) => match_play::run(&args, context),
        Command::Merge(args) => merge::run(&args, context),
        Command::Opening(args) => opening::run(&args, context),
        Command::Perft(args) => perft::run(args, context),
        Command::Plan(args) => plan::run(&args, context),
        Command::Play(args) => play::run(&args, context),
        Command::Region(args) => region::run(&args, context),
        Command::Regions(args) => regions::run(args, context),
        Command::Sample(args) => sample::run(&args, context),
        Command::Score(args) => score::run(&args, context),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(args, context),
        Command::Show(args) => show::run(&args, context),
        Command::Solve(args) => solve::run(&args, context, ranks),
        Command::Sums(args) => sums::run(&args, context),
        Command::Uci(args) => uci::run(&args, context),
        Command::Value(args) => value::run(&args, context),
        Command::Verify(args) => verify::run(&args, context, ranks),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_sound() {
        super::Cli::command().debug_assert();
    }
}
