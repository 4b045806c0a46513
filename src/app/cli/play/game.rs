//! A game that is played in the terminal, whatever its rules.

use serde::Serialize;

use super::super::Failure;
use crate::game::board::{Board, SquareIndex};
use crate::game::rules::Colour;

/// The rules, the texts and the player of a game.
pub(super) trait Game {
    /// A position with all that the rules need.
    type Position: Copy;

    /// The board.
    fn board(&self, position: &Self::Position) -> Board;

    /// The side to move.
    fn turn(&self, position: &Self::Position) -> Colour;

    /// The position as text.
    fn fen(&self, position: &Self::Position) -> String;

    /// The position as a drawing in letters.
    fn diagram(&self, position: &Self::Position) -> String;

    /// The legal moves, or those of the amazon on a square.
    fn moves(&self, position: &Self::Position, from: Option<SquareIndex>) -> Vec<String>;

    /// Whether the side to move has a move; one that has none has lost.
    fn can_move(&self, position: &Self::Position) -> bool;

    /// Reads a move and plays it: the move as text, and the position after it; or what is wrong.
    fn play(
        &self,
        position: &Self::Position,
        text: &str,
    ) -> Result<(String, Self::Position), String>;

    /// What the program would play.
    fn choose(&mut self, position: &Self::Position) -> Result<Choice, Failure>;
}

/// A move of the program, `None` if there is none, and what it has to say of it.
pub(super) struct Choice {
    pub(super) played: Option<String>,
    pub(super) thought: Thought,
}

/// What the program has to say of its move.
#[derive(Serialize)]
pub(super) struct Thought {
    /// `win`, `loss` or a lead in squares, for the side that moved.
    pub(super) score: String,
    pub(super) source: &'static str,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

impl Thought {
    pub(super) fn words(&self) -> String {
        let Self { score, source, depth, nodes, seconds } = self;
        match source {
            &"search" => format!("score {score}, depth {depth}, {nodes} positions, {seconds:.1} s"),
            _ => format!("score {score} ({source}), {seconds:.1} s"),
        }
    }
}
