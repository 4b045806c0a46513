//! King steps on any board up to 10x10: neighbours, and the greedy walk of the blocker bound.
//!
//! [`crate::region::component::Grid`] does the same for boards of one 64-bit word, and is what this is tested against.

use crate::board::{Bitboard, Board, Word};

/// The king neighbourhood of one board.
#[derive(Clone, Copy, Debug)]
pub(super) struct KingSteps<W> {
    all: W,
    not_first: W,
    not_last: W,
    columns: u32,
}

impl<W: Word> KingSteps<W> {
    /// The neighbourhood on `board`, which must fit the word.
    pub(super) fn new(board: Board) -> Self {
        let all = board.all::<W>();
        let but = |file: usize| all.iter().filter(|&s| board.file(s) != file).collect::<Bitboard<W>>().word();
        Self {
            all: all.word(),
            not_first: but(0),
            not_last: but(board.columns() - 1),
            columns: board.columns() as u32,
        }
    }

    /// The set and every square a king step away from it.
    #[inline(always)]
    pub(super) fn neighbours(&self, set: Bitboard<W>) -> Bitboard<W> {
        let set = set.word();
        let row = set | ((set << 1) & self.not_first) | ((set >> 1) & self.not_last);
        Bitboard::from_word((row | (row << self.columns) | (row >> self.columns)) & self.all)
    }

    /// Length of a walk of `amazons` over `squares`, each in turn by king steps to the neighbour with the fewest ways
    /// on: as many moves can be played there, if nobody else comes in (see [`crate::region::blocker`]).
    pub(super) fn plod(&self, amazons: Bitboard<W>, squares: Bitboard<W>) -> usize {
        let (mut left, mut moves) = (squares, 0);
        for amazon in amazons {
            let mut at = Bitboard::of(amazon);
            loop {
                let ways = self.neighbours(at) & left;
                let onward = |way| (self.neighbours(Bitboard::of(way)) & left).len();
                let Some(next) = ways.iter().min_by_key(|&way| onward(way)) else { break };
                at = Bitboard::of(next);
                left = left.without(at);
                moves += 1;
            }
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::blocker;
    use crate::region::component::Grid;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_words_agree_with_the_grid(columns in 1..=10usize, rows in 1..=10usize, a: u64, b: u64) {
            let board = Board::new(columns, rows).unwrap();
            let Ok(grid) = Grid::new(board) else { return Ok(()) };
            let set = Bitboard::from_word(a) & grid.all();
            let amazons = (Bitboard::from_word(b & b >> 3 & b >> 7) & grid.all()).without(set);
            let (narrow, wide) = (KingSteps::<u64>::new(board), KingSteps::<u128>::new(board));
            prop_assert_eq!(narrow.neighbours(set), grid.neighbours(set));
            prop_assert_eq!(wide.neighbours(set.widen()), grid.neighbours(set).widen());
            let moves = blocker::plod(&grid, amazons, set) as usize;
            prop_assert_eq!(narrow.plod(amazons, set), moves);
            prop_assert_eq!(wide.plod(amazons.widen(), set.widen()), moves);
        }

        #[test]
        fn neighbours_on_100_squares_are_a_king_step_away(bits: u128) {
            let board = Board::new(10, 10).unwrap();
            let set = Bitboard::from_word(bits) & board.all();
            let near = |a, b| board.file(a).abs_diff(board.file(b)) <= 1 && board.rank(a).abs_diff(board.rank(b)) <= 1;
            let slow = board.all::<u128>().iter().filter(|&s| set.iter().any(|t| near(s, t))).collect();
            prop_assert_eq!(KingSteps::new(board).neighbours(set), slow);
        }
    }
}
