//! Moves on a board as text, by the numbers of their squares; [`Move`] has the forms.

use super::square::named_board;
use crate::game::board::Board;
use crate::game::rules::IndexedMove;
use crate::game::{Move, MoveError};

/// The move as text, `d1-d6/g9`.
///
/// # Panics
/// If a square is not on the board.
pub fn move_text(board: Board, played: IndexedMove) -> String {
    Move::of(board, played).expect("a move of the board").to_string()
}

/// Reads a move on `board` in any form ([`Move`]).
///
/// # Errors
/// What the text is instead.
pub fn parse_move(board: Board, text: &str) -> Result<IndexedMove, MoveError> {
    let played = text.parse::<Move>().map_err(|error| match error {
        MoveError::Square(error) => MoveError::Square(named_board(error, board)),
        error => error,
    });
    Ok(played?.on(board)?)
}
