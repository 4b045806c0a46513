//! Lines between two squares: what lies between them on a rank, a file or a diagonal.

use super::{Bitboard, Board, BoardError, SquareIndex, Word};

const DIRECTIONS: [(isize, isize); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)];

/// What lies between any two squares of one board. It takes a set for each pair of squares, which
/// is 10 MiB on 20x20, so it is made only where it is asked.
#[derive(Clone, Debug)]
pub struct Lines<W: Word> {
    squares: usize,
    /// By the number of the one times the board's squares and the other's; all ones for squares
    /// that are on no line.
    between: Box<[W]>,
}

impl<W: Word> Lines<W> {
    /// The lines of a board.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more squares than `W` has bits.
    pub fn new(board: Board) -> Result<Self, BoardError> {
        board.must_fit::<W>()?;
        let squares = board.squares();
        let mut between = vec![W::MAX; squares * squares].into_boxed_slice();
        for from in board.all::<W>() {
            for direction in DIRECTIONS {
                let mut passed = Bitboard::EMPTY;
                for to in board.line(from, direction) {
                    between[from.index() * squares + to.index()] = passed.word();
                    passed = passed.with(to);
                }
            }
        }
        Ok(Self { squares, between })
    }

    /// The squares between two that are on a line; `None` if they are on none, or the same.
    ///
    /// # Panics
    /// If a square is not on the board.
    #[inline(always)]
    pub fn between(&self, one: SquareIndex, other: SquareIndex) -> Option<Bitboard<W>> {
        let between = self.between[one.index() * self.squares + other.index()];
        (between != W::MAX).then_some(Bitboard::from_word(between))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Rays;

    /// Two squares see each other exactly if what lies between them is free.
    #[test]
    fn what_lies_between_two_squares_is_what_must_be_free() {
        for board in ["1x9", "4x7", "5x5", "8x8"] {
            let board: Board = board.parse().unwrap();
            let (rays, all) = (Rays::<u64>::new(board).unwrap(), board.all::<u64>());
            let lines = Lines::<u64>::new(board).unwrap();
            for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (one, other)))
            {
                let between = lines.between(one, other);
                assert_eq!(between.is_some(), rays.reach(one, all).contains(other));
                let Some(between) = between else { continue };
                let least = between.with(other);
                assert!(rays.reach(one, least).contains(other));
                for taken in between {
                    let more = all.without(Bitboard::of(taken));
                    assert!(!rays.reach(one, more).contains(other));
                }
            }
        }
    }
}
