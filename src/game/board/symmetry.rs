//! The symmetries of a board: 8 maps of a square board, 4 of any other.

use super::{Bitboard, Board, SquareIndex, Word};

/// A map of the board onto itself that keeps queen lines: a mirror, a rotation, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    image: Box<[u8]>,
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
        let image = board.all::<u128>().iter().map(|square| {
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
            (rank * board.columns() + file) as u8
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
            image[to as usize] = from as u8;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Rays;

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
            let mut maps = Symmetry::all(size.parse().unwrap());
            assert_eq!(maps[0], maps[0].inverse());
            maps.dedup();
            assert_eq!(maps.len(), count);
        }
    }
}
