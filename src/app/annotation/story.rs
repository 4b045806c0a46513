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
    let ids: Vec<NodeId> = game.tree().ids().collect();
    let indices: Vec<usize> = line.iter().map(|id| id.index()).collect();
    let winner = |at: usize| match standings[at] {
        Standing::Won(winner) => Some(winner),
        _ => None,
    };
    let named = |at: usize| (game.moves(ids[at]) > 0).then(|| name(game, ids[at]));
    [
        ended(game.position(last), standings[last.index()]),
        certain(&indices, winner, findings, named),
        costliest(game, costly.first()),
    ]
}

/// How the game ended.
fn ended(position: &Position, standing: Standing) -> String {
    let Lead { least, most } = Lead::in_position(position, Colour::White);
    match standing {
        Standing::Won(winner) => {
            let ahead = if winner == Colour::White { least } else { -most };
            // As margins have it: a side to move has to spend one of its moves.
            let by = ahead - i32::from(position.turn() == winner);
            match least == most && ahead > 0 {
                true => format!("{} wins by {}.", capital(winner), Counted(by, "move")),
                false => format!("{} wins.", capital(winner)),
            }
        }
        Standing::Lead(_) => format!("At its end the game is open: {}.", standing.words()),
        Standing::Unknown => "At its end the game is open.".to_string(),
    }
}

/// Since when the winner is certain, of positions that follow each other; `name` gives the move that
/// led to one, `None` at the start.
pub fn certain<M: Copy + Ord>(
    line: &[usize],
    winner: impl Fn(usize) -> Option<Colour>,
    findings: &[Finding<M>],
    name: impl Fn(usize) -> Option<String>,
) -> String {
    let won_by = line.last().and_then(|&last| winner(last));
    let same = line.iter().rev().take_while(|&&at| winner(at) == won_by);
    let since: Vec<usize> = same.copied().collect();
    let (Some(_), Some(&first)) = (won_by, since.last()) else {
        return "Who wins is not certain at any move to the end.".to_string();
    };
    // What a continuation decides rests on what decides that.
    let bases = since.iter().rev().filter_map(|&at| findings[at].basis());
    let basis = bases.into_iter().find(|basis| **basis != Basis::Continuation);
    let basis = basis.map_or(String::new(), |basis| format!(", {basis}"));
    match name(first) {
        None => format!("That is certain from the start on{basis}."),
        Some(name) => format!("That is certain after {name}{basis}."),
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
pub fn capital(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}
