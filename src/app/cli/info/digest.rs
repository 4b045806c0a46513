//! `amazons info FILE` for digests: what the header says.

use std::path::Path;

use serde::Serialize;

use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::files::kind::FileKind;
use crate::game::notation::fen;
use crate::game::rules::{Colour, Position};
use crate::machine::files::open_regular;
use crate::machine::shown::Shown as _;
use crate::search::digest::Reader;

/// What a digest says of itself.
#[derive(Serialize)]
struct Summary {
    kind: FileKind,
    board: String,
    /// With White to move: a digest knows no colours.
    position: String,
    /// Positions that the search had evaluated.
    nodes: u64,
    positions: u64,
    bytes: u64,
}

/// Reads the header alone, and says so.
pub(super) fn run(path: &Path, context: &Context) -> Result<(), Failure> {
    let file = open_regular(path).map_err(|error| Failure::of_file(path, &error))?;
    let bytes = file.metadata().map_err(|error| Failure::of_file(path, &error))?.len();
    let digest = Reader::new(file).map_err(|error| Failure::of_file(path, &error))?.digest();
    let position = Position::new(digest.board, &digest.position, Colour::White).or_failed()?;
    let summary = Summary {
        kind: FileKind::Digest,
        board: digest.board.to_string(),
        position: fen(&position),
        nodes: digest.nodes,
        positions: digest.positions,
        bytes,
    };
    summary.print(context, path)
}

impl Summary {
    /// Prints it as text or JSON.
    fn print(&self, context: &Context, path: &Path) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let Self { board, position, nodes, positions, bytes, .. } = self;
        let path = path.shown();
        context.print(format_args!(
            "{path}: digest of a search of {board}, {positions} positions, {bytes} bytes"
        ))?;
        context.print(format_args!(
            "{nodes} positions evaluated of {position}, without colours: the side to move is white \
             here"
        ))?;
        context.print(format_args!("read: the header alone; a search that is given it reads all"))
    }
}
