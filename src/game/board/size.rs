//! Board sizes: columns x rows, each from 1 to 20.

use std::fmt;
use std::str::FromStr;

use super::{Bitboard, SquareIndex, Word};

/// A rectangular board, written columns x rows: `4x5` has files a-d and ranks 1-5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    columns: u8,
    rows: u8,
}

/// Why something is not a board size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// A side outside 1..=20.
    #[error("a board has 1 to {max} columns and 1 to {max} rows, found {columns}x{rows}", max = Board::MAX_SIDE)]
    Side {
        /// Columns asked for.
        columns: usize,
        /// Rows asked for.
        rows: usize,
    },
    /// Text that is not two numbers joined by `x`.
    #[error("a board is written COLUMNSxROWS, for example 4x5, found {0:?}")]
    Syntax(String),
    /// More squares than the bitboard word has bits.
    #[error("{board} has {squares} squares, at most {most} are possible here")]
    TooLarge {
        /// The board.
        board: Board,
        /// Its squares.
        squares: usize,
        /// The most that are possible.
        most: usize,
    },
}

impl Board {
    /// The longest side.
    pub const MAX_SIDE: u8 = 20;

    /// A board of `columns` x `rows`.
    ///
    /// # Errors
    /// [`BoardError::Side`] if either is not in 1..=20.
    pub fn new(columns: usize, rows: usize) -> Result<Self, BoardError> {
        let sides = 1..=Self::MAX_SIDE as usize;
        if !sides.contains(&columns) || !sides.contains(&rows) {
            return Err(BoardError::Side { columns, rows });
        }
        Ok(Self { columns: columns as u8, rows: rows as u8 })
    }

    /// Number of files, 1 to 20.
    #[inline]
    pub fn columns(self) -> usize {
        self.columns as usize
    }

    /// Number of ranks, 1 to 20.
    #[inline]
    pub fn rows(self) -> usize {
        self.rows as usize
    }

    /// Number of squares, 1 to 400.
    #[inline]
    pub fn squares(self) -> usize {
        self.columns() * self.rows()
    }

    /// The square on a file and a rank, both counted from 0; `None` off the board.
    #[inline]
    pub fn square(self, file: usize, rank: usize) -> Option<SquareIndex> {
        let on_board = file < self.columns() && rank < self.rows();
        on_board.then(|| SquareIndex::new((rank * self.columns() + file) as u16))
    }

    /// File of a square, from 0.
    #[inline]
    pub fn file(self, square: SquareIndex) -> usize {
        square.index() % self.columns()
    }

    /// Rank of a square, from 0.
    #[inline]
    pub fn rank(self, square: SquareIndex) -> usize {
        square.index() / self.columns()
    }

    /// The squares that steps of so many files and ranks lead to from a square, up to the edge.
    pub(crate) fn line(
        self,
        from: SquareIndex,
        (files, ranks): (isize, isize),
    ) -> impl Iterator<Item = SquareIndex> {
        let next = move |&last: &SquareIndex| {
            let file = self.file(last).wrapping_add_signed(files);
            self.square(file, self.rank(last).wrapping_add_signed(ranks))
        };
        std::iter::successors(next(&from), next)
    }

    /// Every square as a set.
    ///
    /// # Panics
    /// If the board has more squares than `W` has bits.
    pub fn all<W: Word>(self) -> Bitboard<W> {
        assert!(self.fits::<W>(), "{self} does not fit {} bits", W::BITS);
        Bitboard::from_word(W::MAX >> (W::BITS - self.squares() as u32))
    }

    /// Whether every square has a bit in `W`.
    pub fn fits<W: Word>(self) -> bool {
        self.squares() <= W::BITS as usize
    }

    /// That every square has a bit in `W`.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if not.
    pub(super) fn must_fit<W: Word>(self) -> Result<(), BoardError> {
        let (squares, most) = (self.squares(), W::BITS as usize);
        if self.fits::<W>() {
            Ok(())
        } else {
            Err(BoardError::TooLarge { board: self, squares, most })
        }
    }

    /// How many columns or rows, in digits alone and few of them.
    pub(in crate::game) fn side(digits: &str) -> Option<usize> {
        let plain =
            !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|b| b.is_ascii_digit());
        if plain { digits.parse().ok() } else { None }
    }

    /// The board with columns and rows exchanged.
    pub fn transposed(self) -> Self {
        Self { columns: self.rows, rows: self.columns }
    }

    /// A set of squares of this board as it lies on [`Board::transposed`]: files and ranks
    /// exchanged.
    ///
    /// # Panics
    /// If a square is not on the board, or in debug builds if the word is too short for it.
    pub fn transpose<W: Word>(self, set: Bitboard<W>) -> Bitboard<W> {
        let other = self.transposed();
        let image = |square| {
            other.square(self.rank(square), self.file(square)).expect("a square of the board")
        };
        set.iter().map(image).collect()
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let sides = text
            .split_once(['x', 'X', '×'])
            .and_then(|(columns, rows)| Some((Self::side(columns)?, Self::side(rows)?)));
        let (columns, rows) = sides.ok_or_else(|| BoardError::Syntax(text.to_string()))?;
        Self::new(columns, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::U512;

    #[test]
    fn sizes_round_trip_as_text() {
        for columns in 1..=20 {
            for rows in 1..=20 {
                let board = Board::new(columns, rows).unwrap();
                assert_eq!(board.to_string().parse::<Board>().unwrap(), board);
                assert_eq!(board.all::<U512>().len(), columns * rows);
            }
        }
    }

    #[test]
    fn other_signs_between_the_sides_are_read() {
        for text in ["4x5", "4X5", "4×5"] {
            assert_eq!(text.parse::<Board>().unwrap().to_string(), "4x5");
        }
    }

    #[test]
    fn what_is_not_a_size_is_refused() {
        for text in [
            "0x4",
            "4x",
            "x4",
            "4",
            "",
            "4x21",
            "99999x2",
            "4x+4",
            "-1x4",
            "4x4x4",
            "99999999999x1",
        ] {
            assert!(text.parse::<Board>().is_err(), "{text:?} was accepted");
        }
    }
}
