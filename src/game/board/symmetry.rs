//! The symmetries of a board: 8 maps of a square board, 4 of any other.

use std::ops::BitOr;

use super::{Bitboard, Board, SquareIndex, U512, Word};

/// A map of the board onto itself that keeps queen lines: a mirror, a rotation, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    image: Box<[u16]>,
}

impl Symmetry {
    /// All symmetries of a board, the identity first. 8 for a square board, else 4, as a group
    /// acts: on 1x1 or 1x5 some of them move the squares alike, and are listed all the same.
    pub fn all(board: Board) -> Vec<Self> {
        let count = if board.columns() == board.rows() { 8 } else { 4 };
        (0..count).map(|bits| Self::new(board, bits)).collect()
    }

    /// Bit 0 of `bits` mirrors the files, bit 1 the ranks, bit 2 then exchanges files and ranks.
    fn new(board: Board, bits: u8) -> Self {
        let image = board.all::<U512>().iter().map(|square| {
            let (mut file, mut rank) = (board.file(square), board.rank(square));
            if bits & 1 != 0 {
                file = board.columns() - 1 - file;
            }
            if bits & 2 != 0 {
                rank = board.rows() - 1 - rank;
            }
            if bits & 4 != 0 {
                (file, rank) = (rank, file);
            }
            (rank * board.columns() + file) as u16
        });
        Self { image: image.collect() }
    }

    /// Where a square goes.
    ///
    /// # Panics
    /// If the square is not on the board.
    #[inline]
    pub fn square(&self, square: SquareIndex) -> SquareIndex {
        SquareIndex::new(self.image[square.index()])
    }

    /// Where a set of squares goes.
    ///
    /// # Panics
    /// If a square is not on the board.
    #[inline]
    pub fn set<W: Word>(&self, set: Bitboard<W>) -> Bitboard<W> {
        set.iter().map(|square| self.square(square)).collect()
    }

    /// The map that undoes this one.
    pub fn inverse(&self) -> Self {
        let mut image = self.image.clone();
        for (from, &to) in self.image.iter().enumerate() {
            image[to as usize] = from as u16;
        }
        Self { image }
    }

    /// The lengths of the cycles of this map over the squares, in no particular order; their sum is
    /// the number of squares. This is what Burnside's lemma needs.
    pub fn cycles(&self) -> Vec<usize> {
        let mut seen = vec![false; self.image.len()];
        let mut lengths = Vec::new();
        for start in 0..self.image.len() {
            let (mut length, mut at) = (0, start);
            while !seen[at] {
                seen[at] = true;
                at = self.image[at] as usize;
                length += 1;
            }
            if length > 0 {
                lengths.push(length);
            }
        }
        lengths
    }
}

/// A symmetry of a board as a table: where the squares of each byte of a set go.
///
/// A symmetry moves single squares, so the image of a set is the union of the images of its bytes:
///
/// ```text
/// set     = byte3 byte2 byte1 byte0
/// image   = table[3][byte3] | table[2][byte2] | table[1][byte1] | table[0][byte0]
/// ```
///
/// An image is a `T`: a set of squares, or anything else that is put together from single squares
/// by "or". Cost: one look-up for each byte.
#[derive(Clone, Debug)]
pub struct SymmetryMap<T> {
    tables: Box<[[T; 256]]>,
}

impl<T: Copy + Default + BitOr<Output = T>> SymmetryMap<T> {
    /// The table of a symmetry of `board` for sets of `bytes` bytes, at most 8; `image` says what a
    /// square gives, after the symmetry has moved it. Squares that are not on the board vanish.
    ///
    /// # Panics
    /// If the board has more than 64 squares.
    pub fn new(
        board: Board,
        symmetry: &Symmetry,
        bytes: usize,
        image: impl Fn(SquareIndex) -> T,
    ) -> Self {
        let squares = board.all::<u64>().into_iter();
        let images: Vec<T> = squares.map(|square| image(symmetry.square(square))).collect();
        let table = |byte: usize| {
            let mut table = [T::default(); 256];
            for set in 1..256usize {
                let first = images.get(8 * byte + set.trailing_zeros() as usize);
                table[set] = table[set & (set - 1)] | first.copied().unwrap_or_default();
            }
            table
        };
        Self { tables: (0..bytes).map(table).collect() }
    }

    /// The image of a set that has as many bytes as the table.
    #[inline(always)]
    pub fn image(&self, set: Bitboard) -> T {
        let word = set.word();
        let mut image = T::default();
        for (byte, table) in self.tables.iter().enumerate() {
            image = image | table[(word >> (8 * byte)) as usize & 255];
        }
        image
    }

    /// The image of a set given as its bytes, without a loop.
    ///
    /// # Panics
    /// If there are more bytes than the table has.
    #[inline(always)]
    pub fn image_of<const N: usize>(&self, bytes: [u8; N]) -> T {
        let tables = self.tables.first_chunk::<N>().expect("a table for every byte");
        let images: [T; N] = std::array::from_fn(|byte| tables[byte][usize::from(bytes[byte])]);
        images.into_iter().fold(T::default(), |union, image| union | image)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::board::Rays;
    use proptest::prelude::*;

    #[test]
    fn symmetries_keep_queen_lines() {
        for size in ["4x4", "5x3", "1x6", "2x7"] {
            let board: Board = size.parse().unwrap();
            let (rays, all) = (Rays::<u64>::new(board).unwrap(), board.all::<u64>());
            for symmetry in Symmetry::all(board) {
                for square in all {
                    let reach = rays.reach(symmetry.square(square), all);
                    assert_eq!(reach, symmetry.set(rays.reach(square, all)));
                    assert_eq!(symmetry.inverse().square(symmetry.square(square)), square);
                }
                assert_eq!(symmetry.cycles().iter().sum::<usize>(), board.squares());
            }
        }
    }

    #[test]
    fn a_board_has_all_its_symmetries_once() {
        for (size, count) in [("4x4", 8), ("4x5", 4), ("5x5", 8)] {
            let maps = Symmetry::all(size.parse().unwrap());
            assert!(maps[0].image.iter().enumerate().all(|(at, &to)| at == usize::from(to)));
            let images: HashSet<&[u16]> = maps.iter().map(|map| &*map.image).collect();
            assert_eq!((maps.len(), images.len()), (count, count));
        }
    }

    proptest! {
        #[test]
        fn a_map_gives_the_image_of_the_symmetry(columns in 1..=8usize, rows in 1..=8usize, set: u64) {
            let board = Board::new(columns, rows).unwrap();
            let set = Bitboard::<u64>::from_word(set) & board.all();
            for symmetry in Symmetry::all(board) {
                let image = |square: SquareIndex| Bitboard::<u64>::of(square).word();
                let map = SymmetryMap::new(board, &symmetry, board.squares().div_ceil(8), image);
                prop_assert_eq!(map.image(set), symmetry.set(set).word());
                let wide = SymmetryMap::new(board, &symmetry, 8, image);
                prop_assert_eq!(wide.image_of(set.word().to_le_bytes()), symmetry.set(set).word());
            }
        }
    }
}
