//! `amazons uci`: the player as an engine for graphical interfaces and match runners.
//!
//! The dialect is the one Fairy-Stockfish speaks for its variant `amazons`: moves `d1d7,d7g7`,
//! positions as FEN, an option `UCI_Variant`. A bad line is answered by `info string error: ...`
//! and changes nothing, but that there is no position after one that was refused.

mod command;
mod event;
mod options;
mod session;

use std::io::{self, BufReader};
use std::path::PathBuf;
use std::sync::Arc;

use super::context::{Context, Failure};
use super::sources::known::knowledge;
use session::Session;

/// Play by the UCI protocol, as Fairy-Stockfish does for its variant amazons
///
/// Reads commands from standard input: uci, isready, setoption, ucinewgame, position, go, stop, d,
/// quit. startpos is 10x10; boards of any size are given as FEN.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Tables, opening tables, certificates, and directories of files of the latter two: the program
    /// plays perfectly where one knows the position
    #[arg(long, value_name = "DIR | FILE", num_args = 1..)]
    tables: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let knowledge = Arc::new(knowledge(&args.tables, context)?);
    std::thread::scope(|scope| {
        Session::new(scope, context, knowledge)?.run(BufReader::new(io::stdin()))
    })
}
