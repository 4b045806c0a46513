//! The shape of a tier: how many rows, columns and bytes its blocks have.

use std::fmt;

use arrayvec::ArrayVec;

use super::TableRules;
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::tables::counting::{TierCount, small_binomial, subset_orbits};

/// The most squares a board may have here: an arrow set is a mask of at most 64 bits.
pub const MAX_SQUARES: usize = 64;

/// The most tiers, and kinds of them, that the moves of one lead to.
pub const MOST_CHILD_KINDS: usize = 3;

/// The most squares of a board whose arrow sets take 32 bits.
const NARROW_SQUARES: usize = 32;

/// The most positions of a tier. So every number of bytes, frames or entries of a file fits 64
/// bits, however small its frames are: there are at most 24 bytes of lists for a position.
const MOST_POSITIONS: u128 = 1 << 58;

/// How many bits the arrow sets of a board take. Whoever works with many of them chooses the mask
/// once, for a tier or a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// 32 bits.
    Narrow,
    /// 64 bits.
    Wide,
}

impl Width {
    /// The width of a board's arrow sets.
    ///
    /// # Errors
    /// [`ShapeError::BoardTooLarge`] if it has more than 64 squares.
    pub fn of(board: Board) -> Result<Self, ShapeError> {
        let squares = board.squares();
        if squares <= NARROW_SQUARES {
            return Ok(Self::Narrow);
        }
        if squares <= MAX_SQUARES {
            return Ok(Self::Wide);
        }
        Err(ShapeError::BoardTooLarge { board, most: MAX_SQUARES })
    }

    /// Bytes of an arrow set.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Narrow => 4,
            Self::Wide => 8,
        }
    }
}

/// Works out an expression with a type in it that is the mask of a [`Width`].
macro_rules! with_mask {
    ($width:expr, $mask:ident => $call:expr) => {
        match $width {
            $crate::tables::index::Width::Narrow => {
                type $mask = u32;
                $call
            }
            $crate::tables::index::Width::Wide => {
                type $mask = u64;
                $call
            }
        }
    };
}
pub(crate) use with_mask;

/// One tier for one number of amazons of the mover and of the opponent. When those differ, a tier
/// has two kinds of blocks, one for each number the mover may have; a move leads from one kind to
/// the other. Where amazons can be taken, it has a kind for each pair of numbers that can be left,
/// and moves lead to [up to three](Self::children).
///
/// Of a table of margins a tier has many *planes*: the one of number `s` says whether the mover
/// wins with `s` spare moves more than the opponent ([`margin`](crate::game::margin)). Plane 0 is
/// the tier of an ordinary table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TierShape {
    rules: TableRules,
    board: Board,
    arrows: usize,
    mover: usize,
    opponent: usize,
    plane: i8,
}

/// Why there is no such tier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// The board has too many squares for a table.
    #[error("tables are for boards of at most {most} squares, {board} has {squares}", squares = board.squares())]
    BoardTooLarge {
        /// The board.
        board: Board,
        /// The most squares of a board.
        most: usize,
    },
    /// Arrows and amazons do not fit the board.
    #[error("{arrows} arrows and {amazons} amazons do not fit the {squares} squares of {board}", squares = board.squares())]
    TooMany {
        /// The board.
        board: Board,
        /// Burned squares.
        arrows: usize,
        /// Amazons of both sides.
        amazons: usize,
    },
    /// More positions than a tier file can count.
    #[error("{board} {mover}v{opponent} with {arrows} arrows has more than 2^58 positions")]
    TooManyPositions {
        /// The board.
        board: Board,
        /// Burned squares.
        arrows: usize,
        /// Amazons of the side to move.
        mover: usize,
        /// Amazons of the other side.
        opponent: usize,
    },
    /// No amazon at all.
    #[error("a tier needs at least one amazon")]
    NoAmazon,
    /// By rules with captures, a side that has no amazon to begin with.
    #[error("tables of {rules} need an amazon of each side, found {amazons}")]
    OneSided {
        /// The rules.
        rules: TableRules,
        /// Amazons of the sides.
        amazons: Amazons,
    },
}

