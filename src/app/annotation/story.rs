//! What a player is told of a game, in three sentences: how it ended, since when that was certain,
//! and which move cost the most.

use super::course::{Costly, Standing};
use crate::app::counted::Counted;
use crate::game::notation::move_text;
use crate::game::notation::sgf::{Game, NodeId};
use crate::game::rules::{Colour, Position};
use crate::knowledge::{Basis, Finding};
use crate::theory::region::Lead;

/// The three sentences.
///
/// # Panics
/// If there are fewer findings or standings than nodes.
pub fn story(
    game: &Game,
    findings: &[Finding],
    standings: &[Standing],
    costly: &[Costly],
) -> [String; 3] {
    let line = game.tree().main_line();
    let last = *line.last().expect("a game has a first position");
    [
        ended(game.position(last), standings[last.index()]),
        certain(game, &line, findings, standings),
        costliest(game, costly.first()),
    ]
}

/// How the game ended.
fn ended(position: &Position, standing: Standing) -> String {
    let Lead { least, most } = Lead::in_position(position, Colour::White);
    match standing {
        Standing::Won(winner) => {
            let by = if winner == Colour::White { least } else { -most };
            match least == most && by > 0 {
                true => format!("{} wins by {}.", capital(winner), Counted(by, "move")),
                false => format!("{} wins.", capital(winner)),
            }
        }
        Standing::Lead(_) => format!("At its end the game is open: {}.", standing.words()),
        Standing::Unknown => "At its end the game is open.".to_string(),
    }
}

/// Since when the winner is certain.
fn certain(game: &Game, line: &[NodeId], findings: &[Finding], standings: &[Standing]) -> String {
    let last = standings[line[line.len() - 1].index()];
    let same = line.iter().rev().take_while(|id| standings[id.index()] == last);
    let since: Vec<NodeId> = same.copied().collect();
    let (Standing::Won(_), Some(&first)) = (last, since.last()) else {
        return "Who wins is not certain at any move to the end.".to_string();
    };
    // What a continuation decides rests on what decides that.
    let bases = since.iter().rev().filter_map(|id| findings[id.index()].basis());
    let basis = bases.into_iter().find(|basis| **basis != Basis::Continuation);
    let basis = basis.map_or(String::new(), |basis| format!(", {basis}"));
    match game.moves(first) {
        0 => format!("That is certain from the start on{basis}."),
        _ => format!("That is certain after {}{basis}.", name(game, first)),
    }
}

/// The move that cost the most.
fn costliest(game: &Game, costly: Option<&Costly>) -> String {
    match costly {
        None => "No move is known to throw a win away, nor estimated to cost two squares.".into(),
        Some(costly) => {
            let name = name(game, costly.node);
            format!("The costliest is {name}: {}.", costly.words(game))
        }
    }
}

/// `move 23, black e4-e5/e6`.
fn name(game: &Game, id: NodeId) -> String {
    let position = game.position(id);
    let side = position.turn().other();
    let played = game.played(id).map(|played| move_text(position.board(), played));
    format!("move {}, {side} {}", game.moves(id), played.unwrap_or_default())
}

/// A side at the beginning of a sentence.
fn capital(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}
