//! Walls between squares.

use std::fmt;
use std::str::FromStr;

#[cfg(test)]
use super::rule_set::RuleSet;
use crate::game::board::{Bitboard, Board, SquareIndex, Symmetry, Word};

/// A side of a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The side of the next rank.
    North,
    /// The side of the next file.
    East,
    /// The side of the rank before.
    South,
    /// The side of the file before.
    West,
}

impl Side {
    /// All four.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The square on that side of another, `None` beyond the edge of the board.
    pub fn neighbour(self, board: Board, square: SquareIndex) -> Option<SquareIndex> {
        let (file, rank) = (board.file(square), board.rank(square));
        match self {
            Self::North => board.square(file, rank + 1),
            Self::East => board.square(file + 1, rank),
            Self::South => board.square(file, rank.checked_sub(1)?),
            Self::West => board.square(file.checked_sub(1)?, rank),
        }
    }

    /// Its letter.
    pub fn letter(self) -> char {
        match self {
            Self::North => 'N',
            Self::East => 'E',
            Self::South => 'S',
            Self::West => 'W',
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Side {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|side| text == side.letter().to_string()).ok_or(())
    }
}

/// The walls of a board, each by the square south or west of it. None is on the edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Walls<W: Word = u64> {
    /// Squares with a wall on their north side.
    pub north: Bitboard<W>,
    /// Squares with a wall on their east side.
    pub east: Bitboard<W>,
}

impl<W: Word> Default for Walls<W> {
    fn default() -> Self {
        Self { north: Bitboard::EMPTY, east: Bitboard::EMPTY }
    }
}

impl<W: Word> Walls<W> {
    /// The set that has a side of a square, and the square that stands for it there; `None` if that
    /// side is the edge of the board.
    fn place(board: Board, square: SquareIndex, side: Side) -> Option<(bool, SquareIndex)> {
        let beyond = side.neighbour(board, square)?;
        Some(match side {
            Side::North => (true, square),
            Side::South => (true, beyond),
            Side::East => (false, square),
            Side::West => (false, beyond),
        })
    }

    /// All that can be built on a board by some rules; where squares are burned, nothing.
    #[cfg(test)]
    pub(crate) fn all(rules: RuleSet, board: Board) -> Vec<Self> {
        let mut found = vec![Self::default()];
        if rules.burns() {
            return found;
        }
        for square in board.all::<W>() {
            for side in [Side::North, Side::East] {
                if side.neighbour(board, square).is_some() {
                    found.extend(found.clone().iter().map(|walls| walls.with(board, square, side)));
                }
            }
        }
        found
    }

    /// Whether nothing is built.
    pub fn is_empty(&self) -> bool {
        self.north.is_empty() && self.east.is_empty()
    }

    /// Whether a side of a square is closed, by a wall or by the edge of the board.
    pub fn is_closed(&self, board: Board, square: SquareIndex, side: Side) -> bool {
        match Self::place(board, square, side) {
            None => true,
            Some((true, at)) => self.north.contains(at),
            Some((false, at)) => self.east.contains(at),
        }
    }

    /// With one more wall; the same if that side is the edge of the board.
    pub fn with(self, board: Board, square: SquareIndex, side: Side) -> Self {
        match Self::place(board, square, side) {
            None => self,
            Some((true, at)) => Self { north: self.north.with(at), ..self },
            Some((false, at)) => Self { east: self.east.with(at), ..self },
        }
    }

    /// The walls one by one, each by the square south or west of it.
    pub fn iter(self) -> impl Iterator<Item = (SquareIndex, Side)> {
        let north = self.north.iter().map(|square| (square, Side::North));
        north.chain(self.east.iter().map(|square| (square, Side::East)))
    }

    /// The image under a symmetry of the board.
    pub fn mapped(self, board: Board, symmetry: &Symmetry) -> Self {
        self.iter().fold(Self::default(), |walls, (square, side)| {
            let beyond = side.neighbour(board, square).expect("no wall is on the edge");
            let (square, beyond) = (symmetry.square(square), symmetry.square(beyond));
            let side = Side::ALL
                .into_iter()
                .find(|side| side.neighbour(board, square) == Some(beyond))
                .expect("a symmetry keeps neighbours");
            walls.with(board, square, side)
        })
    }

    /// The same walls in another word, `None` if a square does not fit.
    pub fn resize<V: Word>(self) -> Option<Walls<V>> {
        Some(Walls { north: self.north.resize()?, east: self.east.resize()? })
    }
}
