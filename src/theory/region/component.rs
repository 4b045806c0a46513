//! 8-connected components.
//!
//! Amazons and their shots move along queen lines, and every queen line is a chain of king steps.
//! So what one amazon can ever influence lies inside its 8-connected component of squares that are
//! not burned, and a component is a game of its own: the position is the sum of its components.
//! (Müller, *Solving 5x5 Amazons*, 2001.)

use crate::game::board::{Bitboard, Board, BoardError, Kings, Word};

/// The king steps of one board of at most 64 squares, and what they connect.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    board: Board,
    kings: Kings<u64>,
}

impl Grid {
    /// The grid of a board.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more than 64 squares.
    pub fn new(board: Board) -> Result<Self, BoardError> {
        Ok(Self { board, kings: Kings::new(board)? })
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// Every square of the board.
    #[inline(always)]
    pub fn all(&self) -> Bitboard {
        self.kings.all()
    }

    /// The set and every square a king step away from it.
    #[inline(always)]
    pub fn neighbours(&self, set: Bitboard) -> Bitboard {
        self.kings.neighbours(set)
    }

    /// What a king can reach from `seed` over squares of `within`, the seed included.
    #[inline(always)]
    pub fn flood(&self, seed: Bitboard, within: Bitboard) -> Bitboard {
        self.kings.flood(seed, within)
    }

    /// The 8-connected components of `cells` that hold a square of `seeds`, by their lowest seed.
    ///
    /// `seeds` must be a subset of `cells`.
    #[inline]
    pub fn components(&self, seeds: Bitboard, cells: Bitboard) -> Components<'_> {
        Components { grid: self, rest: seeds, cells }
    }
}

/// Iterator over components, made by [`Grid::components`].
#[derive(Debug)]
pub struct Components<'a> {
    grid: &'a Grid,
    rest: Bitboard,
    cells: Bitboard,
}

impl Iterator for Components<'_> {
    type Item = Bitboard;

    #[inline]
    fn next(&mut self) -> Option<Bitboard> {
        let seed = self.rest.first()?;
        let component = self.grid.flood(Bitboard::of(seed), self.cells);
        self.rest = self.rest.without(component);
        Some(component)
    }
}

/// The lowest square of a set as a set, empty for the empty set.
#[inline(always)]
pub(crate) fn lowest(set: Bitboard) -> Bitboard {
    let word = set.word();
    Bitboard::from_word(word & u64::ZERO.wrapping_sub(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn components_part_the_cells_and_do_not_touch(bits: u64, columns in 1..=8usize, rows in 1..=8usize) {
            let grid = Grid::new(Board::new(columns, rows).unwrap()).unwrap();
            let cells = Bitboard::from_word(bits) & grid.all();
            let mut seen = Bitboard::EMPTY;
            for component in grid.components(cells, cells) {
                prop_assert!(!grid.neighbours(component).intersects(cells.without(component)));
                prop_assert!(!component.intersects(seen));
                seen |= component;
            }
            prop_assert_eq!(seen, cells);
        }
    }
}
