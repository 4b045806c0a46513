//! The arguments of `amazons solve`.

use std::path::PathBuf;
use std::time::Duration;

use crate::app::cli::arguments::position::PositionArgs;
use crate::app::cli::arguments::rules::RulesArgs;
use crate::app::input;
use crate::proof::LARGEST_LEAF;
use crate::search::Wanted;

/// Say who wins POSITION, and by which move; - reads positions by the line and answers in JSON
///
/// --tables, --method tables, --checkpoint, --digest, --walls, --leaf, --margin, --spare and --mpi
/// are for Amazons alone.
#[derive(Debug, clap::Args)]
pub(in crate::app::cli) struct Args {
    #[command(flatten)]
    pub(super) given: PositionArgs,

    #[command(flatten)]
    pub(super) rules: RulesArgs,

    /// How to find out
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    pub(super) method: Method,

    /// Directory of a table, or an opening table: it answers, or helps the search where it knows a
    /// position
    #[arg(long, value_name = "DIR | FILE")]
    pub(super) tables: Option<PathBuf>,

    /// Say of every move whether it wins, as far as is known when the time is up
    #[arg(long)]
    pub(super) all_moves: bool,

    /// Say by how many spare moves the winner wins; with --all-moves, by how many each move wins or
    /// loses. When the time is up, between what that lies
    #[arg(long, conflicts_with_all = ["spare", "certificate", "mpi"])]
    pub(super) margin: bool,

    /// Say who wins if the side to move has N spare moves more than the other side, or fewer if N
    /// is below 0. A spare move passes the turn. In a certificate they are a territory on a larger
    /// board
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        conflicts_with_all = ["all_moves", "mpi"]
    )]
    pub(super) spare: Option<i16>,

    /// Give up after this time, with exit status 3. Where many positions are read, this is the time
    /// of each, and the exit status comes at the end
    #[arg(long, value_name = "DURATION", value_parser = input::duration)]
    pub(super) time: Option<Duration>,

    /// Save the search here now and then, and go on from here if the file exists
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,

    /// Believe the values that this file has, written by `amazons digest` from a checkpoint
    #[arg(long, value_name = "FILE")]
    pub(super) digest: Option<PathBuf>,

    /// Write the winner's strategy here, for `amazons verify`
    #[arg(long, value_name = "FILE")]
    pub(super) certificate: Option<PathBuf>,

    /// Leave to the wall rule what it decides. The certificate is far smaller, and its check rests
    /// on that rule too
    #[arg(long, requires = "certificate")]
    pub(super) walls: bool,

    /// Leave positions with at most N empty squares, 0 to 12, out of the certificate. A larger N
    /// can make it smaller; its check takes longer then [default: 9, with --walls 11]
    #[arg(
        long,
        value_name = "N",
        requires = "certificate",
        value_parser = input::number::<u8>(0..=LARGEST_LEAF.into())
    )]
    pub(super) leaf: Option<u8>,

    /// Search together with the other processes that mpirun or srun has started
    #[arg(long, conflicts_with = "tables")]
    pub(super) mpi: bool,
}

impl Args {
    /// An option that was given and names a file that only the search of one position reads or
    /// writes.
    pub(super) fn option_of_search(&self) -> Option<&'static str> {
        let files = [
            ("--checkpoint", &self.checkpoint),
            ("--certificate", &self.certificate),
            ("--digest", &self.digest),
        ];
        files.into_iter().find(|(_, path)| path.is_some()).map(|(option, _)| option)
    }

    /// The option that asks about spare moves, if one does.
    pub(super) fn option_of_margins(&self) -> Option<&'static str> {
        match (self.margin, self.spare) {
            (true, _) => Some("--margin"),
            (false, Some(_)) => Some("--spare"),
            (false, None) => None,
        }
    }

    /// Of how many moves the values are wanted.
    pub(super) fn wanted(&self) -> Wanted {
        if self.all_moves { Wanted::All } else { Wanted::One }
    }
}

/// Where the answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Method {
    /// Whatever there is
    Auto,
    /// Proof-number search
    Proof,
    /// The table of --tables alone
    Tables,
}