impl TierShape {
    /// The tier of a board with so many arrows, amazons of the mover and amazons of the opponent,
    /// by the rules of Amazons.
    ///
    /// # Errors
    /// [`ShapeError`] if the board is too large, or the pieces do not fit, or there is no amazon.
    pub fn new(
        board: Board,
        arrows: usize,
        mover: usize,
        opponent: usize,
    ) -> Result<Self, ShapeError> {
        let width = Width::of(board)?;
        let amazons = mover.saturating_add(opponent);
        if arrows.saturating_add(amazons) > board.squares() {
            return Err(ShapeError::TooMany { board, arrows, amazons });
        }
        if amazons == 0 {
            return Err(ShapeError::NoAmazon);
        }
        let shape = Self { rules: TableRules::Amazons, board, arrows, mover, opponent, plane: 0 };
        // 32 squares have fewer than 3^32 placements and 4^32 positions, which fit as they are.
        if width == Width::Wide && shape.positions().is_none_or(|all| all > MOST_POSITIONS) {
            return Err(ShapeError::TooManyPositions { board, arrows, mover, opponent });
        }
        Ok(shape)
    }

    /// All positions, `None` if they need more than 128 bits.
    fn positions(&self) -> Option<u128> {
        let sets = u128::from(small_binomial(self.board.squares(), self.arrows));
        let movers = u128::from(small_binomial(self.free(), self.mover));
        let opponents = u128::from(small_binomial(self.free() - self.mover, self.opponent));
        // Each is below 2^61.
        (sets * movers).checked_mul(opponents)
    }

    /// The same tier by other rules.
    pub fn with_rules(self, rules: TableRules) -> Self {
        Self { rules, ..self }
    }

    /// The same tier's plane of so many spare moves.
    pub fn with_plane(self, plane: i8) -> Self {
        Self { plane, ..self }
    }

    /// The spare moves that the mover has more than the opponent.
    pub fn plane(&self) -> i8 {
        self.plane
    }

    /// The plane one nearer to 0, which decides a part of this one; `None` of plane 0.
    pub fn inner(&self) -> Option<Self> {
        (self.plane != 0).then(|| self.with_plane(self.plane - self.plane.signum()))
    }

    /// The mover spends a spare move: the same placements with the other side to move. `None` if it
    /// has none.
    pub fn spent(&self) -> Option<Self> {
        let (mover, opponent, plane) = (self.opponent, self.mover, 1 - self.plane);
        (self.plane > 0).then_some(Self { mover, opponent, plane, ..*self })
    }

    /// What all positions of a tier are that has no file. `None` of one that a table stores.
    ///
    /// - A mover whose amazons were all taken has lost.
    /// - With few empty squares nobody makes as many moves as a plane far from 0 asks for. With `e`
    ///   of them the stored planes are those from `1 - e` to `e`, and plane 0.
    pub fn constant(&self) -> Option<Outcome> {
        if self.rules.captures() && self.mover == 0 {
            return Some(Outcome::Loss);
        }
        let empty = self.free() - self.mover - self.opponent;
        let empty = i8::try_from(empty).unwrap_or(i8::MAX);
        match self.plane {
            0 => None,
            plane if plane > empty => Some(Outcome::Win),
            plane if plane <= -empty => Some(Outcome::Loss),
            _ => None,
        }
    }

