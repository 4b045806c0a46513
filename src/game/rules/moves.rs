//! A move by the names of its squares, without a board.
//!
//! The first of these forms of text is written, all are read:
//!
//! | form | used by |
//! |---|---|
//! | `d1-d6/g9` | Wikipedia; the one this library writes |
//! | `g1-b6,c7` | chess-variant pages |
//! | `d1d6,d6g9` | Fairy-Stockfish: from-to, to-arrow |
//! | `d1d6g9` | SGF, `GM[18]` |
//! | `D1-D6-G9` | GGF, of the Generic Game Server |
//! | `d1-d6(g9)`, `d1-d6xg9` | game servers |
//! | `d1d6pg9`, `d1d6,P@g9` | older Fairy-Stockfish, where an arrow is a pawn that is dropped |
//!
//! So a move is a step and a shot. The squares of the step have nothing or a dash between them,
//! also a long one; the shot has its origin or not, and one of the marks above, or nothing, before
//! it. Capitals are read as small letters.
//!
//! A move need not be legal: that depends on a position, see
//! [`Position::play`](crate::game::Position::play).

use std::fmt;
use std::str::FromStr;

use super::IndexedMove;
use crate::game::board::Board;
use crate::game::board::square::{Square, SquareError, split_square};
use crate::game::excerpt::excerpt;

/// A move: the amazon on `from` steps to `to` and burns `arrow`. Moves are ordered by origin, then
/// destination, then arrow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// Where the amazon stood.
    pub from: Square,
    /// Where it stands now.
    pub to: Square,
    /// The square it burned.
    pub arrow: Square,
}

/// Why something is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
        shot: Square,
        /// Where the step ends.
        step: Square,
    },
}

impl Move {
    /// The move with the numbers that its squares have on a board.
    ///
    /// # Errors
    /// [`SquareError::OffBoard`] with the first square that the board does not have.
    pub fn on(self, board: Board) -> Result<IndexedMove, SquareError> {
        let Self { from, to, arrow } = self;
        Ok(IndexedMove { from: from.on(board)?, to: to.on(board)?, arrow: arrow.on(board)? })
    }

    /// The move whose squares have these numbers on a board.
    ///
    /// # Errors
    /// [`SquareError::Index`] with the first number that the board does not have.
    pub fn of(board: Board, played: IndexedMove) -> Result<Self, SquareError> {
        let IndexedMove { from, to, arrow } = played;
        let square = |number| Square::of(board, number);
        Ok(Self { from: square(from)?, to: square(to)?, arrow: square(arrow)? })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}/{}", self.from, self.to, self.arrow)
    }
}

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let syntax = || MoveError::Syntax(excerpt(text));
        let small = text.to_ascii_lowercase();
        let parts = parts(&small)?.ok_or_else(syntax)?;
        let (squares, [step, shot, second, end]) = (&parts.squares[..], parts.marks);
        let closed = matches!((shot, end), ("(", ")")) || (shot != "(" && end.is_empty());
        if !is_step(step) || !is_shot(shot) || !closed {
            return Err(syntax());
        }
        match *squares {
            [from, to, arrow] => Ok(Self { from, to, arrow }),
            [from, to, origin, arrow] if origin == to && is_step(second) => {
                Ok(Self { from, to, arrow })
            }
            [_, step, shot, _] if is_step(second) => {
                Err(MoveError::Shot { text: excerpt(text), shot, step })
            }
            _ => Err(syntax()),
        }
    }
}

/// Whether this may stand between the squares of a step.
pub(in crate::game) fn is_step(mark: &str) -> bool {
    matches!(mark, "" | "-" | "–" | "—")
}

/// Whether this may stand between a step and its shot, in small letters.
pub(in crate::game) fn is_shot(mark: &str) -> bool {
    matches!(mark, "" | "-" | "–" | "—" | "/" | "," | "(" | "x" | "p" | "p@" | ",p@" | "/p@")
}

/// The marks there are, those that begin others after them.
const MARKS: [&str; 12] = ["-", "–", "—", "/p@", ",p@", "p@", "p", "/", ",", "x", "(", ")"];

