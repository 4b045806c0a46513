//! Squares of a board as text, by their numbers; [`Square`] has the form.

pub(super) use crate::game::board::square::file_letter;
use crate::game::board::{Board, SquareIndex};
use crate::game::{Square, SquareError};

/// The square as text, `d6`.
///
/// # Panics
/// If the square is not on the board.
pub fn square_text(board: Board, square: SquareIndex) -> String {
    Square::of(board, square).expect("a square of the board").to_string()
}

/// Reads a square of `board`.
///
/// # Errors
/// What the text is instead.
pub fn parse_square(board: Board, text: &str) -> Result<SquareIndex, SquareError> {
    text.parse::<Square>().map_err(|error| named_board(error, board))?.on(board)
}

/// The error of a square that is on no board, for somebody who has one board in mind.
pub(super) fn named_board(error: SquareError, board: Board) -> SquareError {
    match error {
        SquareError::OffEveryBoard { square } => SquareError::OffBoard { square, board },
        error => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_board() {
        let board = Board::new(4, 5).unwrap();
        for text in ["e1", "a6", "k1", "a99999999999999999999"] {
            let error = parse_square(board, text).unwrap_err().to_string();
            assert!(error.ends_with("is not on 4x5, whose files are a-d and ranks 1-5"), "{error}");
        }
    }
}
