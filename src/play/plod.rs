//! The greedy walk of the blocker bound, on any board up to 10x10.
//!
//! [`crate::theory::region::blocker::plod`] is the same for boards of one 64-bit word, and is what
//! this is tested against.

use crate::game::board::{Bitboard, Kings, Word};

/// Length of a walk of `amazons` over `squares`, each in turn by king steps to the neighbour with
/// the fewest ways on: as many moves can be played there, if nobody else comes in (see
/// [`crate::theory::region::blocker`]).
pub(super) fn plod<W: Word>(kings: &Kings<W>, amazons: Bitboard<W>, squares: Bitboard<W>) -> usize {
    let (mut left, mut moves) = (squares, 0);
    for amazon in amazons {
        let mut at = Bitboard::of(amazon);
        loop {
            let ways = kings.neighbours(at) & left;
            let onward = |way| (kings.neighbours(Bitboard::of(way)) & left).len();
            let Some(next) = ways.iter().min_by_key(|&way| onward(way)) else { break };
            at = Bitboard::of(next);
            left = left.without(at);
            moves += 1;
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Board;
    use crate::theory::region::blocker;
    use crate::theory::region::component::Grid;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_words_agree_with_the_blocker_bound(columns in 1..=10usize, rows in 1..=10usize, a: u64, b: u64) {
            let board = Board::new(columns, rows).unwrap();
            let Ok(grid) = Grid::new(board) else { return Ok(()) };
            let set = Bitboard::from_word(a) & grid.all();
            let amazons = (Bitboard::from_word(b & b >> 3 & b >> 7) & grid.all()).without(set);
            let (narrow, wide) = (Kings::<u64>::new(board).unwrap(), Kings::<u128>::new(board).unwrap());
            let moves = blocker::plod(&grid, amazons, set) as usize;
            prop_assert_eq!(plod(&narrow, amazons, set), moves);
            prop_assert_eq!(plod(&wide, amazons.widen(), set.widen()), moves);
        }
    }
}
