//! Moves as text, in the four forms in use:
//!
//! | form | used by |
//! |---|---|
//! | `d1-d6/g9` | Wikipedia; the one this program writes |
//! | `g1-b6,c7` | chess-variant pages |
//! | `d1d6,d6g9` | Fairy-Stockfish: from-to, to-arrow |
//! | `d1d6g9` | SGF, `GM[18]` |
//!
//! Reading a move says nothing about its being legal: that is
//! [`Rules::check`](crate::game::rules::Rules::check).

use super::excerpt::excerpt;
use super::square::{SquareError, split_square, square_text};
use crate::game::board::{Board, SquareIndex};
use crate::game::rules::IndexedMove;

/// Why some text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Text of another form.
    #[error(
        "a move is written from-to/arrow, for example d1-d6/g9 (also d1-d6,g9, d1d6g9 or d1d6,d6g9), found {0}"
    )]
    Syntax(String),
    /// A square that the board does not have.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// `d1d6,c6g9`: the shot does not begin where the step ended.
    #[error("in {text} the shot starts on {shot}, but the step ends on {step}")]
    Shot {
        /// The move as it was written.
        text: String,
        /// Where the shot starts.
        shot: String,
        /// Where the step ends.
        step: String,
    },
}

/// The move as text, `d1-d6/g9`.
pub fn move_text(board: Board, played: IndexedMove) -> String {
    let [from, to, arrow] =
        [played.from, played.to, played.arrow].map(|square| square_text(board, square));
    format!("{from}-{to}/{arrow}")
}

/// Reads a move on `board` in any of the four forms.
///
/// # Errors
/// What the text is instead.
pub fn parse_move(board: Board, text: &str) -> Result<IndexedMove, MoveError> {
    let syntax = || MoveError::Syntax(excerpt(text));
    let (squares, separators) = squares(board, text)?.ok_or_else(syntax)?;
    match (&squares[..], separators.as_str()) {
        (&[from, to, arrow], "-/" | "-," | "") => Ok(IndexedMove { from, to, arrow }),
        (&[from, to, shot, arrow], ",") if shot == to => Ok(IndexedMove { from, to, arrow }),
        (&[_, to, shot, _], ",") => {
            let (shot, step) = (square_text(board, shot), square_text(board, to));
            Err(MoveError::Shot { text: text.to_string(), shot, step })
        }
        _ => Err(syntax()),
    }
}

/// The squares of a move and what stands between them, joined. `None` if there is anything else, or
/// if a comma between four squares is not in the middle.
fn squares(board: Board, text: &str) -> Result<Option<(Vec<SquareIndex>, String)>, SquareError> {
    let (mut squares, mut separators, mut rest) = (Vec::new(), String::new(), text);
    let mut breaks = 0u32;
    while let Some((square, after)) = split_square(board, rest)? {
        squares.push(square);
        rest = after;
        if rest.is_empty() {
            let in_place = match squares.len() {
                3 => breaks == 0b11 || breaks == 0,
                4 => breaks == 0b10,
                _ => false,
            };
            return Ok(in_place.then_some((squares, separators)));
        }
        if let Some(separator @ ('-' | '/' | ',')) = rest.chars().next() {
            separators.push(separator);
            breaks |= 1 << (squares.len() - 1);
            rest = &rest[1..];
        }
        if squares.len() == 4 {
            return Ok(None);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn all_four_forms_are_read() {
        let board = Board::new(10, 10).unwrap();
        for text in ["d1-d6/g9", "d1-d6,g9", "d1d6,d6g9", "d1d6g9"] {
            let played = parse_move(board, text).unwrap();
            assert_eq!(move_text(board, played), "d1-d6/g9");
        }
        assert_eq!(move_text(board, parse_move(board, "a10a1a10").unwrap()), "a10-a1/a10");
    }

    #[test]
    fn other_forms_are_refused() {
        let board = Board::new(4, 4).unwrap();
        for text in [
            "",
            "a1",
            "a1a2",
            "a1-a2",
            "a1/a2-a3",
            "a1-a2a3",
            "a1a2/a3",
            "a1,a2a2a3",
            "a1a2a2,a3",
            "a1a2a2a3",
            "a1-a2/a3/",
            "a1-a2/a3 ",
            "a1-a2-a3",
            "a1--a2/a3",
            "a1a2a3a4a1",
            "-a1a2a3",
            "A1-a2/a3",
            "a1-a2,a2a3",
            "é1a2a3",
        ] {
            assert!(matches!(parse_move(board, text), Err(MoveError::Syntax(_))), "{text:?}");
        }
        assert!(matches!(parse_move(board, "a1-a2/e5"), Err(MoveError::Square(_))));
        assert!(matches!(parse_move(board, "a1a2,a3a4"), Err(MoveError::Shot { .. })));
    }

    proptest! {
        #[test]
        fn moves_round_trip(columns in 1..=10usize, rows in 1..=10usize, numbers: [u8; 3]) {
            let board = Board::new(columns, rows).unwrap();
            let [from, to, arrow] = numbers.map(|number| SquareIndex::new(number % board.squares() as u8));
            let played = IndexedMove { from, to, arrow };
            let [f, t, a] = [from, to, arrow].map(|square| square_text(board, square));
            for text in [move_text(board, played), format!("{f}-{t},{a}"), format!("{f}{t},{t}{a}"), format!("{f}{t}{a}")] {
                prop_assert_eq!(parse_move(board, &text), Ok(played));
            }
        }

        #[test]
        fn no_text_panics(text in "\\PC*", other in "[a-k0-9,/-]{0,14}") {
            let board = Board::new(10, 7).unwrap();
            let _ = parse_move(board, &text);
            if let Ok(played) = parse_move(board, &other) {
                prop_assert_eq!(parse_move(board, &move_text(board, played)), Ok(played));
            }
        }
    }
}
