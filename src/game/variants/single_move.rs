//! A move of one amazon.

use super::walls::Side;
use crate::game::board::{Board, SquareIndex};
use crate::game::notation::square_text;

/// What an amazon shoots when it has stepped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Arrow {
    /// It burns a square.
    Square(SquareIndex),
    /// It builds a wall on a side of its own.
    Wall(Side),
}

/// A move of one amazon: `d1-d6/g9`, and `c8-c7/W` where walls are built.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SingleMove {
    /// Where the amazon stood.
    pub from: SquareIndex,
    /// Where it stands now.
    pub to: SquareIndex,
    /// What it shot from there.
    pub arrow: Arrow,
}

impl SingleMove {
    /// The move as text.
    ///
    /// # Panics
    /// If a square is not on the board.
    pub fn text(&self, board: Board) -> String {
        let [from, to] = [self.from, self.to].map(|square| square_text(board, square));
        match self.arrow {
            Arrow::Square(square) => format!("{from}-{to}/{}", square_text(board, square)),
            Arrow::Wall(side) => format!("{from}-{to}/{side}"),
        }
    }
}
