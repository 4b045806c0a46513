//! `amazons info FILE` for checkpoints: how far the search is.

use std::path::Path;

use serde::Serialize;

use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::files::kind::FileKind;
use crate::app::cli::text::quantity;
use crate::game::notation::fen;
use crate::game::rules::{Colour, Position};
use crate::machine::shown::Shown as _;
use crate::search::{CheckpointError, CheckpointSummary, MoveCounts};

/// What a checkpoint says of its search.
#[derive(Serialize)]
struct Summary {
    kind: FileKind,
    version: u32,
    board: String,
    /// With White to move: a checkpoint knows no colours.
    position: String,
    /// Positions that the search had evaluated.
    nodes: u64,
    /// Whether its values rest on a digest that the search had taken up.
    rests_on_digest: bool,
    entries: u64,
    /// The time of all runs that went on from one another; null where the file has no history.
    searched_seconds: Option<f64>,
    /// What is known of the moves; null if not all moves were asked for.
    moves: Option<Moves>,
    bytes: u64,
}

/// How many moves win, lose and are open.
#[derive(Serialize)]
struct Moves {
    win: u32,
    lose: u32,
    open: u32,
}

/// Reads it but for the entries, which takes a moment; a file of version 1 is read whole.
pub(super) fn run(path: &Path, context: &Context) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    let read = CheckpointSummary::of(path, || stop.is_set()).map_err(|error| match error {
        CheckpointError::Stopped => Failure::limit(format!("{}: {error}", path.shown())),
        error => Failure::of_file(path, &error),
    })?;
    let bytes = path.metadata().map_err(|error| Failure::of_file(path, &error))?.len();
    Summary::of(&read, bytes)?.print(context, path)
}

impl Summary {
    fn of(read: &CheckpointSummary, bytes: u64) -> Result<Self, Failure> {
        let position = Position::new(read.board, &read.position, Colour::White).or_failed()?;
        let last = read.history.moments().last();
        let moves = last.map(|last| last.moves).filter(|&moves| moves != MoveCounts::default());
        Ok(Self {
            kind: FileKind::Checkpoint,
            version: read.version,
            board: read.board.to_string(),
            position: fen(&position),
            nodes: read.nodes,
            rests_on_digest: read.rests_on_digest,
            entries: read.entries,
            searched_seconds: last.map(|last| last.searched.as_secs_f64()),
            moves: moves.map(|MoveCounts { win, lose, open }| Moves { win, lose, open }),
            bytes,
        })
    }

    /// Prints it as text or JSON.
    fn print(&self, context: &Context, path: &Path) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let Self { version, board, position, nodes, entries, bytes, .. } = self;
        let path = path.shown();
        context.print(format_args!(
            "{path}: checkpoint of a search of {board}, format version {version}, {entries} \
             entries, {bytes} bytes"
        ))?;
        context.print(format_args!(
            "{nodes} positions evaluated of {position}, without colours: the side to move is white \
             here"
        ))?;
        if self.rests_on_digest {
            context.print("its values rest on a digest that the search had taken up")?;
        }
        match self.searched_seconds {
            Some(seconds) => {
                context.print(format_args!("searched for {}", quantity::time(seconds)))?
            }
            None => context.print("without a history: how long it was searched is not known")?,
        }
        let Some(Moves { win, lose, open }) = self.moves else { return Ok(()) };
        context.print(MoveCounts { win, lose, open })
    }
}
