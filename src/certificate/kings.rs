//! King steps on one board, for the wall rule: neighbours of a square, neighbours of a set, and floods.
//!
//! ```text
//!   7 8 9      a king step is a shift by 1, by `columns`, or both; a shift by one must not leave
//!   3 4 5      the first or the last file, which the two masks see to; what a shift by
//!   0 1 2      `columns` pushes over the edge of the board falls to the mask of all squares
//! ```
//!
//! Cost: a flood takes a dozen word operations for each king step of its depth.

use crate::board::{Bitboard, Board, BoardError, Square};

/// The king steps of a board of at most 64 squares.
#[derive(Clone, Debug)]
pub(super) struct Kings {
    all: Bitboard,
    columns: u32,
    not_first: u64,
    not_last: u64,
    beside: [Bitboard; 64],
}

impl Kings {
    pub(super) fn new(board: Board) -> Result<Self, BoardError> {
        if !board.fits::<u64>() {
            let (squares, most) = (board.squares(), u64::BITS as usize);
            return Err(BoardError::TooLarge { board, squares, most });
        }
        let all = board.all::<u64>();
        let but = |file: usize| all.iter().filter(|&s| board.file(s) != file).collect::<Bitboard>().word();
        let mut beside = [Bitboard::EMPTY; 64];
        for a in all {
            beside[a.index()] = all.iter().filter(|&b| distance(board, a, b) == 1).collect();
        }
        Ok(Self {
            all,
            columns: board.columns() as u32,
            not_first: but(0),
            not_last: but(board.columns() - 1),
            beside,
        })
    }

    /// Every square of the board.
    #[inline(always)]
    pub(super) fn all(&self) -> Bitboard {
        self.all
    }

    /// The squares a king step away from a square.
    #[inline(always)]
    pub(super) fn beside(&self, square: Square) -> Bitboard {
        self.beside[square.index() & 63]
    }

    /// A set and every square a king step away from it.
    #[inline(always)]
    pub(super) fn around(&self, set: Bitboard) -> Bitboard {
        let set = set.word();
        let row = set | (set << 1 & self.not_first) | (set >> 1 & self.not_last);
        Bitboard::from_word(row | row << self.columns | row >> self.columns) & self.all
    }

    /// The empty squares that some amazons can come to by king steps over empty squares.
    #[inline(always)]
    pub(super) fn reached(&self, amazons: Bitboard, empty: Bitboard) -> Bitboard {
        let mut reached = self.around(amazons) & empty;
        loop {
            let further = self.around(reached) & empty;
            if further == reached {
                return reached;
            }
            reached = further;
        }
    }
}

fn distance(board: Board, a: Square, b: Square) -> usize {
    let files = board.file(a).abs_diff(board.file(b));
    files.max(board.rank(a).abs_diff(board.rank(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sets_and_squares_have_the_same_neighbours(columns in 1..=8usize, rows in 1..=8usize, a: u64, b: u64) {
            let board = Board::new(columns, rows).unwrap();
            let (kings, all) = (Kings::new(board).unwrap(), board.all::<u64>());
            let (set, empty) = (Bitboard::from_word(a & b) & all, Bitboard::from_word(a.rotate_left(7) | b) & all.without(Bitboard::from_word(a & b)));
            let around = set.iter().fold(set, |around, square| around | kings.beside(square));
            prop_assert_eq!(kings.around(set), around);
            let near = |a: Square| all.iter().filter(move |&b| distance(board, a, b) <= 1);
            prop_assert_eq!(around, set.iter().flat_map(near).collect());
            let mut reached = Bitboard::EMPTY;
            while let Some(square) = empty.without(reached).iter().find(|&s| kings.beside(s).intersects(set | reached)) {
                reached = reached.with(square);
            }
            prop_assert_eq!(kings.reached(set, empty), reached);
        }
    }

    #[test]
    fn a_board_of_more_than_64_squares_is_refused() {
        assert!(Kings::new(Board::new(9, 8).unwrap()).is_err());
    }
}
