//! Start positions for the games of a match: different, and about even.
//!
//! A few random moves from a start position make a game different; most such positions favour one
//! side. Of several, the one is taken whose evaluation after the best reply is nearest to zero.
//! Played twice with sides swapped, what is left of the advantage cancels.

use super::board_data::BoardData;
use super::engine::EngineError;
use super::evaluation::{Evaluation, evaluate};
use super::score::Score;
use crate::game::board::{Word, in_word};
use crate::game::rules::{Bitboards, Position};
use crate::machine::random::Random;

/// How openings are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchOpenings {
    /// Random moves from the start.
    pub moves: u32,
    /// Positions of which the most even is taken, at least 1.
    pub choices: u32,
    /// The same seed gives the same openings.
    pub seed: u64,
}

impl Default for MatchOpenings {
    fn default() -> Self {
        Self { moves: 2, choices: 8, seed: 0 }
    }
}

impl MatchOpenings {
    /// The opening of a number. If the random moves end the game, fewer are made.
    ///
    /// # Errors
    /// If the board fits no word; no board is that large.
    pub fn opening(&self, start: &Position, number: u64) -> Result<Position, EngineError> {
        in_word!(start.board(), W => self.opening_in::<W>(start, number))
    }

    /// As [`Self::opening`], in a word that fits the board.
    fn opening_in<W: Word>(&self, start: &Position, number: u64) -> Result<Position, EngineError> {
        let board = start.board();
        let data = BoardData::<W>::new(board)?;
        let Some(plain) = start.bitboards() else { return Ok(*start) };
        let mut random = Random::new(self.seed ^ number.wrapping_mul(0xA076_1D64_78BD_642F));
        let mut best = (plain, 0, i32::MAX);
        for _ in 0..self.choices.max(1) {
            let (position, made) = self.wander(&data, plain, &mut random);
            let slope = advantage(&data, &position).hundredths().abs();
            if slope < best.2 {
                best = (position, made, slope);
            }
        }
        let turn = if best.1 % 2 == 0 { start.turn() } else { start.turn().other() };
        Ok(Position::new(board, &best.0, turn).unwrap_or(*start))
    }

    /// Random moves: the position and how many were made.
    fn wander<W: Word>(
        &self,
        data: &BoardData<W>,
        mut position: Bitboards<W>,
        random: &mut Random,
    ) -> (Bitboards<W>, u32) {
        for made in 0..self.moves {
            let moves = data.rules.moves(&position);
            if moves.is_empty() {
                return (position, made);
            }
            let next = data.rules.play_unchecked(&position, moves[random.below(moves.len())]);
            if !data.rules.can_move(&next) {
                return (position, made);
            }
            position = next;
        }
        (position, self.moves)
    }
}

/// How the side to move stands after its best move, by evaluation.
fn advantage<W: Word>(data: &BoardData<W>, position: &Bitboards<W>) -> Score {
    let moves = data.rules.moves(position).into_iter();
    let after = moves.map(|played| data.rules.play_unchecked(position, played));
    after.map(|child| -evaluate(data, &child, Evaluation::default())).max().unwrap_or(Score::LOSS)
}
