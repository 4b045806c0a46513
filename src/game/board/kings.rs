//! King steps: the neighbours of a set of squares, floods, and 8-connected components.
//!
//! ```text
//!   7 8 9      a king step is a shift by 1, by `columns`, or both; a shift by one must not leave
//!   3 4 5      the first or the last file, which the two masks see to; what a shift by
//!   0 1 2      `columns` pushes over the edge of the board falls to the mask of all squares
//! ```
//!
//! Cost: a dozen word operations for the neighbours of any set; a flood takes as many for each king
//! step of its depth.

use super::{Bitboard, Board, BoardError, Word};

/// The king steps of one board.
#[derive(Clone, Copy, Debug)]
pub struct Kings<W: Word> {
    board: Board,
    all: W,
    not_first: W,
    not_last: W,
    columns: u32,
}

impl<W: Word> Kings<W> {
    /// The king steps of a board.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more squares than `W` has bits.
    pub fn new(board: Board) -> Result<Self, BoardError> {
        board.must_fit::<W>()?;
        let all = board.all::<W>();
        let but = |file: usize| {
            all.iter().filter(|&s| board.file(s) != file).collect::<Bitboard<W>>().word()
        };
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
    pub fn all(&self) -> Bitboard<W> {
        Bitboard::from_word(self.all)
    }

    /// The set and every square a king step away from it.
    #[inline(always)]
    pub fn neighbours(&self, set: Bitboard<W>) -> Bitboard<W> {
        let set = set.word();
        let row = set | ((set << 1) & self.not_first) | ((set >> 1) & self.not_last);
        Bitboard::from_word((row | (row << self.columns) | (row >> self.columns)) & self.all)
    }

    /// What a king can reach from `seed` over squares of `within`, the seed included.
    #[inline(always)]
    pub fn flood(&self, seed: Bitboard<W>, within: Bitboard<W>) -> Bitboard<W> {
        grow(seed, |reached| reached | (self.neighbours(reached) & within))
    }

    /// The 8-connected components of `cells` that hold a square of `seeds`, by their lowest seed.
    ///
    /// `seeds` must be a subset of `cells`.
    #[inline]
    pub fn components(&self, seeds: Bitboard<W>, cells: Bitboard<W>) -> Components<'_, W> {
        Components { kings: self, rest: seeds, cells }
    }
}

/// Grows a set until that adds nothing more; `larger` gives a set of which its argument is a part.
#[inline(always)]
pub(crate) fn grow<T: Copy + Eq>(seed: T, larger: impl Fn(T) -> T) -> T {
    let mut reached = seed;
    loop {
        let next = larger(reached);
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

/// Iterator over components, made by [`Kings::components`].
#[derive(Debug)]
pub struct Components<'a, W: Word> {
    kings: &'a Kings<W>,
    rest: Bitboard<W>,
    cells: Bitboard<W>,
}

impl<W: Word> Iterator for Components<'_, W> {
    type Item = Bitboard<W>;

    #[inline]
    fn next(&mut self) -> Option<Bitboard<W>> {
        let seed = self.rest.first()?;
        let component = self.kings.flood(Bitboard::of(seed), self.cells);
        self.rest = self.rest.without(component);
        Some(component)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{SquareIndex, U512, any_board, any_set};
    use proptest::prelude::*;

    /// Square by square, by distance of files and ranks.
    fn slow_neighbours<W: Word>(board: Board, set: Bitboard<W>) -> Bitboard<W> {
        let near = |a: SquareIndex, b: SquareIndex| {
            board.file(a).abs_diff(board.file(b)) <= 1 && board.rank(a).abs_diff(board.rank(b)) <= 1
        };
        board.all::<W>().iter().filter(|&s| set.iter().any(|t| near(s, t))).collect()
    }

    /// One square at a time.
    fn slow_flood<W: Word>(board: Board, seed: Bitboard<W>, within: Bitboard<W>) -> Bitboard<W> {
        let mut reached = seed;
        while let Some(square) = (slow_neighbours(board, reached) & within).without(reached).first()
        {
            reached = reached.with(square);
        }
        reached
    }

    fn agree<W: Word>(board: Board, set: Bitboard<U512>, within: Bitboard<U512>) {
        let Ok(kings) = Kings::<W>::new(board) else { return };
        let (Some(set), Some(within)) = (set.resize(), within.resize()) else { return };
        assert_eq!(kings.neighbours(set), slow_neighbours(board, set), "{board}");
        assert_eq!(kings.flood(set, within), slow_flood(board, set, within), "{board}");
    }

    proptest! {
        #[test]
        fn neighbours_are_a_king_step_away_and_floods_all_that_follow(
            board in any_board(), a in any_set(), b in any_set(), c in any_set(),
        ) {
            let (set, within) = (a & b & c & board.all(), (b | c) & board.all());
            agree::<u64>(board, set, within);
            agree::<u128>(board, set, within);
            agree::<U512>(board, set, within);
        }
    }

    proptest! {
        #[test]
        fn components_part_the_cells_and_do_not_touch(bits: u64, columns in 1..=8usize, rows in 1..=8usize) {
            let kings = Kings::<u64>::new(Board::new(columns, rows).unwrap()).unwrap();
            let cells = Bitboard::from_word(bits) & kings.all();
            let mut seen = Bitboard::EMPTY;
            for component in kings.components(cells, cells) {
                prop_assert!(!kings.neighbours(component).intersects(cells.without(component)));
                prop_assert!(!component.intersects(seen));
                seen |= component;
            }
            prop_assert_eq!(seen, cells);
        }
    }

    #[test]
    fn a_board_larger_than_the_word_is_refused() {
        assert!(Kings::<u64>::new(Board::new(9, 8).unwrap()).is_err());
        assert!(Kings::<u128>::new(Board::new(9, 8).unwrap()).is_ok());
        assert!(Kings::<u128>::new(Board::new(13, 10).unwrap()).is_err());
        assert!(Kings::<U512>::new(Board::new(20, 20).unwrap()).is_ok());
    }
}
