//! Positions as numbers: two bits a square, smallest image under the symmetries.

use crate::game::board::{Bitboard, Board, Symmetry, SymmetryMap};
use crate::game::rules::Bitboards;

/// A position as a number; see [`crate::proof`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Code(pub u128);

/// Codes of the positions of one board of at most 64 squares.
#[derive(Clone, Debug)]
pub struct Coder {
    board: Board,
    /// For each symmetry the sum of `4^image` over the squares of a set: two bits a square.
    images: Vec<SymmetryMap<u128>>,
}

impl Code {
    /// The position of a code, `None` if it is not one of this board.
    ///
    /// # Panics
    /// If the board has more than 64 squares.
    pub fn position(self, board: Board) -> Option<Bitboards> {
        let mut position = Bitboards {
            mover: Bitboard::EMPTY,
            opponent: Bitboard::EMPTY,
            arrows: Bitboard::EMPTY,
        };
        for square in board.all::<u64>() {
            let set = match self.0 >> (2 * square.index()) & 3 {
                0 => continue,
                1 => &mut position.mover,
                2 => &mut position.opponent,
                _ => &mut position.arrows,
            };
            *set = set.with(square);
        }
        (plain(&position) == self).then_some(position)
    }
}

impl Coder {
    /// For a board.
    ///
    /// # Panics
    /// If the board has more than 64 squares.
    pub fn new(board: Board) -> Self {
        let bytes = board.squares().div_ceil(8).min(8);
        let images = Symmetry::all(board).into_iter().map(|symmetry| {
            SymmetryMap::new(board, &symmetry, bytes, |square| 1 << (2 * square.index()))
        });
        Self { board, images: images.collect() }
    }

    /// The smallest code among the images of a position.
    pub fn code(&self, position: &Bitboards) -> Code {
        let low = position.mover | position.arrows;
        let high = position.opponent | position.arrows;
        let images = self.images.iter().map(|map| map.image(low) | map.image(high) << 1);
        images.min().map_or(plain(position), Code)
    }

    /// The position of a code, `None` if it is not one of this board.
    pub fn position(&self, code: Code) -> Option<Bitboards> {
        code.position(self.board)
    }
}

fn plain(position: &Bitboards) -> Code {
    let spread =
        |set: Bitboard, value: u128| set.iter().map(|s| value << (2 * s.index())).sum::<u128>();
    Code(spread(position.mover, 1) + spread(position.opponent, 2) + spread(position.arrows, 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_code_is_the_least_of_all_images(columns in 1..=8usize, rows in 1..=8usize, a: u64, b: u64, c: u64) {
            let board = Board::new(columns, rows).unwrap();
            let [a, b, c] = [a, b, c].map(|word| Bitboard::from_word(word) & board.all());
            let position = Bitboards { mover: a, opponent: b.without(a), arrows: c.without(a | b) };
            let images = Symmetry::all(board).iter().map(|symmetry| plain(&position.mapped(symmetry))).min();
            let coder = Coder::new(board);
            let code = coder.code(&position);
            prop_assert_eq!(Some(code), images);
            prop_assert_eq!(coder.position(code).map(|position| coder.code(&position)), Some(code));
        }
    }
}
