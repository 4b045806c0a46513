//! The game as a file, written whole again after every move.

use std::path::Path;

use crate::app::cli::context::{Failure, OrFail};
use crate::app::cli::files::output;
use crate::game::Position;
use crate::game::notation::sgf::{Game, Style, Tree, games_text};
use crate::game::rules::Colour;

/// Where a game is written, and where it begins.
pub(super) struct Saving<'a> {
    file: &'a Path,
    start: Position,
}

impl<'a> Saving<'a> {
    pub(super) fn new(file: &'a Path, start: Position) -> Self {
        Self { file, start }
    }

    /// Writes the game: these moves, and who won if it is over.
    ///
    /// # Errors
    /// If the file cannot be written; what was there is then still there.
    pub(super) fn write(&self, moves: &[String], winner: Option<Colour>) -> Result<(), Failure> {
        let mut game = Game::new(&self.start, Style::Algebraic);
        let mut last = Tree::ROOT;
        for played in moves {
            last = game.play(last, played).or_failed()?;
        }
        let result = winner.map(|winner| match winner {
            Colour::White => "W+",
            Colour::Black => "B+",
        });
        if let Some(result) = result {
            game.annotate(Tree::ROOT, "RE", result);
        }
        output::write(self.file, games_text(&[game]).as_bytes())
    }
}
