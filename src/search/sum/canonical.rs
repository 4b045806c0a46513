//! One representative for all images of a set of regions under symmetry and translation.
//!
//! The squares in use are moved into the corner at a1 under each symmetry of the board; the image
//! with the smallest (empty, mover, opponent) is the canonical one. Games on both are the same
//! game: symmetries and translations keep queen lines, and a region's neighbours off its squares
//! are burned, dead, or off the board in either place.
//!
//! Cost: one table look-up for each eight squares and image; the amazons are mapped only for images
//! whose empty squares tie.

use crate::game::board::{Bitboard, Board, Symmetry, SymmetryMap, Word};
use crate::game::rules::Bitboards;

/// Disjoint sets of squares: one or more regions, alone on a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub(in crate::search) struct RegionSquares<W: Word = u64> {
    /// Empty squares.
    pub empty: Bitboard<W>,
    /// Amazons of the side to move.
    pub mover: Bitboard<W>,
    /// Amazons of the other side.
    pub opponent: Bitboard<W>,
}

impl<W: Word> RegionSquares<W> {
    /// The squares of a position of `board`.
    pub(in crate::search) fn of(board: Board, position: &Bitboards<W>) -> Self {
        Self { empty: position.empty(board), mover: position.mover, opponent: position.opponent }
    }

    /// The position with these squares, all others of the board burned; `all` has every square of
    /// the board.
    #[inline(always)]
    pub(in crate::search) fn position(&self, all: Bitboard<W>) -> Bitboards<W> {
        let arrows = all.without(self.cells());
        Bitboards { mover: self.mover, opponent: self.opponent, arrows }
    }

    /// Every square in use.
    #[inline(always)]
    pub(in crate::search) fn cells(&self) -> Bitboard<W> {
        self.empty | self.mover | self.opponent
    }

    /// The part on `cells`.
    #[inline(always)]
    pub(in crate::search) fn within(&self, cells: Bitboard<W>) -> Self {
        Self {
            empty: self.empty & cells,
            mover: self.mover & cells,
            opponent: self.opponent & cells,
        }
    }

    /// The part that is not on `cells`.
    #[inline(always)]
    pub(in crate::search) fn without(&self, cells: Bitboard<W>) -> Self {
        Self {
            empty: self.empty.without(cells),
            mover: self.mover.without(cells),
            opponent: self.opponent.without(cells),
        }
    }

    /// The same squares seen by the other side: the negative of the game.
    #[inline(always)]
    pub(in crate::search) fn swapped(&self) -> Self {
        Self { empty: self.empty, mover: self.opponent, opponent: self.mover }
    }

    /// Both together.
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self {
            empty: self.empty | other.empty,
            mover: self.mover | other.mover,
            opponent: self.opponent | other.opponent,
        }
    }

    #[inline(always)]
    fn map(self, f: impl Fn(Bitboard<W>) -> Bitboard<W>) -> Self {
        Self { empty: f(self.empty), mover: f(self.mover), opponent: f(self.opponent) }
    }
}

/// A symmetry: where sets of squares and single squares go.
#[derive(Debug)]
struct Map {
    sets: SymmetryMap<u64>,
    square: [u8; 64],
}

impl Map {
    fn new(board: Board, symmetry: &Symmetry) -> Self {
        let bytes = board.squares().div_ceil(8);
        let sets = SymmetryMap::new(board, symmetry, bytes, |to| Bitboard::<u64>::of(to).word());
        let mut square = [0; 64];
        for from in board.all::<u64>() {
            square[from.index()] = symmetry.square(from).index() as u8;
        }
        Self { sets, square }
    }

    /// The image of a set, of a word of 64 bits at most.
    #[inline(always)]
    fn set<W: Word>(&self, set: Bitboard<W>) -> Bitboard<W> {
        let image = self.sets.image(Bitboard::from_word(set.word().low()));
        Bitboard::from_word(W::from_low(image))
    }
}

/// The smallest rectangle around some squares, in files and ranks from 0.
#[derive(Clone, Copy, Debug)]
struct Rectangle {
    west: u32,
    east: u32,
    south: u32,
    north: u32,
}

/// Canonical forms on one board.
#[derive(Debug)]
pub(in crate::search) struct Canonizer<W: Word = u64> {
    maps: Vec<Map>,
    files: Vec<W>,
    columns: u32,
    rows: u32,
    rank_of: [u8; 64],
    file_of: [u8; 64],
}

impl<W: Word> Canonizer<W> {
    /// Whether squares stay where they are.
    const IN_PLACE: bool = W::BITS > u64::BITS;

    /// For a board that fits the word.
    pub(in crate::search) fn new(board: Board) -> Self {
        let file = |file: usize| {
            let squares = board.all::<W>().iter().filter(|&s| board.file(s) == file);
            squares.collect::<Bitboard<W>>().word()
        };
        let symmetries = if Self::IN_PLACE { Vec::new() } else { Symmetry::all(board) };
        let maps = symmetries.iter().map(|symmetry| Map::new(board, symmetry)).collect();
        Self {
            maps,
            files: (0..board.columns()).map(file).collect(),
            columns: board.columns() as u32,
            rows: board.rows() as u32,
            rank_of: std::array::from_fn(|square| (square / board.columns()) as u8),
            file_of: std::array::from_fn(|square| (square % board.columns()) as u8),
        }
    }

