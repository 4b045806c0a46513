//! Queen lines as pairs of squares that see each other.
//!
//! A step and a shot both go along a queen line whose squares are clear, and both can be made in
//! either direction; so one list of pairs with the squares between them serves every move of both
//! kinds. A knight's leap is a pair with nothing between. The list of the board is filtered once
//! for an arrow set; which pairs the opponent's amazons cut is a few word operations on sets of
//! pairs. A set of pairs has a bit for each of the pairs that are clear of the arrows, so it is the
//! shorter the more arrows there are.

use crate::game::board::{Bitboard, Board, SquareIndex};
use crate::tables::counting::Mask;
use crate::tables::index::TableRules;

/// Most squares between the two of a pair, on a line of ten.
pub(super) const MOST_BETWEEN: usize = 8;

/// Two squares that see each other and the squares strictly between them.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) ends: [u8; 2],
    pub(super) between: Vec<u8>,
}

/// Every pair of a board, those with the fewest squares between them first.
#[derive(Clone, Debug)]
pub(super) struct BoardPairs(Vec<Pair>);

impl BoardPairs {
    pub(super) fn new(rules: TableRules, board: Board) -> Self {
        let mut pairs = Vec::new();
        for from in board.all::<u64>() {
            match rules {
                TableRules::Amazons | TableRules::Pencil | TableRules::Killer => {
                    for direction in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                        pairs.extend(line(board, from, direction));
                    }
                }
                TableRules::Cowboys => {
                    for leap in [(1, 2), (2, 1), (-1, 2), (-2, 1)] {
                        // The first on the line of such steps.
                        pairs.extend(line(board, from, leap).into_iter().next());
                    }
                }
            }
        }
        pairs.sort_by_key(|pair| pair.between.len());
        Self(pairs)
    }

    /// How many there are: 728 on 8x8, and fewer on other boards of at most 64 squares.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// The pairs that begin on `from` and go in one direction.
fn line(board: Board, from: SquareIndex, direction: (isize, isize)) -> Vec<Pair> {
    let (mut pairs, mut between) = (Vec::new(), Vec::new());
    for to in board.line(from, direction) {
        pairs.push(Pair { ends: [from.index() as u8, to.index() as u8], between: between.clone() });
        between.push(to.index() as u8);
    }
    pairs
}

/// The pairs that are clear of an arrow set, over its free squares numbered in increasing order.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// The two free squares of each pair.
    pub(super) ends: Vec<[u8; 2]>,
    /// The free squares between them, [`Lines::NONE`] past the last.
    pub(super) between: Vec<[u8; MOST_BETWEEN]>,
    /// Words in a set of pairs.
    pub(super) words: usize,
    /// All pairs.
    pub(super) all: Vec<u64>,
    /// `words` a free square: the pairs that begin on, end on or pass it.
    through: Vec<u64>,
    /// Number of pairs with at most 0, 1, 2, 3 and any number of squares between: where the groups
    /// end.
    pub(super) groups: [usize; 5],
}

impl Lines {
    /// No square; callers give this slot the vector of ones.
    pub(super) const NONE: u8 = 64;

    /// The pairs of the board that no square of `arrows` cuts.
    pub(super) fn clear_of<M: Mask>(&mut self, pairs: &BoardPairs, arrows: M, free: M) {
        let number = |square: u8| (free & M::below(square.into())).len() as u8;
        let cut = |pair: &Pair| {
            pair.ends.iter().chain(&pair.between).any(|&square| arrows.has(square.into()))
        };
        self.ends.clear();
        self.between.clear();
        self.groups = [0; 5];
        for pair in pairs.0.iter().filter(|pair| !cut(pair)) {
            self.ends.push(pair.ends.map(number));
            let mut between = [Self::NONE; MOST_BETWEEN];
            for (slot, &square) in between.iter_mut().zip(&pair.between) {
                *slot = number(square);
            }
            self.between.push(between);
            for group in &mut self.groups[pair.between.len().min(4)..] {
                *group = self.ends.len();
            }
        }
        self.index(free.len());
    }

    /// Fills in the sets of pairs, for so many free squares.
    fn index(&mut self, squares: usize) {
        self.words = self.ends.len().div_ceil(64);
        self.all.clear();
        self.all.resize(self.words, u64::MAX);
        if let Some(last) = self.all.last_mut() {
            *last >>= self.words * 64 - self.ends.len();
        }
        self.through.clear();
        self.through.resize(squares * self.words, 0);
        for (id, (ends, between)) in self.ends.iter().zip(&self.between).enumerate() {
            for &square in ends.iter().chain(between).filter(|&&square| square != Self::NONE) {
                self.through[square as usize * self.words + id / 64] |= 1 << (id % 64);
            }
        }
    }

    /// The pairs that begin on, end on or pass a free square.
    #[inline(always)]
    pub(super) fn through(&self, square: usize) -> &[u64] {
        &self.through[square * self.words..][..self.words]
    }
}

/// The free squares of an arrow set as a mask.
pub(super) fn free_squares<M: Mask>(board: Board, arrows: M) -> M {
    M::of(board.all::<u64>().without(Bitboard::from_word(arrows.word())).word())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{Leaps, Rays};
    use crate::game::variants::Step;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pairs_are_what_amazons_see(
            rules in prop::sample::select(TableRules::ALL.to_vec()), columns in 1..=10usize, rows in 1..=10usize, bits: u64, more: u64) {
            prop_assume!(columns * rows <= 64);
            let board = Board::new(columns, rows).unwrap();
            let arrows = bits & more & board.all::<u64>().word();
            let free = free_squares(board, arrows);
            let squares: Vec<SquareIndex> = Bitboard::from_word(free).iter().collect();
            let mut lines = Lines::default();
            lines.clear_of(&BoardPairs::new(rules, board), arrows, free);
            let rays = Rays::<u64>::new(board).unwrap();
            let leaps = Leaps::<u64>::new(board).unwrap();
            let reach = |from| match rules.set().step {
                Step::Knight => leaps.from(from) & Bitboard::from_word(free),
                _ => rays.reach(from, Bitboard::from_word(free)),
            };
            let mut seen = 0;
            for &from in &squares {
                seen += reach(from).len();
            }
            prop_assert_eq!(2 * lines.ends.len(), seen);
            for [from, to] in &lines.ends {
                prop_assert!(reach(squares[*from as usize]).contains(squares[*to as usize]));
            }
            for square in 0..squares.len() {
                for (id, (ends, between)) in lines.ends.iter().zip(&lines.between).enumerate() {
                    let passes = ends.iter().chain(between).any(|&on| usize::from(on) == square);
                    prop_assert_eq!(lines.through(square)[id / 64] >> (id % 64) & 1 == 1, passes);
                }
            }
            let all: u32 = lines.all.iter().map(|word| word.count_ones()).sum();
            prop_assert_eq!(all as usize, lines.ends.len());
            prop_assert!(lines.groups.is_sorted());
            prop_assert_eq!(lines.groups[4], lines.ends.len());
        }
    }
}
