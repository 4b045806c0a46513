//! The arguments of `amazons annotate`.

use std::path::PathBuf;
use std::time::Duration;

use crate::app::cli::arguments::rules::RulesArgs;
use crate::app::input;
use crate::play::Limits;

/// Positions that the engine looks at for an estimate, if nothing else is said.
const ESTIMATE_NODES: u64 = 50_000;

/// Say what each move of a game is worth, and which moves threw the win away
#[derive(Debug, clap::Args)]
pub(in crate::app::cli) struct Args {
    /// A record of games in any form: SGF, GGF, a list of moves (docs/records.md); - reads standard
    /// input
    #[arg(value_name = "GAME")]
    pub(super) game: PathBuf,

    #[command(flatten)]
    pub(super) rules: RulesArgs,

    /// Tables, opening tables, certificates, and directories of files of the latter two, asked in
    /// this order; with --rules tables by these rules alone
    #[arg(long, value_name = "DIR | FILE", num_args = 1..)]
    pub(super) tables: Vec<PathBuf>,

    /// Search a position whose value is not known for this long at most; 0s searches none
    #[arg(long, value_name = "DURATION", value_parser = input::duration, default_value = "5s")]
    pub(super) time: Duration,

    /// Say what each move cost in spare moves, and search each position for this long at most to
    /// find that out
    #[arg(long, value_name = "DURATION", value_parser = input::duration)]
    pub(super) margins: Option<Duration>,

    /// Write the annotated games here, as SGF; - is standard output [default: -, with --json
    /// nowhere]. By other rules than those of amazons this option, --margins, --estimate-nodes,
    /// --estimate-time, --svg and --graph are refused
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,

    /// Positions that the engine looks at to estimate one whose value is not known; 0 estimates
    /// none [default: 50000]
    #[arg(long, value_name = "N", conflicts_with = "estimate_time")]
    pub(super) estimate_nodes: Option<u64>,

    /// Time for an estimate, in place of a number of positions
    #[arg(long, value_name = "DURATION", value_parser = input::duration)]
    pub(super) estimate_time: Option<Duration>,

    /// Write a column of diagrams here
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,

    /// Write a graph of who leads after each move here
    #[arg(long, value_name = "FILE")]
    pub(super) graph: Option<PathBuf>,
}

impl Args {
    /// The limits of an estimate, if any is wanted.
    pub(super) fn estimate(&self) -> Option<Limits> {
        match self.estimate_time {
            Some(time) => (!time.is_zero()).then(|| Limits::time(time)),
            None => {
                let nodes = self.estimate_nodes.unwrap_or(ESTIMATE_NODES);
                (nodes > 0).then(|| Limits { nodes: Some(nodes), ..Limits::default() })
            }
        }
    }
}
