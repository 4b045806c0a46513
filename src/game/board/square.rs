//! A square by its name: file and rank, without a board.
//!
//! Files are letters from `a`, ranks are numbers from 1 at the bottom, so `b1` stands in the second
//! file of the lowest rank. The largest board is 20x20, so every square lies on files a-t and ranks
//! 1-20. Whether a square is on a given board, [`Square::on`] says.

use std::fmt;
use std::str::FromStr;

use super::{Board, SquareIndex};
use crate::game::excerpt::excerpt;

/// A square, ordered rank by rank from a1, as the squares of every board are numbered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square {
    // The order of the fields is the order of squares.
    rank: u8,
    file: u8,
}

/// Why something is not a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SquareError {
    /// Text of another form.
    #[error("a square is written file then rank, for example b3, found {0}")]
    Syntax(String),
    /// A square that no board has.
    #[error("square {square} is on no board: files are a-{last} and ranks 1-{most}",
        last = file_letter(Board::MAX_SIDE as usize - 1), most = Board::MAX_SIDE)]
    OffEveryBoard {
        /// The square as it was written.
        square: String,
    },
    /// A square that this board does not have.
    #[error("square {square} is not on {board}, whose files are a-{last} and ranks 1-{rows}",
        last = file_letter(board.columns() - 1), rows = board.rows())]
    OffBoard {
        /// The square as it was written.
        square: String,
        /// The board.
        board: Board,
    },
    /// A number of a square that this board does not have.
    #[error("{board} has no square with the number {index}: its squares are numbered from 0 to {last}",
        last = board.squares() - 1)]
    Index {
        /// The number.
        index: usize,
        /// The board.
        board: Board,
    },
}

impl Square {
    /// The square on a file and a rank, both counted from 0; `None` if no board has it.
    pub fn new(file: usize, rank: usize) -> Option<Self> {
        let most = Board::MAX_SIDE as usize;
        (file < most && rank < most).then_some(Self { rank: rank as u8, file: file as u8 })
    }

    /// The file, from 0 for `a`.
    pub fn file(self) -> usize {
        self.file.into()
    }

    /// The rank, from 0 for `1`.
    pub fn rank(self) -> usize {
        self.rank.into()
    }

    /// Its number on a board.
    ///
    /// # Errors
    /// [`SquareError::OffBoard`] if the board does not have it.
    pub fn on(self, board: Board) -> Result<SquareIndex, SquareError> {
        let off_board = || SquareError::OffBoard { square: self.to_string(), board };
        board.square(self.file(), self.rank()).ok_or_else(off_board)
    }

    /// The square with a number on a board.
    ///
    /// # Errors
    /// [`SquareError::Index`] if the board does not have it.
    pub fn of(board: Board, square: SquareIndex) -> Result<Self, SquareError> {
        let found = Self::new(board.file(square), board.rank(square));
        let found = found.filter(|_| square.index() < board.squares());
        found.ok_or(SquareError::Index { index: square.index(), board })
    }
}

/// The letter of a file counted from 0.
pub(in crate::game) fn file_letter(file: usize) -> char {
    char::from(b'a' + file as u8)
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", file_letter(self.file()), self.rank + 1)
    }
}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        let syntax = || SquareError::Syntax(excerpt(text));
        let (square, rest) = split_square(text)?.ok_or_else(syntax)?;
        if rest.is_empty() { Ok(square) } else { Err(syntax()) }
    }
}

/// Cuts a square off the front of `text`: a small letter and all digits after it. `None` if `text`
/// does not begin with such a thing.
pub(in crate::game) fn split_square(text: &str) -> Result<Option<(Square, &str)>, SquareError> {
    let Some(letter) = text.bytes().next().filter(u8::is_ascii_lowercase) else { return Ok(None) };
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let (square, rest) = text.split_at(1 + digits);
    if digits == 0 || square.as_bytes()[1] == b'0' {
        return Ok(None);
    }
    // A rank too long for an integer is on no board either.
    let rank: usize = square[1..].parse().unwrap_or(usize::MAX);
    let off_every_board = || SquareError::OffEveryBoard { square: cut(square) };
    let found = Square::new((letter - b'a').into(), rank - 1).ok_or_else(off_every_board)?;
    Ok(Some((found, rest)))
}

/// At most eight characters of a square, which is ASCII.
fn cut(square: &str) -> String {
    if square.len() <= 8 { square.to_string() } else { format!("{}...", &square[..8]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::U512;

    #[test]
    fn squares_round_trip_on_every_board_in_the_order_of_their_numbers() {
        for (columns, rows) in (1..=20).flat_map(|c| (1..=20).map(move |r| (c, r))) {
            let board = Board::new(columns, rows).unwrap();
            let numbers: Vec<SquareIndex> = board.all::<U512>().iter().collect();
            let squares: Vec<Square> =
                numbers.iter().map(|&number| Square::of(board, number).unwrap()).collect();
            assert!(squares.is_sorted());
            for (square, number) in squares.into_iter().zip(numbers) {
                assert_eq!(square.to_string().parse(), Ok(square));
                assert_eq!(square.on(board), Ok(number));
            }
        }
    }

    #[test]
    fn a_square_of_another_board_is_refused_with_the_board() {
        let board = Board::new(4, 5).unwrap();
        let error = |text: &str| text.parse::<Square>().unwrap().on(board).unwrap_err().to_string();
        assert_eq!(error("e1"), "square e1 is not on 4x5, whose files are a-d and ranks 1-5");
        assert_eq!(error("a6"), "square a6 is not on 4x5, whose files are a-d and ranks 1-5");
        assert_eq!(
            Square::of(board, SquareIndex::new(20)),
            Err(SquareError::Index { index: 20, board })
        );
    }

    #[test]
    fn what_is_not_a_square_is_refused() {
        for text in ["", "a", "1a", "A1", "a0", "a01", "a1 ", "ä1", "a1b"] {
            assert!(matches!(text.parse::<Square>(), Err(SquareError::Syntax(_))), "{text:?}");
        }
        for text in ["u1", "a21", "a99999999999999999999"] {
            let found = text.parse::<Square>();
            assert!(matches!(found, Err(SquareError::OffEveryBoard { .. })), "{text:?}");
        }
        assert_eq!("t20".parse(), Ok(Square::new(19, 19).unwrap()));
    }
}
