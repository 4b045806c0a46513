//! Moves as text, played in a position; an illegal one is refused with the squares that forbid it.

use super::moves::{MoveError, move_text, parse_move};
use super::square::square_text;
use crate::game::board::Board;
use crate::game::rules::{IllegalMove, IndexedMove, Position, Rules};

/// Why some text is not a move that can be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// Text that is not a move on this board.
    #[error(transparent)]
    Text(#[from] MoveError),
    /// A move that the rules forbid.
    #[error("{played} is illegal: {why}")]
    Illegal {
        /// The move.
        played: String,
        /// Why, in words, with its squares.
        why: String,
    },
}

/// Reads a move in any of the four forms and plays it: the move and the position after it.
///
/// # Errors
/// Why there is no such move.
pub fn play_text(position: &Position, text: &str) -> Result<(IndexedMove, Position), PlayError> {
    let board = position.board();
    let played = parse_move(board, text.trim())?;
    let illegal = |why: String| PlayError::Illegal { played: move_text(board, played), why };
    let rules = Rules::<u128>::new(board).map_err(|error| illegal(error.to_string()))?;
    let plain = position.bitboards().ok_or_else(|| illegal(format!("{board} is too large")))?;
    let after =
        rules.play(&plain, played).map_err(|reason| illegal(why(position, played, reason)))?;
    let after = Position::new(board, &after, position.turn().other());
    Ok((played, after.map_err(|error| illegal(error.to_string()))?))
}

/// The reason in words.
fn why(position: &Position, played: IndexedMove, reason: IllegalMove) -> String {
    let board: Board = position.board();
    let [from, to, arrow] =
        [played.from, played.to, played.arrow].map(|square| square_text(board, square));
    match reason {
        IllegalMove::OffBoard => reason.to_string(),
        IllegalMove::NoAmazon => format!("{} to move has no amazon on {from}", position.turn()),
        IllegalMove::Step => {
            format!("the amazon on {from} has no queen move over empty squares to {to}")
        }
        IllegalMove::Shot => format!("from {to} there is no shot over empty squares to {arrow}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::{fen, parse_fen};

    #[test]
    fn a_legal_move_is_played() {
        let start = parse_fen("1q1q1/q3q/5/Q3Q/1Q1Q1 w").unwrap();
        let (_, after) = play_text(&start, "b1-b3/d3").unwrap();
        assert_eq!(fen(&after), "1q1q1/q3q/1Q1*1/Q3Q/3Q1 b");
        let (_, back) = play_text(&after, " b5b4b5 ").unwrap();
        assert_eq!(fen(&back), "1*1q1/qq2q/1Q1*1/Q3Q/3Q1 w");
    }

    #[test]
    fn an_illegal_move_is_refused_with_the_reason() {
        let start = parse_fen("1q1q1/q3q/5/Q3Q/1Q1Q1 w").unwrap();
        let cases = [
            ("b5-b4/b5", "b5-b4/b5 is illegal: white to move has no amazon on b5"),
            ("b1-b5/a1", "the amazon on b1 has no queen move over empty squares to b5"),
            ("b1-c3/a1", "the amazon on b1 has no queen move over empty squares to c3"),
            ("b1-b3/b5", "from b3 there is no shot over empty squares to b5"),
            ("b1-b3/f6", "square f6 is not on 5x5"),
            ("b1-b3", "a move is written from-to/arrow"),
        ];
        for (text, expected) in cases {
            let error = play_text(&start, text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
