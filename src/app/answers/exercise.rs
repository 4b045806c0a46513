//! `/api/v1/exercise`: positions with one winning move, to be found.
//!
//! A random game is played from the start position of a solved board, as far as the values of
//! all moves are known. The first of its positions with just one winning move among as many as the
//! level asks for is the exercise; if there is none, another game is played. The same seed gives
//! the same exercise while what is known is the same.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::notation::{fen, move_text};
use crate::game::rules::Position;
use crate::knowledge::Knowledge;
use crate::machine::random::Random;
use crate::tables::index::TableRules;

/// Games that are tried.
const GAMES: usize = 300;

/// How hard an exercise is: by how many moves lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Difficulty {
    /// Up to 19.
    Easy,
    /// 20 to 59.
    Medium,
    /// 60 and more.
    Hard,
}

/// `/api/v1/exercise`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Exercise {
    board: String,
    /// Where the game that leads to it began.
    start: String,
    /// The moves that lead to it.
    moves: Vec<String>,
    /// The position with one winning move.
    position: String,
    /// Moves that lose.
    losses: usize,
    difficulty: Difficulty,
    seed: u64,
}

impl Difficulty {
    fn of(losses: usize) -> Self {
        match losses {
            0..20 => Self::Easy,
            20..60 => Self::Medium,
            _ => Self::Hard,
        }
    }
}

/// An exercise on a board.
pub(crate) fn exercise(
    knowledge: &Knowledge,
    board: Board,
    wanted: Option<Difficulty>,
    seed: u64,
) -> Result<Exercise, Refusal> {
    let mut random = Random::new(seed);
    let starts = knowledge.starts(TableRules::Amazons);
    let starts: Vec<&Position> = starts.iter().filter(|start| start.board() == board).collect();
    for game in 0..GAMES {
        let Some(start) = starts.get(game % starts.len().max(1)) else { break };
        if let Some(found) = in_a_game(knowledge, start, wanted, &mut random)? {
            return Ok(Exercise { seed, ..found });
        }
    }
    let message = format!("no position of {board} like that was found in the tables");
    Err(Refusal::not_found("no_exercise", message))
}

/// The first exercise in a random game.
fn in_a_game(
    knowledge: &Knowledge,
    start: &Position,
    wanted: Option<Difficulty>,
    random: &mut Random,
) -> Result<Option<Exercise>, Refusal> {
    let (mut at, mut played) = (*start, Vec::new());
    loop {
        let finding = knowledge.of(&at)?;
        if !finding.is_complete() {
            return Ok(None);
        }
        let wins = finding.of_value(Some(Outcome::Win)).count();
        let losses = finding.of_value(Some(Outcome::Loss)).count();
        let difficulty = Difficulty::of(losses);
        if wins == 1 && losses > 0 && wanted.is_none_or(|wanted| wanted == difficulty) {
            return Ok(Some(Exercise {
                board: start.board().to_string(),
                start: fen(start),
                moves: played,
                position: fen(&at),
                losses,
                difficulty,
                seed: 0,
            }));
        }
        let moves = finding.moves();
        if moves.is_empty() {
            return Ok(None);
        }
        let (next, _) = moves[random.below(moves.len())];
        played.push(move_text(at.board(), next));
        at = at.play_indexed(next).map_err(|_| Refusal::internal())?;
    }
}