/// The three or four squares of a move and what stands after each of them: the last mark is that
/// after the last square.
struct Parts<'a> {
    squares: Vec<Square>,
    marks: [&'a str; 4],
}

/// The parts of a text, `None` if it has others.
fn parts(text: &str) -> Result<Option<Parts<'_>>, SquareError> {
    let (mut squares, mut marks, mut rest) = (Vec::new(), [""; 4], text);
    while let Some((square, after)) = split_square(rest)? {
        // A letter before a digit is a square.
        let is_mark = |mark: &&str| {
            let after = after.strip_prefix(*mark);
            after.is_some_and(|after| !after.starts_with(|next: char| next.is_ascii_digit()))
        };
        let mark = MARKS.into_iter().find(is_mark).unwrap_or("");
        squares.push(square);
        rest = &after[mark.len()..];
        match (squares.len(), rest) {
            (3 | 4, "") => {
                marks[3] = mark;
                return Ok(Some(Parts { squares, marks }));
            }
            (1..=3, _) => marks[squares.len() - 1] = mark,
            _ => return Ok(None),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::any_board;
    use proptest::prelude::*;

    #[test]
    fn all_forms_are_read() {
        for text in [
            "d1-d6/g9",
            "d1-d6,g9",
            "d1d6,d6g9",
            "d1d6g9",
            "D1-D6-G9",
            "d1-d6(g9)",
            "D1–D6xG9",
            "d1d6,g9",
            "d1d6pg9",
            "d1d6P@g9",
            "d1d6,P@g9",
            "d1-d6/d6-g9",
            "d1d6d6g9",
        ] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), "d1-d6/g9", "{text}");
        }
        assert_eq!("a10a1a10".parse::<Move>().unwrap().to_string(), "a10-a1/a10");
        assert_eq!("j10-j1,a1".parse::<Move>().unwrap().to_string(), "j10-j1/a1");
    }

    #[test]
    fn other_forms_are_refused() {
        for text in [
            "",
            "a1",
            "a1a2",
            "a1-a2",
            "a1/a2-a3",
            "a1,a2a2a3",
            "a1a2a2,a3",
            "a1-a2/a3/",
            "a1-a2/a3 ",
            "a1--a2/a3",
            "a1a2a3a4a1",
            "a1a2a2a4a1",
            "-a1a2a3",
            "a1-a2(a3",
            "a1-a2/a3)",
            "a1-a2((a3)",
            "a1xa2-a3",
            "a1-a2@a3",
            "é1a2a3",
        ] {
            assert!(matches!(text.parse::<Move>(), Err(MoveError::Syntax(_))), "{text:?}");
        }
        assert!(matches!("a1-a2/u5".parse::<Move>(), Err(MoveError::Square(_))));
        assert!(matches!("a1-a2x9".parse::<Move>(), Err(MoveError::Square(_))));
        assert_eq!("t20-t1,a20".parse::<Move>().unwrap().to_string(), "t20-t1/a20");
        assert!(matches!("a1a2,a3a4".parse::<Move>(), Err(MoveError::Shot { .. })));
    }

    proptest! {
        #[test]
        fn moves_round_trip_on_every_board(
            board in any_board(), numbers: [u16; 3],
        ) {
            let squares = board.squares() as u16;
            let [from, to, arrow] = numbers.map(|number| crate::game::board::SquareIndex::new(number % squares));
            let indexed = IndexedMove { from, to, arrow };
            let played = Move::of(board, indexed).unwrap();
            let Move { from: f, to: t, arrow: a } = played;
            for text in [played.to_string(), format!("{f}-{t},{a}"), format!("{f}{t},{t}{a}"), format!("{f}{t}{a}")] {
                prop_assert_eq!(text.parse::<Move>(), Ok(played));
                prop_assert_eq!(text.parse::<Move>().unwrap().on(board), Ok(indexed));
            }
        }

        #[test]
        fn no_text_panics(text in "\\PC*", other in "[a-kxpP@0-9,/()-]{0,14}") {
            let _ = text.parse::<Move>();
            if let Ok(played) = other.parse::<Move>() {
                prop_assert_eq!(played.to_string().parse(), Ok(played));
            }
        }
    }
}
