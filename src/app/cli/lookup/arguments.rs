//! The arguments of `amazons lookup`.

use std::path::PathBuf;

use crate::app::cli::arguments::rules::RulesArgs;
use crate::game::board::Board;
use crate::game::notation::record::is_rows;
use crate::game::rules::Amazons;

/// Values of positions and of each of their moves, from what the program knows or from a table; or
/// the winner's moves, from a certificate
#[derive(Debug, clap::Args)]
pub(in crate::app::cli) struct Args {
    #[command(flatten)]
    pub(super) rules: RulesArgs,

    /// Boards (their start positions) or FENs, and after each the moves to play in it first; -
    /// reads one a line from standard input and answers in JSON
    #[arg(required = true, value_name = "POSITION [MOVE]...")]
    pub(super) words: Vec<String>,

    #[command(flatten)]
    pub(super) source: SourceArgs,

    /// Amazons of White and Black on a board's start position [default: 4v4]
    #[arg(long, value_name = "NvN")]
    pub(super) amazons: Option<Amazons>,

    /// Only the value of the position, not those of its moves
    #[arg(long)]
    pub(super) values_only: bool,
}

/// Where the values are from: one of these, else from what the program knows without any file.
#[derive(Debug, clap::Args)]
#[group(required = false, multiple = false)]
pub(super) struct SourceArgs {
    /// Directory of the table, or an opening table
    #[arg(long, value_name = "DIR | FILE")]
    pub(super) tables: Option<PathBuf>,

    /// A certificate of Amazons: how its winner plays in the positions that its moves lead to.
    /// Whether it is a proof is for `verify` to say
    #[arg(long, value_name = "FILE")]
    pub(super) certificate: Option<PathBuf>,
}

impl Args {
    /// Whether positions are read from standard input.
    pub(super) fn is_dash(&self) -> bool {
        self.words.len() == 1 && self.words[0] == "-"
    }

    /// The words of each position: a board or FEN, what else a FEN has, moves.
    pub(super) fn positions(&self) -> Vec<String> {
        let mut positions: Vec<String> = Vec::new();
        for word in &self.words {
            match positions.last_mut().filter(|_| !begins_position(word)) {
                Some(position) => *position = format!("{position} {word}"),
                None => positions.push(word.clone()),
            }
        }
        positions
    }
}

/// Whether an argument begins with a board, the ranks of a FEN, or rows as CGSuite has them. No
/// move, side or number does, by any rules.
fn begins_position(argument: &str) -> bool {
    let Some(word) = argument.split_whitespace().next() else { return false };
    if is_rows(word) {
        return true;
    }
    let of_ranks = |char: char| matches!(char, 'Q' | 'q' | '*' | '/') || char.is_ascii_digit();
    let is_number = word.chars().all(|char| char.is_ascii_digit());
    word.parse::<Board>().is_ok() || (word.chars().all(of_ranks) && !is_number)
}
