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
    /// The squares between two, by the number of the one times the board's squares and the other's.
    between: Box<[W]>,
}

impl<W: Word> Rays<W> {
    /// The rays of a board.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more squares than `W` has bits.
    pub fn new(board: Board) -> Result<Self, BoardError> {
        board.must_fit::<W>()?;
        let rays = |sign: isize| {
            let of = |square: SquareIndex| UP.map(|(x, y)| ray(board, square, sign * x, sign * y));
            board.all::<W>().iter().map(of).collect()
        };
        Ok(Self { up: rays(1), down: rays(-1), between: between(board) })
    }

    /// The squares between two that are on a line; `None` if they are on none, or the same.
    ///
    /// # Panics
    /// If a square is not on the board.
    #[inline(always)]
    pub fn between(&self, one: SquareIndex, other: SquareIndex) -> Option<Bitboard<W>> {
        let between = self.between[one.index() * self.up.len() + other.index()];
        (between != W::MAX).then_some(Bitboard::from_word(between))
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

/// What [`Rays::between`] looks up; all ones for squares that are on no line.
fn between<W: Word>(board: Board) -> Box<[W]> {
    let squares = board.squares();
    let mut between = vec![W::MAX; squares * squares].into_boxed_slice();
    for from in board.all::<W>() {
        for (x, y) in UP.into_iter().flat_map(|(x, y)| [(x, y), (-x, -y)]) {
            let (mut file, mut rank) = (board.file(from), board.rank(from));
            let mut passed = Bitboard::EMPTY;
            loop {
                (file, rank) = (file.wrapping_add_signed(x), rank.wrapping_add_signed(y));
                let Some(to) = board.square(file, rank) else { break };
                between[from.index() * squares + to.index()] = passed.word();
                passed = passed.with(to);
            }
        }
    }
    between
}

fn ray<W: Word>(board: Board, from: SquareIndex, x: isize, y: isize) -> W {
    let (mut file, mut rank) = (board.file(from), board.rank(from));
    let mut ray = Bitboard::EMPTY;
    loop {
        (file, rank) = (file.wrapping_add_signed(x), rank.wrapping_add_signed(y));
        match board.square(file, rank) {
            Some(square) => ray = ray.with(square),
            None => return ray.word(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Walks square by square in all eight directions.
    fn walk(board: Board, from: SquareIndex, free: Bitboard<u128>) -> Bitboard<u128> {
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

    /// Two squares see each other exactly if what lies between them is free.
    #[test]
    fn what_lies_between_two_squares_is_what_must_be_free() {
        for board in ["1x9", "4x7", "5x5", "8x8"] {
            let board: Board = board.parse().unwrap();
            let (rays, all) = (Rays::<u64>::new(board).unwrap(), board.all::<u64>());
            for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (one, other)))
            {
                let between = rays.between(one, other);
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

    proptest! {
        #[test]
        fn reach_is_what_a_walk_finds(columns in 1..=10usize, rows in 1..=10usize, bits: u128, more: u128) {
            let board = Board::new(columns, rows).unwrap();
            let free = Bitboard::from_word(bits | more) & board.all();
            let rays = Rays::<u128>::new(board).unwrap();
            for from in board.all::<u128>() {
                prop_assert_eq!(rays.reach(from, free), walk(board, from, free));
            }
            if let (Ok(narrow), Some(free)) = (Rays::<u64>::new(board), free.resize::<u64>()) {
                for from in board.all::<u64>() {
                    prop_assert_eq!(narrow.reach(from, free).widen(), walk(board, from, free.widen()));
                }
            }
        }
    }
}
