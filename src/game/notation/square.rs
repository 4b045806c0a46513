//! Squares as text: the file's letter from `a`, then the rank's number from 1.

use super::excerpt::excerpt;
use crate::game::board::{Board, SquareIndex};

/// Why some text is not a square of the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SquareError {
    /// Text of another form.
    #[error("a square is written file then rank, for example b3, found {0}")]
    Syntax(String),
    /// A square that the board does not have.
    #[error("square {square} is not on {board}, whose files are a-{last} and ranks 1-{rows}",
        last = file_letter(board.columns() - 1), rows = board.rows())]
    OffBoard {
        /// The square as it was written.
        square: String,
        /// The board.
        board: Board,
    },
}

/// The letter of a file counted from 0.
pub(super) fn file_letter(file: usize) -> char {
    char::from(b'a' + file as u8)
}

/// The square as text, `d6`.
pub fn square_text(board: Board, square: SquareIndex) -> String {
    format!("{}{}", file_letter(board.file(square)), board.rank(square) + 1)
}

/// Reads a square of `board`.
///
/// # Errors
/// What the text is instead.
pub fn parse_square(board: Board, text: &str) -> Result<SquareIndex, SquareError> {
    let syntax = || SquareError::Syntax(excerpt(text));
    let (square, rest) = split_square(board, text)?.ok_or_else(syntax)?;
    if rest.is_empty() { Ok(square) } else { Err(syntax()) }
}

/// Cuts a square off the front of `text`: a small letter and all digits after it. `None` if `text`
/// does not begin with such a thing.
pub(super) fn split_square(
    board: Board,
    text: &str,
) -> Result<Option<(SquareIndex, &str)>, SquareError> {
    let Some(letter) = text.bytes().next().filter(u8::is_ascii_lowercase) else { return Ok(None) };
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let (square, rest) = text.split_at(1 + digits);
    if digits == 0 || square.as_bytes()[1] == b'0' {
        return Ok(None);
    }
    // A rank too long for an integer is not on the board either.
    let rank = square[1..].parse().unwrap_or(usize::MAX);
    match board.square((letter - b'a') as usize, rank - 1) {
        Some(found) => Ok(Some((found, rest))),
        None => Err(SquareError::OffBoard { square: cut(square), board }),
    }
}

/// At most eight characters of a square, which is ASCII.
fn cut(square: &str) -> String {
    if square.len() <= 8 { square.to_string() } else { format!("{}...", &square[..8]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_round_trip_on_every_board() {
        for (columns, rows) in (1..=10).flat_map(|c| (1..=10).map(move |r| (c, r))) {
            let board = Board::new(columns, rows).unwrap();
            for square in board.all::<u128>() {
                assert_eq!(parse_square(board, &square_text(board, square)), Ok(square));
            }
        }
    }

    #[test]
    fn what_is_not_a_square_is_refused() {
        let board = Board::new(4, 5).unwrap();
        for text in [
            "",
            "a",
            "1a",
            "A1",
            "a0",
            "a01",
            "e1",
            "a6",
            "a99999999999999999999",
            "a1 ",
            "ä1",
            "a1b",
        ] {
            assert!(parse_square(board, text).is_err(), "{text:?} was accepted");
        }
        let error = parse_square(board, "e1").unwrap_err().to_string();
        assert_eq!(error, "square e1 is not on 4x5, whose files are a-d and ranks 1-5");
    }
}
