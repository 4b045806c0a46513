//! `amazons info FILE` for opening tables.

use std::path::Path;

use serde::Serialize;

use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::opening::PlySummary;
use crate::app::cli::sources::open;
use crate::app::counted::Counted;
use crate::game::notation::fen;
use crate::tables::opening::Opening;
use crate::tables::value_source::ValueSource;

/// What is said of an opening table.
#[derive(Serialize)]
struct OpeningSummary {
    board: String,
    amazons: String,
    start: String,
    bytes: u64,
    plies: Vec<PlySummary>,
}

/// Reads it whole, which its hash asks for.
pub(super) fn run(path: &Path, context: &Context) -> Result<(), Failure> {
    let ValueSource::Opening(opening, path) = open::source(path, context)? else {
        return Err(Failure::failed("the opening table became a directory"));
    };
    let bytes = path.metadata().or_failed()?.len();
    OpeningSummary::new(&opening, bytes).print(context)
}

impl OpeningSummary {
    fn new(opening: &Opening, bytes: u64) -> Self {
        Self {
            board: opening.board().to_string(),
            amazons: opening.start().sides().to_string(),
            start: fen(opening.start()),
            bytes,
            plies: PlySummary::all(opening),
        }
    }

    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let Self { board, amazons, start, plies, bytes } = self;
        context.print(format_args!(
            "{board} {amazons}, opening table: what at most {} from {start} lead to",
            Counted(plies.len() - 1, "move")
        ))?;
        context.print(format_args!("{:>6} {:>18} {:>18}", "moves", "positions", "wins"))?;
        for PlySummary { ply, positions, wins } in plies {
            context.print(format_args!("{ply:>6} {positions:>18} {wins:>18}"))?;
        }
        context.print(format_args!("positions that are mirror images count once; {bytes} bytes"))
    }
}
