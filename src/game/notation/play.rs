//! Moves as text, played in a position.

use super::moves::parse_move;
use crate::game::PlayError;
use crate::game::rules::{IndexedMove, Position};

/// Reads a move in any form ([`Move`](crate::game::Move)) and plays it: the move and the position
/// after it.
///
/// # Errors
/// Why there is no such move.
pub fn play_text(position: &Position, text: &str) -> Result<(IndexedMove, Position), PlayError> {
    let played = parse_move(position.board(), text.trim())?;
    Ok((played, position.play_indexed(played)?))
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
        let error = play_text(&start, "b1-b3").unwrap_err().to_string();
        assert!(error.contains("a move is written from-to/arrow"), "{error}");
        let error = play_text(&start, "b1-b3/k6").unwrap_err().to_string();
        assert!(error.contains("square k6 is not on 5x5"), "{error}");
    }
}
