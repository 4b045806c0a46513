//! The command line: one file a subcommand, each with its arguments and a `run`.
//!
//! `main` parses, sets up the threads and hands over to the subcommand, which gets a `Context` to
//! print to, to report progress to and to be stopped by. Results go to standard output, everything
//! else to standard error. The exit status is 0 when done, or that of the `Failure`.
//!
//! To add a subcommand: a file with `Args` and `run`, a variant of `Command`, an arm of `run`.

mod annotate;
mod arguments;
mod batch;
mod build;
mod chart;
mod check;
mod context;
mod convert;
mod dead_ends;
mod digest;
mod export;
#[cfg(feature = "fetch")]
mod fetch;
mod files;
#[cfg(feature = "gpu")]
mod gpu_args;
#[cfg(feature = "gpu")]
mod gpu_plan;
mod info;
mod instance;
mod lookup;
mod margins;
mod match_play;
mod merge;
mod opening;
mod packaging;
mod perft;
mod plan;
mod play;
mod region;
mod regions;
mod rules;
mod sample;
mod score;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod solve;
mod sources;
mod sums;
mod text;
mod tree;
mod uci;
mod value;
mod verify;

use std::env;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

use super::input;
use crate::machine::ranks::{Ending, Ranks};
use crate::machine::shown::Shown as _;
use context::{CommonOptions, Context, Failure, OrFail};

/// Solves small boards of the Game of the Amazons exactly.
///
/// A POSITION is a board, written columns x rows (4x5: its start position, four amazons a side,
/// White to move), or a FEN in one argument ("1qq1/q2q/Q2Q/1QQ1 w": ranks from the top, Q white, q
/// black, * burned, numbers of empty squares, then the side to move). Rows of squares as in CGSuite
/// with the side to move ("x..|.#.|..o w": x black, o white) are read too.
///
/// In a start position White has a2, b1 and their mirror images in the last files, on 10x10 a4, d1,
/// g1 and j4. Black is White's mirror image from top to bottom. So 8x8 is not the start with c1,
/// f1, a3 and h3 in which Black begins; give that one as a FEN.
#[derive(Debug, Parser)]
#[command(name = "amazons", version, after_long_help = EXIT_STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: CommonOptions,
}

const EXIT_STATUS: &str = "\
Exit status: 0 done; 1 failed; 2 wrong usage or an impossible position; 3 a limit was reached without an answer.";

/// Each says at its arguments what it is; a comment here would take the place of that in its help.
#[derive(Debug, Subcommand)]
enum Command {
    Annotate(annotate::Args),
    Build(build::Args),
    Chart(chart::Args),
    Check(check::Args),
    Completions(packaging::CompletionsArgs),
    Convert(convert::Args),
    Digest(digest::Args),
    Export(export::Args),
    #[cfg(feature = "fetch")]
    Fetch(fetch::Args),
    Info(info::Args),
    Instance(instance::Args),
    Lookup(lookup::Args),
    Match(match_play::Args),
    Man(packaging::ManArgs),
    Merge(merge::Args),
    Opening(opening::Args),
    Perft(perft::Args),
    Plan(plan::Args),
    Play(play::Args),
    Region(region::Args),
    Regions(regions::Args),
    Rules(rules::Args),
    Sample(sample::Args),
    Score(score::Args),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    Show(show::Args),
    Solve(solve::Args),
    Sums(sums::Args),
    Tree(tree::Args),
    Uci(uci::Args),
    Value(value::Args),
    Verify(verify::Args),
}

/// Runs the command line of this process; the return value is its exit status.
pub fn main() -> ExitCode {
    let ranks = match context::ranks::ranks() {
        Ok(ranks) => ranks,
        Err(status) => return status,
    };
    let mut status = ExitCode::SUCCESS;
    let ready = context::ranks::check_same(&ranks).and_then(|()| match ranks.is_first() {
        true => context::standard_output::refuse_closed(),
        false => Ok(()),
    });
    let outcome = ready.and_then(|()| match Cli::try_parse() {
        Ok(cli) => {
            let context = Context::new(&cli.common, &ranks)?;
            run(cli.command, &context, &ranks)
        }
        Err(error) if ranks.is_first() => {
            let is_answer = !error.use_stderr();
            status = ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1));
            match print_refusal(error) {
                Err(failed) if is_answer => Err(Failure::of_output(failed)),
                // There is nobody to tell when standard error is closed.
                _ => Ok(()),
            }
        }
        Err(_) => Ok(()),
    });
    match ranks.end(outcome.map_or_else(Failure::outcome, |()| Ending::Done)) {
        Ending::Done => status,
        outcome => context::failure::report(&outcome),
    }
}

/// Prints what is wrong with the command line, or what it asks to be told. An argument may be the
/// name of any file: the same arguments, as names are shown, are refused for the same reason.
fn print_refusal(error: clap::Error) -> io::Result<()> {
    let shown = env::args_os().map(|argument| argument.shown().to_string());
    let error = Cli::try_parse_from(shown).err().unwrap_or(error);
    error.print()?;
    if wants_gpu(&error) {
        let how = "`cargo install --path . --features gpu` builds one that has it";
        let _ = writeln!(io::stderr().lock(), "\nThis program is without the feature gpu; {how}.");
    }
    Ok(())
}

/// Whether a command line is refused for an option that only the feature `gpu` has.
fn wants_gpu(error: &clap::Error) -> bool {
    let refused = error.get(ContextKind::InvalidArg);
    let is_gpu =
        matches!(refused, Some(ContextValue::String(option)) if option.starts_with("--gpu"));
    is_gpu && error.kind() == ErrorKind::UnknownArgument && !cfg!(feature = "gpu")
}

fn run(command: Command, context: &Context, ranks: &Ranks) -> Result<(), Failure> {
    match command {
        Command::Annotate(args) => annotate::run(&args, context),
        Command::Build(args) => build::run(args, context, ranks),
        Command::Chart(args) => chart::run(&args, context),
        Command::Check(args) => check::run(&args, context),
        Command::Completions(args) => packaging::completions(&args, Cli::command(), context),
        Command::Convert(args) => convert::run(&args, context),
        Command::Digest(args) => digest::run(&args, context),
        Command::Export(args) => export::run(&args, context),
        #[cfg(feature = "fetch")]
        Command::Fetch(args) => fetch::run(&args, context),
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
        Command::Rules(args) => rules::run(&args, context),
        Command::Sample(args) => sample::run(&args, context),
        Command::Score(args) => score::run(&args, context),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(args, context),
        Command::Show(args) => show::run(&args, context),
        Command::Solve(args) => solve::run(&args, context, ranks),
        Command::Sums(args) => sums::run(&args, context),
        Command::Tree(args) => tree::run(&args, context),
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