    /// The rules.
    pub fn rules(&self) -> TableRules {
        self.rules
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Burned squares: the number of the tier.
    pub fn arrows(&self) -> usize {
        self.arrows
    }

    /// How many bits its arrow sets take.
    pub fn width(&self) -> Width {
        if self.board.squares() <= NARROW_SQUARES { Width::Narrow } else { Width::Wide }
    }

    /// Amazons of the side to move.
    pub fn mover(&self) -> usize {
        self.mover
    }

    /// Amazons of the other side.
    pub fn opponent(&self) -> usize {
        self.opponent
    }

    /// Squares that are not burned.
    pub fn free(&self) -> usize {
        self.board.squares() - self.arrows
    }

    /// The tier that a move leads to by which nothing is taken, and of it the plane where the spare
    /// moves are those of the other side; `None` on the fullest tiers, where there is no such move.
    pub fn child(&self) -> Option<Self> {
        let Self { rules, board, mover, opponent, plane, .. } = *self;
        let arrows = self.arrows + rules.burned();
        // It has no more placements than this one, so its blocks fit.
        let child = Self { rules, board, arrows, mover: opponent, opponent: mover, plane: -plane };
        (arrows + mover + opponent <= board.squares()).then_some(child)
    }

    /// Whether nobody can move, for no square is empty and nothing can be taken.
    pub fn has_no_moves(&self) -> bool {
        self.child().is_none() && !self.rules.captures()
    }

    /// The tiers that moves lead to: where nothing is taken, where an amazon of the opponent is,
    /// unless it is the last, and where one of the mover's own is.
    pub fn children(&self) -> ArrayVec<Self, MOST_CHILD_KINDS> {
        let mut children: ArrayVec<_, MOST_CHILD_KINDS> = self.child().into_iter().collect();
        if self.rules.captures() && self.mover > 0 && self.arrows < self.board.squares() {
            let arrows = self.arrows + self.rules.burned();
            // The square of an amazon is free after it was taken: the arrow has room.
            let (mover, opponent, plane) = (self.opponent, self.mover, -self.plane);
            let child = Self { arrows, mover, opponent, plane, ..*self };
            children
                .extend((self.opponent > 1).then(|| Self { mover: self.opponent - 1, ..child }));
            children.extend((self.mover > 1).then(|| Self { opponent: self.mover - 1, ..child }));
        }
        children
    }

    /// Rows of a block: placements of the mover.
    pub fn rows(&self) -> usize {
        small_binomial(self.free(), self.mover) as usize
    }

    /// Columns of a block: placements of the opponent on the squares the mover left, one bit each.
    pub fn row_bits(&self) -> usize {
        small_binomial(self.free() - self.mover, self.opponent) as usize
    }

    /// Bytes of a row; the padding bits of the last one are zero.
    pub fn row_bytes(&self) -> usize {
        self.row_bits().div_ceil(8)
    }

    /// Bytes of a block. Fits 64 bits: so does the number of placements.
    pub fn block_bytes(&self) -> usize {
        self.rows() * self.row_bytes()
    }

    /// Positions over one arrow set.
    pub fn placements(&self) -> u64 {
        self.rows() as u64 * self.row_bits() as u64
    }

    /// Canonical arrow sets of the tier.
    pub fn set_count(&self) -> u64 {
        set_count(self.board, self.arrows)
    }

    /// Bytes of the list of its arrow sets.
    pub fn list_bytes(&self) -> u64 {
        self.width().bytes() * self.set_count()
    }

    /// The exact counts of this tier.
    pub fn count(&self) -> TierCount {
        let Self { board, arrows, mover, opponent, .. } = *self;
        TierCount { board, arrows, mover, opponent }
    }
}

/// Arrow sets of a board with so many arrows that are not images of each other. A board that tables
/// are for has fewer than 2^60 of them, so the bytes of a list of them fit 64 bits too.
pub(in crate::tables) fn set_count(board: Board, arrows: usize) -> u64 {
    let sets = subset_orbits(board, arrows).and_then(|sets| u64::try_from(sets).ok());
    sets.expect("at most 64 squares")
}

impl fmt::Display for TierShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, board, arrows, mover, opponent, plane } = *self;
        write!(f, "{}{board} {mover}v{opponent} with {arrows} arrows", rules.prefix())?;
        if plane == 0 { Ok(()) } else { write!(f, ", plane {plane:+}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_holds_the_placements() {
        let board: Board = "4x5".parse().unwrap();
        let shape = TierShape::new(board, 6, 4, 4).unwrap();
        assert_eq!((shape.free(), shape.rows(), shape.row_bits()), (14, 1001, 210));
        assert_eq!((shape.row_bytes(), shape.block_bytes()), (27, 27_027));
        assert_eq!(u128::from(shape.placements()), shape.count().placements().unwrap());
        assert_eq!(shape.child(), TierShape::new(board, 7, 4, 4).ok());
        assert_eq!(TierShape::new(board, 12, 4, 4).unwrap().child(), None);
    }

    #[test]
    fn a_capture_leads_to_one_amazon_less_of_either_side() {
        let board: Board = "3x3".parse().unwrap();
        let killer = |arrows, mover, opponent| {
            TierShape::new(board, arrows, mover, opponent).unwrap().with_rules(TableRules::Killer)
        };
        let children = |shape: TierShape| shape.children().to_vec();
        assert_eq!(children(killer(3, 2, 3)), [killer(4, 3, 2), killer(4, 2, 2), killer(4, 3, 1)]);
        // Without an empty square one is free after a capture.
        assert_eq!(children(killer(4, 2, 3)), [killer(5, 2, 2), killer(5, 3, 1)]);
        assert_eq!(children(killer(7, 1, 1)), []);
        assert_eq!(children(killer(6, 1, 1)), [killer(7, 1, 1)]);
        assert_eq!(killer(2, 0, 3).constant(), Some(Outcome::Loss));
        let amazons = TierShape::new(board, 3, 2, 3).unwrap();
        assert_eq!(children(amazons), amazons.child().into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn planes_lie_between_constant_ones() {
        let board: Board = "3x3".parse().unwrap();
        for (arrows, least, most) in [(7, 0, 0), (6, 0, 1), (5, -1, 2), (3, -3, 4)] {
            let shape = TierShape::new(board, arrows, 1, 1).unwrap();
            let stored: Vec<i8> =
                (-9..=9).filter(|&plane| shape.with_plane(plane).constant().is_none()).collect();
            assert_eq!(stored, (least..=most).collect::<Vec<i8>>(), "{arrows} arrows");
            for plane in [least - 1, most + 1] {
                let outcome = Outcome::win_if(plane > 0);
                assert_eq!(shape.with_plane(plane).constant(), Some(outcome));
            }
        }
    }

    #[test]
    fn planes_rest_on_planes_nearer_to_0() {
        let shape = TierShape::new("3x4".parse().unwrap(), 2, 2, 1).unwrap();
        let plane = |shape: Option<TierShape>| shape.map(|shape| (shape.plane(), shape.mover()));
        let three = shape.with_plane(3);
        assert_eq!((plane(three.inner()), plane(three.spent())), (Some((2, 2)), Some((-2, 1))));
        assert_eq!(plane(three.child()), Some((-3, 1)));
        let behind = shape.with_plane(-3);
        assert_eq!((plane(behind.inner()), plane(behind.spent())), (Some((-2, 2)), None));
        assert_eq!((plane(shape.inner()), plane(shape.spent())), (None, None));
        assert_eq!(behind.to_string(), "3x4 2v1 with 2 arrows, plane -3");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let board: Board = "3x3".parse().unwrap();
        assert!(matches!(TierShape::new(board, 8, 1, 1), Err(ShapeError::TooMany { .. })));
        assert!(matches!(TierShape::new(board, usize::MAX, 1, 1), Err(ShapeError::TooMany { .. })));
        assert_eq!(TierShape::new(board, 2, 0, 0), Err(ShapeError::NoAmazon));
        let board: Board = "8x9".parse().unwrap();
        let most = MAX_SQUARES;
        assert_eq!(TierShape::new(board, 0, 4, 4), Err(ShapeError::BoardTooLarge { board, most }));
    }

    #[test]
    fn numbers_of_a_tier_fit_64_bits_or_are_refused() {
        for (board, arrows, amazons, fits) in [
            ("6x6", 14, 4, true),
            ("6x6", 18, 1, true),
            ("8x8", 32, 4, false),
            ("8x8", 60, 2, true),
            ("8x8", 0, 32, false),
        ] {
            let board: Board = board.parse().unwrap();
            let shape = TierShape::new(board, arrows, amazons, amazons);
            assert_eq!(shape.is_ok(), fits, "{board} {arrows} {shape:?}");
            let Ok(shape) = shape else { continue };
            let raw = shape.count().stored_positions().unwrap();
            assert!(
                u128::from(shape.placements()) * shape.count().canonical_sets().unwrap() == raw
            );
            assert!(raw <= MOST_POSITIONS && shape.block_bytes() as u128 <= MOST_POSITIONS);
            assert_eq!(shape.positions(), shape.count().positions());
        }
    }
}
