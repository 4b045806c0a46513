//! Positions as numbers: two bits a square, smallest image under the symmetries.

use crate::game::board::{Bitboard, Board, Kings, Symmetry, SymmetryMap, Word};
use crate::game::ground::{Ground, GroundTooLarge};
use crate::game::rules::Bitboards;

/// A position as a number; see [`crate::proof`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Code(pub u128);

/// Codes of positions of one board: of all if it has at most 64 squares, else of those that come
/// from one position, of at most 64 squares that take part.
#[derive(Clone, Debug)]
pub struct Coder<W: Word = u64> {
    board: Board,
    ground: Ground<W>,
    /// For each symmetry the sum of `4^image` over the squares of a set: two bits a square. For
    /// part of a board it is one map, that of the numbers which its squares have on the ground.
    images: Vec<SymmetryMap<u128>>,
}

impl Code {
    /// The position of a code, `None` if it is not one of this board.
    ///
    /// # Panics
    /// If the board has more than 64 squares.
    pub fn position(self, board: Board) -> Option<Bitboards> {
        self.on(&Ground::whole(board), board)
    }

    /// The position of a code of a ground of a board, `None` if it is none.
    fn on<W: Word>(self, ground: &Ground<W>, board: Board) -> Option<Bitboards<W>> {
        let [low, high] = [self.0, self.0 >> 1].map(every_second);
        let beyond = u128::MAX << ground.len();
        if u128::from(low | high) & beyond != 0 {
            return None;
        }
        let [mover, opponent, burned] =
            [low & !high, high & !low, low & high].map(|bits| ground.spread(bits));
        let arrows = burned | board.all().without(ground.squares());
        Some(Bitboards { mover, opponent, arrows })
    }
}

/// What is kept of the bits in each round of [`every_second`]: groups twice as wide as before.
const KEPT: [u128; 6] = [
    u128::MAX / 0x5,
    u128::MAX / 0x11,
    u128::MAX / 0x101,
    u128::MAX / 0x1_0001,
    u128::MAX / 0x1_0000_0001,
    u64::MAX as u128,
];

/// The bits of even number, moved together.
#[inline(always)]
fn every_second(code: u128) -> u64 {
    let mut bits = code & (u128::MAX / 3);
    for (round, kept) in KEPT.into_iter().enumerate() {
        bits = (bits | bits >> (1u32 << round)) & kept;
    }
    bits as u64
}

impl Coder {
    /// For all positions of a board.
    ///
    /// # Panics
    /// If the board has more than 64 squares.
    pub fn new(board: Board) -> Self {
        Self::on(board, Ground::whole(board))
    }
}

impl<W: Word> Coder<W> {
    /// For what files about a position are about: all positions of its board if that has at most 64
    /// squares, else those that come from it.
    ///
    /// # Errors
    /// If more than 64 squares of the position take part.
    pub(crate) fn of_file(
        kings: &Kings<W>,
        position: &Bitboards<W>,
    ) -> Result<Self, GroundTooLarge> {
        Ok(Self::on(kings.board(), Ground::of_file(kings, position)?))
    }

    /// For the positions of a ground.
    pub(crate) fn on(board: Board, ground: Ground<W>) -> Self {
        let map = |of: Board, symmetry: &Symmetry| {
            let bytes = ground.len().div_ceil(8);
            SymmetryMap::new(of, symmetry, bytes, |square| 1 << (2 * square.index()))
        };
        let images = match board.fits::<u64>() {
            true => Symmetry::all(board).iter().map(|symmetry| map(board, symmetry)).collect(),
            false => {
                // The numbers of up to 64 squares are those of the squares of 8x8.
                let numbers = Board::new(8, 8).expect("8x8 is a board");
                Symmetry::all(numbers).iter().take(1).map(|same| map(numbers, same)).collect()
            }
        };
        Self { board, ground, images }
    }

    /// The squares that codes are about.
    pub(crate) fn ground(&self) -> &Ground<W> {
        &self.ground
    }

    /// The symmetries of the board under which a position has the same code.
    pub(crate) fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::all(self.board).into_iter().take(self.images.len()).collect()
    }

    /// The position of the board that stands for another one in what these codes are for: all that
    /// is not of the ground is burned.
    pub(crate) fn part(&self, position: &Bitboards<W>) -> Bitboards<W> {
        self.ground.part(self.board, position)
    }

    /// The smallest code among the images of a position.
    pub fn code(&self, position: &Bitboards<W>) -> Code {
        let here = self.ground.squares();
        let sets = [position.mover | position.arrows, position.opponent | position.arrows];
        let [low, high] = sets.map(|set| Bitboard::from_word(self.ground.gather(set & here)));
        let images = self.images.iter().map(|map| map.image(low) | map.image(high) << 1);
        Code(images.min().unwrap_or_default())
    }

    /// The position of a code, `None` if it is not one of the ground.
    pub fn position(&self, code: Code) -> Option<Bitboards<W>> {
        code.on(&self.ground, self.board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Square by square.
    fn plain(position: &Bitboards) -> Code {
        let spread =
            |set: Bitboard, value: u128| set.iter().map(|s| value << (2 * s.index())).sum::<u128>();
        Code(spread(position.mover, 1) + spread(position.opponent, 2) + spread(position.arrows, 3))
    }

    proptest! {
        #[test]
        fn a_code_is_the_least_of_all_images(columns in 1..=8usize, rows in 1..=8usize, a: u64, b: u64, c: u64) {
            let board = Board::new(columns, rows).unwrap();
            let [a, b, c] = [a, b, c].map(|word| Bitboard::from_word(word) & board.all());
            let position = Bitboards { mover: a, opponent: b.without(a), arrows: c.without(a | b) };
            let images = Symmetry::all(board).iter().map(|symmetry| plain(&position.mapped(symmetry))).min();
            let coder = Coder::new(board);
            let code = coder.code(&position);
            prop_assert_eq!(Some(code), images);
            prop_assert_eq!(coder.position(code).map(|position| coder.code(&position)), Some(code));
        }

        #[test]
        fn a_code_of_part_of_a_board_has_two_bits_a_square_of_it(a: u128, b: u128, cells: u128, more: u128) {
            let board = Board::new(10, 10).unwrap();
            let kings = Kings::<u128>::new(board).unwrap();
            let [a, b, cells] = [a, b, cells & more].map(|word| Bitboard::from_word(word) & board.all());
            let (mover, opponent) = (a & cells, cells.without(a) & b);
            let start = Bitboards { mover, opponent, arrows: board.all().without(cells) };
            let Ok(coder) = Coder::of_file(&kings, &start) else {
                prop_assert!(cells.len() > 64);
                return Ok(());
            };
            let part = coder.part(&start);
            prop_assert!(start.arrows.is_subset(part.arrows));
            prop_assert_eq!(coder.part(&part), part);
            let expected = coder.ground().squares().iter().enumerate().map(|(number, square)| {
                let content = u128::from(part.mover.contains(square))
                    + 2 * u128::from(part.opponent.contains(square))
                    + 3 * u128::from(part.arrows.contains(square));
                content << (2 * number)
            });
            let code = Code(expected.sum());
            prop_assert_eq!(coder.code(&part), code);
            prop_assert_eq!(coder.position(code), Some(part));
            if coder.ground().len() < 64 {
                prop_assert_eq!(coder.position(Code(code.0 | 1 << (2 * coder.ground().len()))), None);
            }
        }
    }
}
