//! Points and moves of `GM[18]`, in the two forms in use.
//!
//! | form | point | move | ranks are counted |
//! |---|---|---|---|
//! | [`Style::Points`]: FF\[4\] itself | `dj` | `djddgd` | from the top, `a` first |
//! | [`Style::Algebraic`] | `d1` | `d1d7g7` | from the bottom, `1` first |
//!
//! No text is both: a point of FF\[4\] has no digit. A list of points may have rectangles, `aa:cb`,
//! from the upper left corner to the lower right one.

use super::super::moves::{move_text, parse_move};
use super::super::square::{file_letter, parse_square, square_text};
use super::value::Value;
use crate::game::board::{Bitboard, Board, SquareIndex, U512};
use crate::game::rules::IndexedMove;

/// How points and moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// As FF\[4\] says: two letters a point.
    #[default]
    Points,
    /// As in all other notations here: a letter and a number.
    Algebraic,
}

impl Style {
    /// The style of a move.
    pub(super) fn of_move(text: &str) -> Self {
        if text.bytes().any(|byte| byte.is_ascii_digit()) { Self::Algebraic } else { Self::Points }
    }

    /// A square as a point.
    pub(super) fn point(self, board: Board, square: SquareIndex) -> String {
        match self {
            Self::Algebraic => square_text(board, square),
            Self::Points => {
                let from_top = board.rows() - 1 - board.rank(square);
                [file_letter(board.file(square)), file_letter(from_top)].iter().collect()
            }
        }
    }

    /// A move as the value of `B` or `W`.
    pub(super) fn played(self, board: Board, played: IndexedMove) -> Value {
        let squares = [played.from, played.to, played.arrow];
        Value::of_text(&squares.map(|square| self.point(board, square)).concat())
    }

    /// A set as a list of points, without rectangles.
    pub(super) fn list(self, board: Board, set: Bitboard<U512>) -> Vec<Value> {
        set.iter().map(|square| Value::of_text(&self.point(board, square))).collect()
    }
}

/// A move in the form that every parser of moves here reads, `None` if the text has another one
/// already.
pub(super) fn algebraic(board: Board, text: &str) -> Option<String> {
    let letters = text.as_bytes();
    if letters.len() != 6 || !text.is_ascii() {
        return None;
    }
    let square = |at: usize| point(board, &text[at..at + 2]);
    let (from, to, arrow) = (square(0)?, square(2)?, square(4)?);
    Some(move_text(board, IndexedMove { from, to, arrow }))
}

/// The square that a move begins on, if it is a move.
pub(super) fn origin(board: Board, text: &str) -> Option<SquareIndex> {
    let text = text.trim();
    let plain = algebraic(board, text);
    parse_move(board, plain.as_deref().unwrap_or(text)).ok().map(|played| played.from)
}

/// The squares of one value of a list: a point or a rectangle of points.
pub(super) fn squares(board: Board, value: &Value) -> Option<Bitboard<U512>> {
    let Some((first, second)) = value.halves() else {
        return square(board, &value.simple_text()).map(Bitboard::of);
    };
    let (left, right) =
        (square(board, &first.simple_text())?, square(board, &second.simple_text())?);
    let (files, ranks) =
        (board.file(left)..=board.file(right), board.rank(right)..=board.rank(left));
    let inside = |&square: &SquareIndex| {
        files.contains(&board.file(square)) && ranks.contains(&board.rank(square))
    };
    let set: Bitboard<U512> = board.all::<U512>().iter().filter(inside).collect();
    (!set.is_empty()).then_some(set)
}

fn square(board: Board, text: &str) -> Option<SquareIndex> {
    let text = text.trim();
    point(board, text).or_else(|| parse_square(board, text).ok())
}

/// A point of FF\[4\].
fn point(board: Board, text: &str) -> Option<SquareIndex> {
    let &[file, rank] = text.as_bytes() else { return None };
    if !file.is_ascii_lowercase() || !rank.is_ascii_lowercase() {
        return None;
    }
    board.square((file - b'a').into(), board.rows().checked_sub(1 + usize::from(rank - b'a'))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_name_every_square() {
        for (columns, rows) in [(10, 10), (4, 5), (5, 4), (1, 1), (20, 20)] {
            let board = Board::new(columns, rows).unwrap();
            for square in board.all::<U512>() {
                for style in [Style::Points, Style::Algebraic] {
                    let text = Value::of_text(&style.point(board, square));
                    assert_eq!(squares(board, &text), Some(Bitboard::of(square)));
                }
            }
        }
    }

    #[test]
    fn the_example_of_the_format_is_read() {
        let board = Board::new(10, 10).unwrap();
        assert_eq!(algebraic(board, "djddgd").as_deref(), Some("d1-d7/g7"));
        assert_eq!(algebraic(board, "addgad").as_deref(), Some("a7-d4/a7"));
        for other in ["d1d7g7", "djddgk", "djdd", "djddgdgd", "DJDDGD", "éédd"] {
            assert_eq!(algebraic(board, other), None, "{other}");
        }
    }

    #[test]
    fn rectangles_go_from_the_upper_left_to_the_lower_right() {
        let board = Board::new(4, 4).unwrap();
        let set = |raw: &str| {
            squares(board, &Value::of_raw(raw)).map(|set| Style::Points.list(board, set))
        };
        let texts =
            |raw: &str| set(raw).unwrap().iter().map(Value::text).collect::<Vec<_>>().join(" ");
        assert_eq!(texts("bb:cc"), "bc cc bb cb");
        assert_eq!(texts("b3:c2"), "bc cc bb cb");
        assert_eq!(texts("aa:aa"), "aa");
        for wrong in ["cc:bb", "aa:ee", "aa:", ":", "aa:bb:cc", "", "e1", "ae", "ea", "a"] {
            assert_eq!(set(wrong), None, "{wrong}");
        }
    }
}
