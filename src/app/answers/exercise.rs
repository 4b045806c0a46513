//! `/api/v1/exercise`: positions with one winning move, to be found.
//!
//! A random game is played from the start position of a solved board, as far as the tables know the
//! values of all moves. The first of its positions with just one winning move among as many as the
//! level asks for is the exercise; if there is none, another game is played. The same seed gives
//! the same exercise while the tables are the same.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use super::tables::Tables;
use crate::game::board::Board;
use crate::game::notation::{fen, move_text};
use crate::game::rules::Position;
use crate::machine::random::Random;
use crate::tables::index::TableRules;
use crate::tables::value_source::Known;

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

/// An exercise from the tables of a board.
pub(crate) fn exercise(
    tables: &dyn Tables,
    board: Board,
    wanted: Option<Difficulty>,
    seed: u64,
) -> Result<Exercise, Refusal> {
    let mut random = Random::new(seed);
    let starts = tables.starts(TableRules::Amazons);
    let starts: Vec<&Position> = starts.iter().filter(|start| start.board() == board).collect();
    for game in 0..GAMES {
        let Some(start) = starts.get(game % starts.len().max(1)) else { break };
        if let Some(found) = in_a_game(tables, start, wanted, &mut random)? {
            return Ok(Exercise { seed, ..found });
        }
    }
    let message = format!("no position of {board} like that was found in the tables");
    Err(Refusal::not_found("no_exercise", message))
}

/// The first exercise in a random game.
fn in_a_game(
    tables: &dyn Tables,
    start: &Position,
    wanted: Option<Difficulty>,
    random: &mut Random,
) -> Result<Option<Exercise>, Refusal> {
    let (mut at, mut played) = (*start, Vec::new());
    loop {
        let Some((Known::All(answer), _)) = tables.look_up(&at)? else { return Ok(None) };
        let wins = answer.winning().count();
        let losses = answer.moves.len() - wins;
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
        if answer.moves.is_empty() {
            return Ok(None);
        }
        let (next, _) = answer.moves[random.below(answer.moves.len())];
        played.push(move_text(at.board(), next));
        at = at.play_indexed(next).map_err(|_| Refusal::internal())?;
    }
}
