//! Queen rays: what a queen sees from a square past a set of blockers.
//!
//! Every square has eight rays. On the four along which the index grows, the first blocker is the
//! lowest bit; on the other four it is the highest. Both cases are free of branches:
//!
//! ```text
//! up:    blockers = ray & !free            reach = ray & (lowest(blockers) - 1)
//!                                          where lowest(0) - 1 = all ones
//! down:  blockers = (ray & !free) | 1      reach = ray & free & (all ones << highest(blockers))
//! ```
//!
//! In `down`, the added bit 0 stands for "no blocker"; the blocker itself falls to `& free`.

use super::{Bitboard, Board, BoardError, SquareIndex, Word};

const UP: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// The queen rays of every square of one board.
#[derive(Clone, Debug)]
pub struct Rays<W: Word> {
    up: Box<[[W; 4]]>,
    down: Box<[[W; 4]]>,
}

impl<W: Word> Rays<W> {
    /// The rays of a board.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more squares than `W` has bits.
    pub fn new(board: Board) -> Result<Self, BoardError> {
        board.must_fit::<W>()?;
        let rays = |sign: isize| {
            let ray =
                |from, (x, y)| board.line(from, (sign * x, sign * y)).collect::<Bitboard<W>>();
            let of = |square: SquareIndex| UP.map(|step| ray(square, step).word());
            board.all::<W>().iter().map(of).collect()
        };
        Ok(Self { up: rays(1), down: rays(-1) })
    }

    /// The squares of `free` that a queen on `square` can go to: along each ray up to the first
    /// square that is not free. `square` itself is not among them, whether it is free or not.
    ///
    /// # Panics
    /// If the square is not on the board.
    #[inline(always)]
    pub fn reach(&self, square: SquareIndex, free: Bitboard<W>) -> Bitboard<W> {
        let (up, down) = (&self.up[square.index()], &self.down[square.index()]);
        let free = free.word();
        let mut reach = W::ZERO;
        for &ray in up {
            let blockers = ray & !free;
            let lowest = blockers & W::ZERO.wrapping_sub(blockers);
            reach = reach | (ray & lowest.wrapping_sub(W::ONE));
        }
        for &ray in down {
            let blockers = (ray & !free) | W::ONE;
            reach = reach | (ray & (W::MAX << (W::BITS - 1 - blockers.leading_zeros())));
        }
        Bitboard::from_word(reach & free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{U512, any_board, any_set};
    use proptest::prelude::*;

    /// Walks square by square in all eight directions.
    fn walk(board: Board, from: SquareIndex, free: Bitboard<U512>) -> Bitboard<U512> {
        let mut reach = Bitboard::EMPTY;
        for (x, y) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
            let (mut file, mut rank) = (board.file(from), board.rank(from));
            loop {
                (file, rank) = (file.wrapping_add_signed(x), rank.wrapping_add_signed(y));
                match board.square(file, rank) {
                    Some(square) if free.contains(square) => reach = reach.with(square),
                    _ => break,
                }
            }
        }
        reach
    }

    fn agree<W: Word>(board: Board, free: Bitboard<U512>) {
        let (Ok(rays), Some(narrow)) = (Rays::<W>::new(board), free.resize::<W>()) else { return };
        for from in board.all::<W>() {
            assert_eq!(rays.reach(from, narrow).widen(), walk(board, from, free), "{board}");
        }
    }

    proptest! {
        #[test]
        fn reach_is_what_a_walk_finds(board in any_board(), bits in any_set(), more in any_set()) {
            let free = (bits | more) & board.all();
            agree::<u64>(board, free);
            agree::<u128>(board, free);
            agree::<U512>(board, free);
        }
    }
}
