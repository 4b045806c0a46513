//! Positions as numbers: two bits a square, smallest image under the symmetries.

use crate::board::{Bitboard, Board, Symmetry};
use crate::rules::Position;

/// A position as a number; see [`crate::certificate`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(pub u128);

/// Codes of the positions of one board of at most 64 squares.
#[derive(Clone, Debug)]
pub struct Coder {
    board: Board,
    symmetries: Vec<Symmetry>,
}

impl Coder {
    /// For a board.
    pub fn new(board: Board) -> Self {
        Self { board, symmetries: Symmetry::all(board) }
    }

    /// The smallest code among the images of a position.
    pub fn code(&self, position: &Position) -> Code {
        let images = self.symmetries.iter().map(|symmetry| position.mapped(symmetry));
        images.map(|image| plain(&image)).min().unwrap_or(plain(position))
    }

    /// The position of a code, `None` if it is not one of this board.
    pub fn position(&self, code: Code) -> Option<Position> {
        let mut position =
            Position { mover: Bitboard::EMPTY, opponent: Bitboard::EMPTY, arrows: Bitboard::EMPTY };
        for square in self.board.all::<u64>() {
            let set = match code.0 >> (2 * square.index()) & 3 {
                0 => continue,
                1 => &mut position.mover,
                2 => &mut position.opponent,
                _ => &mut position.arrows,
            };
            *set = set.with(square);
        }
        (plain(&position) == code).then_some(position)
    }
}

fn plain(position: &Position) -> Code {
    let spread = |set: Bitboard, value: u128| set.iter().map(|s| value << (2 * s.index())).sum::<u128>();
    Code(spread(position.mover, 1) + spread(position.opponent, 2) + spread(position.arrows, 3))
}
