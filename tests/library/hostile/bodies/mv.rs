//! Moves and squares.

use amazons::game::board::Board;
use amazons::game::notation::{move_text, parse_move, parse_square};

/// A move that is read can be written and read again. The first two bytes choose the board.
pub fn mv(bytes: &[u8]) {
    let &[columns, rows, ref text @ ..] = bytes else { return };
    let board =
        Board::new(columns as usize % 10 + 1, rows as usize % 10 + 1).expect("sides from 1 to 10");
    let text = String::from_utf8_lossy(text);
    let _ = parse_square(board, &text);
    if let Ok(played) = parse_move(board, &text) {
        assert_eq!(parse_move(board, &move_text(board, played)), Ok(played));
    }
}
