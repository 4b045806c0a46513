//! `amazons info FILE` for checkpoints: how far the search is.

use std::path::Path;

use serde::Serialize;

use super::damaged;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::files::kind::FileKind;
use crate::app::cli::text::quantity;
use crate::game::notation::fen;
use crate::game::rules::{Colour, Position};
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
    let found = CheckpointSummary::of(path, || stop.is_set()).map_err(|error| match error {
        CheckpointError::Stopped => Failure::limit(format!("{}: {error}", path.display())),
        error => damaged(path, &error),
    })?;
    let bytes = path.metadata().map_err(|error| damaged(path, &error))?.len();
    let position = Position::new(found.board, &found.position, Colour::White).or_failed()?;
    let last = found.history.moments().last();
    let moves = last.map(|last| last.moves).filter(|&moves| moves != MoveCounts::default());
    let summary = Summary {
        kind: FileKind::Checkpoint,
        version: found.version,
        board: found.board.to_string(),
        position: fen(&position),
        nodes: found.nodes,
        rests_on_digest: found.rests_on_digest,
        entries: found.entries,
        searched_seconds: last.map(|last| last.searched.as_secs_f64()),
        moves: moves.map(|MoveCounts { win, lose, open }| Moves { win, lose, open }),
        bytes,
    };
    if context.json() {
        return context.print_json(&summary);
    }
    let Summary { version, board, position, nodes, entries, searched_seconds, .. } = summary;
    let path = path.display();
    context.print(format_args!(
        "{path}: checkpoint of a search of {board}, format version {version}, {entries} entries, \
         {bytes} bytes"
    ))?;
    context.print(format_args!(
        "{nodes} positions evaluated of {position}, without colours: the side to move is white here"
    ))?;
    if found.rests_on_digest {
        context.print("its values rest on a digest that the search had taken up")?;
    }
    match searched_seconds {
        Some(seconds) => context.print(format_args!("searched for {}", quantity::time(seconds)))?,
        None => context.print("without a history: how long it was searched is not known")?,
    }
    moves.map_or(Ok(()), |moves| context.print(moves))
}
