//! Queen lines as pairs of squares that see each other.
//!
//! A step and a shot both go along a queen line whose squares are clear, and both can be made in
//! either direction; so one list of pairs with the squares between them serves every move of both
//! kinds. The list of the board is filtered once for an arrow set; which pairs the opponent's
//! amazons cut is a few word operations on sets of pairs.

use crate::game::board::{Bitboard, Board, SquareIndex};

/// Words in a set of pairs: boards of up to 32 squares have fewer than 256 pairs.
pub(super) const PAIR_WORDS: usize = 4;

/// Most squares between the two of a pair, on a line of ten.
pub(super) const MOST_BETWEEN: usize = 8;

/// A set of pairs of a [`Lines`], one bit a pair.
pub(super) type PairSet = [u64; PAIR_WORDS];

/// Two squares on one queen line and the squares strictly between them.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) ends: [u8; 2],
    pub(super) between: Vec<u8>,
}

/// Every pair of a board, those with the fewest squares between them first.
#[derive(Clone, Debug)]
pub(super) struct BoardPairs(Vec<Pair>);

impl BoardPairs {
    pub(super) fn new(board: Board) -> Self {
        let mut pairs = Vec::new();
        for from in board.all::<u64>() {
            for (x, y) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                pairs.extend(line(board, from, x, y));
            }
        }
        pairs.sort_by_key(|pair| pair.between.len());
        assert!(pairs.len() <= 64 * PAIR_WORDS, "{board} has {} pairs", pairs.len());
        Self(pairs)
    }
}

/// The pairs that begin on `from` and go in one direction.
fn line(board: Board, from: SquareIndex, x: isize, y: isize) -> Vec<Pair> {
    let (mut file, mut rank) = (board.file(from), board.rank(from));
    let (mut pairs, mut between) = (Vec::new(), Vec::new());
    loop {
        (file, rank) = (file.wrapping_add_signed(x), rank.wrapping_add_signed(y));
        let Some(to) = board.square(file, rank) else { return pairs };
        pairs.push(Pair { ends: [from.index() as u8, to.index() as u8], between: between.clone() });
        between.push(to.index() as u8);
    }
}

/// The pairs that are clear of an arrow set, over its free squares numbered in increasing order.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// The two free squares of each pair.
    pub(super) ends: Vec<[u8; 2]>,
    /// The free squares between them, [`Lines::NONE`] past the last.
    pub(super) between: Vec<[u8; MOST_BETWEEN]>,
    /// All pairs.
    pub(super) all: PairSet,
    /// The pairs that begin on, end on or pass each free square.
    pub(super) through: Vec<PairSet>,
    /// Number of pairs with at most 0, 1, 2, 3 and any number of squares between: where the groups
    /// end.
    pub(super) groups: [usize; 5],
}

impl Lines {
    /// No square; callers give this slot the vector of ones.
    pub(super) const NONE: u8 = 32;

    /// The pairs of the board that no square of `arrows` cuts.
    pub(super) fn clear_of(&mut self, pairs: &BoardPairs, arrows: u32, free: u32) {
        let number = |square: u8| (free & ((1u32 << square) - 1)).count_ones() as u8;
        self.ends.clear();
        self.between.clear();
        self.through.clear();
        self.through.resize(free.count_ones() as usize, [0; PAIR_WORDS]);
        self.all = [0; PAIR_WORDS];
        self.groups = [0; 5];
        for pair in &pairs.0 {
            let squares = pair.ends.iter().chain(&pair.between);
            if squares.clone().any(|&square| arrows >> square & 1 != 0) {
                continue;
            }
            let id = self.ends.len();
            for &square in squares {
                self.through[number(square) as usize][id / 64] |= 1 << (id % 64);
            }
            self.all[id / 64] |= 1 << (id % 64);
            self.ends.push(pair.ends.map(number));
            let mut between = [Self::NONE; MOST_BETWEEN];
            for (slot, &square) in between.iter_mut().zip(&pair.between) {
                *slot = number(square);
            }
            self.between.push(between);
            for group in &mut self.groups[pair.between.len().min(4)..] {
                *group = id + 1;
            }
        }
    }
}

/// The free squares of an arrow set as a mask.
pub(super) fn free_squares(board: Board, arrows: u32) -> u32 {
    board.all::<u64>().without(Bitboard::from_word(arrows as u64)).word() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Rays;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pairs_are_what_queens_see(columns in 1..=10usize, rows in 1..=10usize, bits: u32, more: u32) {
            prop_assume!(columns * rows <= 32);
            let board = Board::new(columns, rows).unwrap();
            let arrows = bits & more & board.all::<u64>().word() as u32;
            let free = free_squares(board, arrows);
            let squares: Vec<SquareIndex> = Bitboard::from_word(free as u64).iter().collect();
            let mut lines = Lines::default();
            lines.clear_of(&BoardPairs::new(board), arrows, free);
            let rays = Rays::<u64>::new(board).unwrap();
            let mut seen = 0;
            for &from in &squares {
                seen += rays.reach(from, Bitboard::from_word(free as u64)).len();
            }
            prop_assert_eq!(2 * lines.ends.len(), seen);
            for [from, to] in &lines.ends {
                let reach = rays.reach(squares[*from as usize], Bitboard::from_word(free as u64));
                prop_assert!(reach.contains(squares[*to as usize]));
            }
            prop_assert!(lines.groups.is_sorted());
            prop_assert_eq!(lines.groups[4], lines.ends.len());
        }
    }
}
