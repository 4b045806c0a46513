//! Queen moves of a whole set of squares at once.
//!
//! Eight lanes, one for each direction; in each a Kogge-Stone fill: after rounds of 1, 2 and 4
//! steps the lane has slid up to 7 squares, after a round of 8 more than any board of side 10
//! needs. With AVX-512 the eight lanes are one register. Cost: about 25 instructions a round,
//! whatever the number of squares.
//!
//! ```text
//! lane      0   1      2          3          4    5       6           7
//! rotate   +1  +cols  +(cols+1)  +(cols-1)  -1  -cols  -(cols+1)  -(cols-1)
//! ```
//!
//! `landing[lane]` holds the squares that have a square before them in that direction; only they
//! can be slid onto, so nothing wraps around an edge.

use crate::game::board::{Bitboard, Board};

const LANES: usize = 8;

/// The directions of one board of at most 64 squares.
#[derive(Clone, Debug)]
pub(crate) struct QueenFill {
    turn: [u32; LANES],
    landing: [u64; LANES],
    long: bool,
}

impl QueenFill {
    /// The directions of `board`, which must have at most 64 squares.
    pub(crate) fn new(board: Board) -> Self {
        let columns = board.columns() as isize;
        let steps = [(1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1)];
        let landing = steps.map(|(x, y): (isize, isize)| {
            let has_before = |file: usize, rank: usize| {
                let (file, rank) = (file.checked_add_signed(-x), rank.checked_add_signed(-y));
                file.zip(rank).is_some_and(|(file, rank)| board.square(file, rank).is_some())
            };
            let squares =
                board.all::<u64>().iter().filter(|&s| has_before(board.file(s), board.rank(s)));
            squares.collect::<Bitboard>().word()
        });
        let turn = steps.map(|(x, y)| (y * columns + x).rem_euclid(64) as u32);
        Self { turn, landing, long: board.columns().max(board.rows()) > 8 }
    }

    /// Every square of `free` that a queen on a square of `from` can go to in one move.
    ///
    /// Invariant of round `k`: `slid` holds what is reached in fewer than `2^k` steps, `open` the
    /// squares whose last `2^k` squares, themselves included, are all free.
    #[inline(always)]
    pub(crate) fn reach(&self, from: Bitboard, free: Bitboard) -> Bitboard {
        let mut slid = [from.word(); LANES];
        let mut open = self.landing.map(|landing| landing & free.word());
        let mut turn = self.turn;
        let rounds = if self.long { 4 } else { 3 };
        for _ in 0..rounds {
            for lane in 0..LANES {
                slid[lane] |= open[lane] & slid[lane].rotate_left(turn[lane]);
                open[lane] &= open[lane].rotate_left(turn[lane]);
                turn[lane] = (turn[lane] * 2) & 63;
            }
        }
        let reached = slid.iter().fold(0, |all, lane| all | lane);
        Bitboard::from_word(reached) & free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Rays;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_fill_is_the_union_of_the_rays(columns in 1..=10usize, rows in 1..=10usize, a: u64, b: u64, c: u64) {
            let board = Board::new(columns, rows).unwrap();
            let Ok(rays) = Rays::<u64>::new(board) else { return Ok(()) };
            let free = Bitboard::from_word(a | b) & board.all();
            let from = Bitboard::from_word(b & c) & board.all();
            let from = from.without(free);
            let slow = from.iter().fold(Bitboard::EMPTY, |all, s| all | rays.reach(s, free));
            prop_assert_eq!(QueenFill::new(board).reach(from, free), slow);
        }
    }
}
