//! King steps, floods and 8-connected components.
//!
//! Amazons and their shots move along queen lines, and every queen line is a chain of king steps. So what one
//! amazon can ever influence lies inside its 8-connected component of squares that are not burned, and a component
//! is a game of its own: the position is the sum of its components. (Müller, *Solving 5x5 Amazons*, 2001.)
//!
//! Cost: a flood takes one round of a dozen word operations for each king step of its depth.

use crate::board::{Bitboard, Board, BoardError, Word};

/// The king neighbourhood of one board of at most 64 squares.
///
/// ```text
///   7 8 9      a king step is a shift by 1, by `columns`, or both; a shift by one must not leave
///   3 4 5      the first or the last file, which the two masks see to; what a shift by
///   0 1 2      `columns` pushes over the edge of the board falls to the mask of all squares
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    board: Board,
    all: u64,
    not_first: u64,
    not_last: u64,
    columns: u32,
}

impl Grid {
    /// The grid of a board.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more than 64 squares.
    pub fn new(board: Board) -> Result<Self, BoardError> {
        if !board.fits::<u64>() {
            let (squares, most) = (board.squares(), u64::BITS as usize);
            return Err(BoardError::TooLarge { board, squares, most });
        }
        let all = board.all::<u64>();
        let but = |file: usize| all.iter().filter(|&s| board.file(s) != file).collect::<Bitboard>().word();
        let (not_first, not_last) = (but(0), but(board.columns() - 1));
        Ok(Self { board, all: all.word(), not_first, not_last, columns: board.columns() as u32 })
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// Every square of the board.
    #[inline(always)]
    pub fn all(&self) -> Bitboard {
        Bitboard::from_word(self.all)
    }

    /// The set and every square a king step away from it.
    #[inline(always)]
    pub fn neighbours(&self, set: Bitboard) -> Bitboard {
        let set = set.word();
        let row = set | ((set << 1) & self.not_first) | ((set >> 1) & self.not_last);
        Bitboard::from_word((row | (row << self.columns) | (row >> self.columns)) & self.all)
    }

    /// What a king can reach from `seed` over squares of `within`, the seed included.
    #[inline(always)]
    pub fn flood(&self, seed: Bitboard, within: Bitboard) -> Bitboard {
        let mut reached = seed;
        loop {
            let next = reached | (self.neighbours(reached) & within);
            if next == reached {
                return reached;
            }
            reached = next;
        }
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
    use crate::board::Square;
    use proptest::prelude::*;

    /// Square by square, by distance of files and ranks.
    fn slow_neighbours(board: Board, set: Bitboard) -> Bitboard {
        let near = |a: Square, b: Square| {
            board.file(a).abs_diff(board.file(b)) <= 1 && board.rank(a).abs_diff(board.rank(b)) <= 1
        };
        board.all::<u64>().iter().filter(|&s| set.iter().any(|t| near(s, t))).collect()
    }

    proptest! {
        #[test]
        fn neighbours_are_a_king_step_away(columns in 1..=10usize, rows in 1..=10usize, bits: u64) {
            let board = Board::new(columns, rows).unwrap();
            let Ok(grid) = Grid::new(board) else { return Ok(()) };
            let set = Bitboard::from_word(bits) & grid.all();
            prop_assert_eq!(grid.neighbours(set), slow_neighbours(board, set));
        }

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
