//! Queen moves of a whole set of squares at once, on any board up to 10x10.
//!
//! Eight lanes, one for each direction; in each a Kogge-Stone fill: after rounds of 1, 2 and 4
//! steps the lane has slid up to 7 squares, after one of 8 more than any board needs. `open` holds
//! the squares whose last 2^k squares, themselves included, are all free; only squares that have a
//! square before them in that direction can be open, so nothing wraps around an edge.
//!
//! ```text
//! lane      0   1      2          3
//! shift     1   cols   cols + 1   cols - 1      up: towards higher bits; down: the same towards lower bits
//! ```
//!
//! Cost: about 10 word operations a lane and round; on 10x10 most fills take 3 rounds.

use crate::game::board::{Bitboard, Board, Word};

/// One direction pair.
#[derive(Clone, Copy, Debug)]
struct Lane<W> {
    shift: u32,
    rounds: u32,
    up: W,
    down: W,
}

/// The directions of one board.
#[derive(Clone, Debug)]
pub(super) struct QueenFill<W> {
    lanes: [Lane<W>; 4],
}

/// The last round is the one of 8 steps, and most often there are no eight free squares in a line.
const SELDOM: u32 = 3;

impl<W: Word> QueenFill<W> {
    /// The directions of `board`, which must fit the word.
    pub(super) fn new(board: Board) -> Self {
        let lane = |(x, y): (isize, isize)| {
            let onto = |sign: isize| {
                let has_before = |file: usize, rank: usize| {
                    let file = file.checked_add_signed(-x * sign);
                    let rank = rank.checked_add_signed(-y * sign);
                    file.zip(rank).is_some_and(|(file, rank)| board.square(file, rank).is_some())
                };
                let all = board.all::<W>().iter();
                let set: Bitboard<W> =
                    all.filter(|&s| has_before(board.file(s), board.rank(s))).collect();
                set.word()
            };
            // The longest slide in this direction: 2^rounds - 1 reaches it, and 2^(rounds - 1) does
            // not exceed it, so no shift is as long as the word.
            let most = match (x, y) {
                (_, 0) => board.columns(),
                (0, _) => board.rows(),
                _ => board.columns().min(board.rows()),
            } as u32
                - 1;
            let shift = (y * board.columns() as isize + x).unsigned_abs() as u32;
            Lane { shift, rounds: u32::BITS - most.leading_zeros(), up: onto(1), down: onto(-1) }
        };
        Self { lanes: [(1, 0), (0, 1), (1, 1), (-1, 1)].map(lane) }
    }

    /// Every square of `free` that a queen on a square of `from` can go to in one move.
    #[inline(always)]
    pub(super) fn reach(&self, from: Bitboard<W>, free: Bitboard<W>) -> Bitboard<W> {
        let (from, free) = (from.word(), free.word());
        let mut reached = W::ZERO;
        for lane in &self.lanes {
            let (mut up, mut down) = (from, from);
            let (mut open_up, mut open_down) = (lane.up & free, lane.down & free);
            let mut shift = lane.shift;
            for round in 0..lane.rounds {
                if round == SELDOM && (open_up | open_down) == W::ZERO {
                    break;
                }
                up = up | (open_up & (up << shift));
                down = down | (open_down & (down >> shift));
                open_up = open_up & (open_up << shift);
                open_down = open_down & (open_down >> shift);
                shift *= 2;
            }
            reached = reached | up | down;
        }
        Bitboard::from_word(reached & free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Rays;
    use proptest::prelude::*;

    fn agree<W: Word>(board: Board, free: Bitboard<u128>, from: Bitboard<u128>) {
        let (Some(free), Some(from)) = (free.resize::<W>(), from.resize::<W>()) else { return };
        let Ok(rays) = Rays::<W>::new(board) else { return };
        let slow = from.iter().fold(Bitboard::EMPTY, |all, square| all | rays.reach(square, free));
        assert_eq!(QueenFill::new(board).reach(from, free), slow, "{board}");
    }

    proptest! {
        #[test]
        fn a_fill_is_the_union_of_the_rays(columns in 1..=10usize, rows in 1..=10usize, a: u128, b: u128, c: u128) {
            let board = Board::new(columns, rows).unwrap();
            for bits in [a | b, a & b, u128::MAX] {
                let from = Bitboard::from_word(b & c) & board.all();
                let free = (Bitboard::from_word(bits) & board.all()).without(from);
                agree::<u64>(board, free, from);
                agree::<u128>(board, free, from);
            }
        }
    }
}
