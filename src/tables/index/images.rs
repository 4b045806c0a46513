//! Images of arrow sets under the symmetries of a board, and the canonical one among them: the
//! largest.
//!
//! Cost: four table accesses for each image ([`SymmetryMap`]).
//!
//! Why the largest: free squares are numbered upwards, and adding an arrow to a largest set more
//! often gives a largest set again (76-80 % of the children on 5x5, against 71-78 % with the
//! smallest), whose block needs no permutation.

use super::ShapeError;
use super::shape::MAX_SQUARES;
use crate::game::board::{Board, Symmetry, SymmetryMap};

/// Bytes of a set of squares.
const BYTES: usize = size_of::<u32>();

/// The symmetries of one board, applied to 32-bit sets of squares.
#[derive(Clone, Debug)]
pub struct Images {
    board: Board,
    symmetries: Vec<Symmetry>,
    maps: Box<[SymmetryMap<u32>]>,
}

/// A canonical arrow set and a symmetry that leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The largest image.
    pub arrows: u32,
    /// The first symmetry, in the order of [`Images::symmetries`], with that image; 0, the
    /// identity, for a set that is canonical itself.
    pub symmetry: usize,
}

impl Images {
    /// The symmetries of a board.
    ///
    /// # Errors
    /// [`ShapeError::BoardTooLarge`] if the board has more than 32 squares.
    pub fn new(board: Board) -> Result<Self, ShapeError> {
        if board.squares() > MAX_SQUARES {
            return Err(ShapeError::BoardTooLarge { board });
        }
        let symmetries = Symmetry::all(board);
        let map = |symmetry| SymmetryMap::new(board, symmetry, BYTES, |square| 1 << square.index());
        let maps = symmetries.iter().map(map).collect();
        Ok(Self { board, symmetries, maps })
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The symmetries, the identity first.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The image of a set; squares that are not on the board vanish.
    ///
    /// # Panics
    /// If there is no such symmetry.
    #[inline(always)]
    pub fn image(&self, symmetry: usize, set: u32) -> u32 {
        self.maps[symmetry].image_of::<BYTES>(set.to_le_bytes())
    }

    /// The canonical image of an arrow set.
    #[inline]
    pub fn canonical(&self, arrows: u32) -> Canonical {
        let mut best = Canonical { arrows, symmetry: 0 };
        for symmetry in 1..self.maps.len() {
            let image = self.image(symmetry, arrows);
            if image > best.arrows {
                best = Canonical { arrows: image, symmetry };
            }
        }
        best
    }

    /// Whether an arrow set is its own canonical image.
    #[inline]
    pub fn is_canonical(&self, arrows: u32) -> bool {
        (1..self.maps.len()).all(|symmetry| self.image(symmetry, arrows) <= arrows)
    }

    /// How many different images an arrow set has, itself counted: the orders of the group and of
    /// the set's stabiliser, divided.
    #[inline]
    pub fn orbit_size(&self, arrows: u32) -> u32 {
        let stabiliser =
            (0..self.maps.len()).filter(|&symmetry| self.image(symmetry, arrows) == arrows);
        (self.maps.len() / stabiliser.count()) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Bitboard;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn images_are_those_of_the_symmetries(columns in 1..=8usize, rows in 1..=4usize, bits: u32) {
            let board = Board::new(columns, rows).unwrap();
            let set = board.all::<u64>() & Bitboard::from_word(bits.into());
            let images = Images::new(board).unwrap();
            let arrows = set.word() as u32;
            let all: Vec<u32> = images.symmetries().iter().map(|s| s.set(set).word() as u32).collect();
            for (symmetry, &image) in all.iter().enumerate() {
                prop_assert_eq!(images.image(symmetry, arrows), image);
                prop_assert_eq!(images.canonical(image).arrows, *all.iter().max().unwrap());
            }
            let canonical = images.canonical(arrows);
            prop_assert_eq!(images.image(canonical.symmetry, arrows), canonical.arrows);
            prop_assert!(images.is_canonical(canonical.arrows));
            prop_assert_eq!(images.is_canonical(arrows), canonical.arrows == arrows);
            prop_assert_eq!(images.is_canonical(arrows), canonical.symmetry == 0);
            let mut different = all.clone();
            different.sort();
            different.dedup();
            prop_assert_eq!(images.orbit_size(arrows) as usize, different.len());
        }
    }
}
