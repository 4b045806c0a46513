//! Pictures of an annotated game: its positions, and its course.

use super::found::Found;
use super::report::title;
use crate::app::annotation::{Mark, Standing, alternatives, mark, winner};
use crate::app::cli::context::Failure;
use crate::app::cli::text::plot;
use crate::game::notation::sgf::{Game, Tree};
use crate::game::notation::{Captioned, Drawing, column};
use crate::game::rules::Colour;

/// The positions of all games below each other, variations after the line that they leave.
pub(super) fn picture(games: &[Game], found: &[Found]) -> String {
    let mut captioned = Vec::new();
    for (game, Found { findings, .. }) in games.iter().zip(found) {
        let main_line = game.tree().main_line();
        for id in game.tree().preorder() {
            let position = game.position(id);
            let finding = &findings[id.index()];
            let drawing = game
                .played(id)
                .map_or(Drawing::of(position), |last| Drawing::after(position, last));
            let variation = if main_line.contains(&id) { "" } else { "variation, " };
            let won = winner(position, finding)
                .map_or("winner unknown".into(), |side| format!("{side} wins"));
            let mark = mark(game, id.index(), findings);
            let note = match mark {
                Some(Mark::Blunder) => alternatives(game, id.index(), findings),
                Some(Mark::Only) => Some("the only move that wins".to_string()),
                None => None,
            };
            captioned.push(Captioned {
                drawing,
                title: format!("{variation}{}: {won}", title(game, id)),
                warning: (mark == Some(Mark::Blunder)).then(|| "threw the win away".to_string()),
                note,
            });
        }
    }
    column(&captioned)
}

/// The largest lead that the graph shows, in squares; a known winner leads by as much.
const MOST: f64 = 15.0;

/// Who leads after each move of the main line, with the costly moves marked.
///
/// # Errors
/// If it cannot be drawn.
pub(super) fn graph(game: &Game, found: &Found) -> Result<String, Failure> {
    let mut leads = Vec::new();
    let mut marked = Vec::new();
    for id in game.tree().main_line() {
        let lead = match found.standings[id.index()] {
            Standing::Won(Colour::White) => MOST,
            Standing::Won(Colour::Black) => -MOST,
            Standing::Lead(white) => (f64::from(white) / 100.0).clamp(-MOST, MOST),
            Standing::Unknown => continue,
        };
        let point = (game.moves(id) as f64, lead);
        leads.push(point);
        if found.costly.iter().any(|costly| costly.node == id) {
            marked.push(point);
        }
    }
    let board = game.position(Tree::ROOT).board();
    plot::course(&format!("Who leads, {board}"), &leads, &marked, MOST)
}