    /// The canonical image of squares that are not all unused.
    #[inline(always)]
    pub(in crate::search) fn canonical(&self, squares: RegionSquares<W>) -> RegionSquares<W> {
        if Self::IN_PLACE {
            return squares;
        }
        let rectangle = self.rectangle(squares.cells());
        let shift = self.corner(&self.maps[0], rectangle);
        let mut best = squares.map(|set| down(set, shift));
        for map in &self.maps[1..] {
            let shift = self.corner(map, rectangle);
            let empty = down(map.set(squares.empty), shift);
            if empty > best.empty {
                continue;
            }
            let image = RegionSquares {
                empty,
                mover: down(map.set(squares.mover), shift),
                opponent: down(map.set(squares.opponent), shift),
            };
            best = best.min(image);
        }
        best
    }

    /// Canonical components side by side, one empty file or rank between them, or `None` if they do
    /// not fit. The result is a game equal to the sum of the parts, and depends on nothing but the
    /// parts.
    #[inline]
    pub(in crate::search) fn pack(
        &self,
        parts: &mut [RegionSquares<W>],
    ) -> Option<RegionSquares<W>> {
        if Self::IN_PLACE {
            return None;
        }
        parts.sort_unstable();
        self.pack_along(parts, self.columns, |rectangle| rectangle.east + 1, 1).or_else(|| {
            self.pack_along(parts, self.rows, |rectangle| rectangle.north + 1, self.columns)
        })
    }

    /// `extent` is the size of a part in the direction of packing, `stride` the shift by one in it.
    #[inline]
    fn pack_along(
        &self,
        parts: &[RegionSquares<W>],
        room: u32,
        extent: impl Fn(Rectangle) -> u32,
        stride: u32,
    ) -> Option<RegionSquares<W>> {
        let (mut packed, mut at) = (RegionSquares::default(), 0);
        for part in parts {
            let end = at + extent(self.rectangle(part.cells()));
            if end > room {
                return None;
            }
            packed = packed.and(part.map(|set| Bitboard::from_word(set.word() << (at * stride))));
            at = end + 1;
        }
        Some(packed)
    }

    #[inline(always)]
    fn rectangle(&self, cells: Bitboard<W>) -> Rectangle {
        let cells = cells.word();
        let in_file = |file: &u32| cells & self.files[*file as usize] != W::ZERO;
        Rectangle {
            west: (0..self.columns).find(in_file).unwrap_or(0),
            east: (0..self.columns).rev().find(in_file).unwrap_or(0),
            south: u32::from(self.rank_of[cells.trailing_zeros() as usize & 63]),
            north: u32::from(self.rank_of[(63 - cells.leading_zeros() as usize) & 63]),
        }
    }

    /// How far down the image under `map` must be shifted to touch file a and rank 1: two opposite
    /// corners of the rectangle stay opposite corners.
    #[inline(always)]
    fn corner(&self, map: &Map, rectangle: Rectangle) -> u32 {
        let image = |file: u32, rank: u32| {
            map.square[(rank * self.columns + file) as usize & 63] as usize & 63
        };
        let (one, two) =
            (image(rectangle.west, rectangle.south), image(rectangle.east, rectangle.north));
        let rank = self.rank_of[one].min(self.rank_of[two]);
        let file = self.file_of[one].min(self.file_of[two]);
        u32::from(rank) * self.columns + u32::from(file)
    }
}

#[inline(always)]
fn down<W: Word>(set: Bitboard<W>, shift: u32) -> Bitboard<W> {
    Bitboard::from_word(set.word() >> shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn squares(board: Board, a: u64, b: u64, c: u64) -> RegionSquares {
        let all = board.all();
        let [a, b, c] = [a, b, c].map(Bitboard::from_word);
        RegionSquares {
            empty: a & all,
            mover: (b & all).without(a),
            opponent: (c & all).without(a | b),
        }
    }

    proptest! {
        #[test]
        fn all_images_and_translations_have_one_canonical_form(
            columns in 2..=8usize, rows in 2..=8usize, a: u64, b: u64, c: u64, east in 0..8u32, north in 0..8u32,
        ) {
            let board = Board::new(columns, rows).unwrap();
            let canonizer = Canonizer::new(board);
            let original = squares(board, a, b, c);
            prop_assume!(!original.cells().is_empty());
            let canonical = canonizer.canonical(original);
            for symmetry in Symmetry::all(board) {
                prop_assert_eq!(canonizer.canonical(original.map(|set| symmetry.set(set))), canonical);
            }
            let rectangle = canonizer.rectangle(canonical.cells());
            let (east, north) = (east % (columns as u32 - rectangle.east), north % (rows as u32 - rectangle.north));
            let shift = north * columns as u32 + east;
            let moved = canonical.map(|set| Bitboard::from_word(set.word() << shift));
            prop_assert_eq!(canonizer.canonical(moved), canonical);
        }
    }
}
