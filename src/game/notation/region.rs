//! Local positions as rows of text, the form of CGSuite, cgt-cli and MCGS.
//!
//! ```text
//! x..|.#.|..o        rows from the top, '|' between them
//!   x Left (Black)   o Right (White)   . empty   # burned; X and O are read as well
//! ```
//!
//! A local position is part of a game: it has no side to move, and it may have no amazons at all.
//!
//! ```
//! use amazons::game::notation::LocalPosition;
//!
//! let local: LocalPosition = "X..|.#.|..O".parse()?;
//! assert_eq!((local.left.len(), local.right.len(), local.burned.len()), (1, 1, 1));
//! assert_eq!(local.to_string(), "x..|.#.|..o");
//! # Ok::<(), amazons::game::notation::RowsError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use super::square::file_letter;
use crate::game::board::{Bitboard, Board, BoardError, SquareIndex, U512};
use crate::game::rules::{Bitboards, Colour, Position};

/// Squares of a board with Left's and Right's amazons; nobody is to move. The three sets are
/// disjoint and on the board when the value comes from text; whoever builds one by hand keeps them
/// so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LocalPosition {
    /// The board, the rectangle that the rows fill.
    pub board: Board,
    /// Left's amazons: Black's.
    pub left: Bitboard<U512>,
    /// Right's amazons: White's.
    pub right: Bitboard<U512>,
    /// Burned squares.
    pub burned: Bitboard<U512>,
}

/// Why some text is not a local position. Rows are numbered from 1 at the top, as they are written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowsError {
    /// No text.
    #[error("expected rows of squares such as \"x..|..o\", found nothing")]
    Empty,
    /// A character that stands for nothing.
    #[error("row {row}, column {column}: expected 'x', 'o', '.', '#' or '|', found {found:?}")]
    Symbol {
        /// The row.
        row: usize,
        /// The column's letter.
        column: char,
        /// What stands there.
        found: char,
    },
    /// A row that is longer or shorter than the first.
    #[error("row {row} has {found} squares, but the first row has {expected}")]
    Ragged {
        /// The row.
        row: usize,
        /// Its squares.
        found: usize,
        /// The squares of the first row.
        expected: usize,
    },
    /// A rectangle of a size that is not supported.
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl LocalPosition {
    /// The squares of a whole position, Black as Left.
    pub fn of(position: &Position) -> Self {
        Self {
            board: position.board(),
            left: position.amazons(Colour::Black),
            right: position.amazons(Colour::White),
            burned: position.setup().arrows,
        }
    }

    /// The position seen by the side to move: Left for Black, Right for White.
    pub fn with_turn(&self, turn: Colour) -> Bitboards<U512> {
        let (mover, opponent) = match turn {
            Colour::Black => (self.left, self.right),
            Colour::White => (self.right, self.left),
        };
        Bitboards { mover, opponent, arrows: self.burned }
    }

    fn symbol(&self, square: SquareIndex) -> char {
        match square {
            square if self.left.contains(square) => 'x',
            square if self.right.contains(square) => 'o',
            square if self.burned.contains(square) => '#',
            _ => '.',
        }
    }
}

impl fmt::Display for LocalPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..self.board.rows()).rev() {
            if rank + 1 < self.board.rows() {
                f.write_str("|")?;
            }
            for square in (0..self.board.columns()).filter_map(|file| self.board.square(file, rank))
            {
                write!(f, "{}", self.symbol(square))?;
            }
        }
        Ok(())
    }
}

impl FromStr for LocalPosition {
    type Err = RowsError;

    fn from_str(text: &str) -> Result<Self, RowsError> {
        if text.is_empty() {
            return Err(RowsError::Empty);
        }
        let rows: Vec<&str> = text.split('|').collect();
        for (index, row) in rows.iter().enumerate() {
            check_symbols(row, index + 1)?;
        }
        // Every symbol is one byte from here on.
        let expected = rows[0].len();
        if let Some(index) = rows.iter().position(|row| row.len() != expected) {
            return Err(RowsError::Ragged { row: index + 1, found: rows[index].len(), expected });
        }
        let board = Board::new(expected, rows.len())?;
        let symbols: Vec<u8> = rows.into_iter().rev().flat_map(str::bytes).collect();
        let all_with = |wanted: u8| -> Bitboard<U512> {
            board
                .all::<U512>()
                .iter()
                .filter(|s| symbols[s.index()].eq_ignore_ascii_case(&wanted))
                .collect()
        };
        Ok(Self { board, left: all_with(b'x'), right: all_with(b'o'), burned: all_with(b'#') })
    }
}

/// The first thing in a row that is no square, if it is among the squares that a board can have.
fn check_symbols(row: &str, number: usize) -> Result<(), RowsError> {
    match row.chars().enumerate().find(|(_, symbol)| !"xXoO.#".contains(*symbol)) {
        None => Ok(()),
        Some((column, found)) => {
            let column = file_letter(column.min(Board::MAX_SIDE as usize));
            Err(RowsError::Symbol { row: number, column, found })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{any_board, any_set};
    use proptest::prelude::*;

    #[test]
    fn known_rows_are_read() {
        let local: LocalPosition = "X..|.#.".parse().unwrap();
        assert_eq!(local.board, Board::new(3, 2).unwrap());
        assert_eq!(local.left, Bitboard::of(local.board.square(0, 1).unwrap()));
        assert_eq!(local.burned, Bitboard::of(local.board.square(1, 0).unwrap()));
        assert!(local.right.is_empty());
        assert_eq!(local.to_string(), "x..|.#.");
    }

    #[test]
    fn errors_say_what_was_found_and_where() {
        let cases = [
            ("", "found nothing"),
            ("x..|.?.", "row 2, column b: expected 'x', 'o', '.', '#' or '|', found '?'"),
            ("x..|..", "row 2 has 2 squares, but the first row has 3"),
            ("x..|", "row 2 has 0 squares"),
            ("|", "found 0x2"),
            (".....................", "found 21x1"),
            ("x..|.é.", "found 'é'"),
            ("......................?", "column u"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<LocalPosition>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn local_positions_round_trip(board in any_board(), sets in [any_set(), any_set(), any_set()]) {
            let [left, right, burned] = sets.map(|set| set & board.all());
            let right = right.without(left);
            let local = LocalPosition { board, left, right, burned: burned.without(left | right) };
            prop_assert_eq!(local.to_string().parse(), Ok(local));
            prop_assert_eq!(local.to_string().to_uppercase().parse(), Ok(local));
        }

        #[test]
        fn no_text_panics(any in "\\PC*", near in "[xo.#|]{0,60}") {
            let _ = any.parse::<LocalPosition>();
            if let Ok(local) = near.parse::<LocalPosition>() {
                prop_assert_eq!(local.to_string(), near);
            }
        }
    }
}
