//! `/api/v1/exercise`: positions with one best move, to be found: the only one that wins, or the
//! one of several that wins by most.
//!
//! A random game is played from the start position of a solved board, as far as the values of all
//! moves are known. The first of its positions with just one such move among as many others as the
//! level asks for is the exercise; if there is none, another game is played. The same seed gives
//! the same exercise while what is known is the same.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::notation::{fen, move_text};
use crate::game::rules::Position;
use crate::knowledge::{Finding, Knowledge, SourceError};
use crate::machine::random::Random;
use crate::tables::index::TableRules;

/// Games that are tried.
const GAMES: usize = 300;

/// What is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Goal {
    /// The only move that wins.
    Win,
    /// Of several moves that win, the one that wins by most spare moves.
    Margin,
}

/// How hard an exercise is: by how many other moves there are.
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

/// Which exercise is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WantedExercise {
    pub(crate) goal: Goal,
    /// `None` for any.
    pub(crate) difficulty: Option<Difficulty>,
}

/// `/api/v1/exercise`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Exercise {
    board: String,
    /// Where the game that leads to it began.
    start: String,
    /// The moves that lead to it.
    moves: Vec<String>,
    /// The position with one best move.
    position: String,
    goal: Goal,
    /// Moves that win.
    wins: usize,
    /// Moves that lose.
    losses: usize,
    difficulty: Difficulty,
    seed: u64,
}

impl Difficulty {
    fn of(others: usize) -> Self {
        match others {
            0..20 => Self::Easy,
            20..60 => Self::Medium,
            _ => Self::Hard,
        }
    }
}

impl WantedExercise {
    /// Whether a position, all of whose moves' values are known, is such an exercise.
    fn is(
        &self,
        position: &Position,
        finding: &Finding,
        knowledge: &Knowledge,
    ) -> Result<bool, SourceError> {
        let moves = finding.moves().len();
        let wins = finding.of_value(Some(Outcome::Win)).count();
        let of_difficulty = |wanted| Difficulty::of(moves.saturating_sub(1)) == wanted;
        if moves < 2 || !self.difficulty.is_none_or(of_difficulty) {
            return Ok(false);
        }
        match self.goal {
            Goal::Win => Ok(wins == 1),
            Goal::Margin if wins < 2 => Ok(false),
            Goal::Margin => {
                let margins = knowledge.margins_beside(position, finding)?;
                Ok(margins.is_complete() && margins.best().len() == 1)
            }
        }
    }
}

/// An exercise on a board.
pub(crate) fn exercise(
    knowledge: &Knowledge,
    board: Board,
    wanted: WantedExercise,
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
    let margins = match wanted.goal {
        Goal::Win => "",
        Goal::Margin => "; a table of margins tells moves that win apart",
    };
    let message = format!("no position of {board} like that was found in the tables{margins}");
    Err(Refusal::not_found("no_exercise", message))
}

/// The first exercise in a random game.
fn in_a_game(
    knowledge: &Knowledge,
    start: &Position,
    wanted: WantedExercise,
    random: &mut Random,
) -> Result<Option<Exercise>, Refusal> {
    let (mut at, mut played) = (*start, Vec::new());
    loop {
        let finding = knowledge.of(&at)?;
        if !finding.is_complete() {
            return Ok(None);
        }
        let moves = finding.moves();
        if wanted.is(&at, &finding, knowledge)? {
            return Ok(Some(Exercise {
                board: start.board().to_string(),
                start: fen(start),
                moves: played,
                position: fen(&at),
                goal: wanted.goal,
                wins: finding.of_value(Some(Outcome::Win)).count(),
                losses: finding.of_value(Some(Outcome::Loss)).count(),
                difficulty: Difficulty::of(moves.len() - 1),
                seed: 0,
            }));
        }
        if moves.is_empty() {
            return Ok(None);
        }
        let (next, _) = moves[random.below(moves.len())];
        played.push(move_text(at.board(), next));
        at = at.play_indexed(next).map_err(|_| Refusal::internal())?;
    }
}
