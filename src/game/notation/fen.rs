//! Positions as FEN, the form of Fairy-Stockfish and pyffish.
//!
//! ```text
//! 1qq1/q2q/Q2Q/1QQ1 w         ranks from the top, '/' between them, then the side to move
//!   Q white amazon   q black amazon   * burned   a number: so many empty squares (10 is one run)
//! ```
//!
//! The board's size is that of the text. A tail `- - 0 1` is read and forgotten.

use super::colour::letter;
use super::excerpt::excerpt;
use super::square::file_letter;
use crate::game::board::{Bitboard, Board, BoardError};
use crate::game::rules::{Colour, IllegalSetup, Position, Setup};

/// Why some text is not a position. Ranks are numbered as on the board, from 1 at the bottom.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// No text, or blanks only.
    #[error("expected a position such as \"1qq1/q2q/Q2Q/1QQ1 w\", found nothing")]
    Empty,
    /// A character that stands for nothing.
    #[error(
        "rank {rank}, file {file}: expected 'Q', 'q', '*', a number of empty squares or '/', found {found:?}"
    )]
    Symbol {
        /// The rank.
        rank: usize,
        /// The file's letter.
        file: char,
        /// What stands there.
        found: char,
    },
    /// A run of no squares, of more than ten, or with a leading zero.
    #[error("rank {rank}, file {file}: expected a run of 1 to 10 empty squares, found {found}")]
    Run {
        /// The rank.
        rank: usize,
        /// The file's letter.
        file: char,
        /// The number as it was written.
        found: String,
    },
    /// A rank that is longer or shorter than the first one written.
    #[error("rank {rank} has {found} squares, but rank {top} above it has {expected}")]
    Ragged {
        /// The rank.
        rank: usize,
        /// Its squares; if there are more than ten, eleven.
        found: usize,
        /// The top rank, which was written first.
        top: usize,
        /// Its squares.
        expected: usize,
    },
    /// A board of a size that is not supported.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Anything but `w` or `b` for the side to move.
    #[error("after the squares: expected the side to move, \"w\" or \"b\", found {0}")]
    Side(String),
    /// A tail that is not `- - 0 1`.
    #[error("after the side to move: expected the end or \"- - 0 1\", found {0}")]
    Tail(String),
    /// Squares that make no position.
    #[error(transparent)]
    Illegal(#[from] IllegalSetup),
}

/// The position as FEN, without a tail.
pub fn fen(position: &Position) -> String {
    let board = position.board();
    let ranks: Vec<String> =
        (0..board.rows()).rev().map(|rank| rank_text(position, rank)).collect();
    format!("{} {}", ranks.join("/"), letter(position.turn()))
}

fn rank_text(position: &Position, rank: usize) -> String {
    let (board, setup) = (position.board(), position.setup());
    let (mut text, mut run) = (String::new(), 0);
    let flush = |text: &mut String, run: &mut usize| {
        if *run > 0 {
            text.push_str(&run.to_string());
        }
        *run = 0;
    };
    for square in (0..board.columns()).filter_map(|file| board.square(file, rank)) {
        let found = [(setup.white, 'Q'), (setup.black, 'q'), (setup.arrows, '*')];
        match found.into_iter().find(|(set, _)| set.contains(square)) {
            None => run += 1,
            Some((_, symbol)) => {
                flush(&mut text, &mut run);
                text.push(symbol);
            }
        }
    }
    flush(&mut text, &mut run);
    text
}

/// Reads a position.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn parse_fen(text: &str) -> Result<Position, FenError> {
    let mut fields = text.split_ascii_whitespace();
    let ranks: Vec<&str> = fields.next().ok_or(FenError::Empty)?.split('/').collect();
    let side = fields.next();
    let turn = match side {
        Some("w") => Colour::White,
        Some("b") => Colour::Black,
        other => return Err(FenError::Side(other.map_or("nothing".to_string(), excerpt))),
    };
    let mut setup = squares(&ranks)?;
    setup.turn = turn;
    tail(&fields.collect::<Vec<_>>())?;
    Ok(setup.check()?)
}

fn tail(fields: &[&str]) -> Result<(), FenError> {
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match fields {
        [] => Ok(()),
        ["-", "-", half, full] if number(half) && number(full) => Ok(()),
        other => Err(FenError::Tail(excerpt(&other.join(" ")))),
    }
}

/// The squares that the ranks describe, the top one first; White to move until somebody says
/// otherwise.
fn squares(ranks: &[&str]) -> Result<Setup, FenError> {
    let parsed = |(index, text): (usize, &&str)| parse_rank(text, ranks.len() - index);
    let ranks: Vec<Vec<Contents>> =
        ranks.iter().enumerate().map(parsed).collect::<Result<_, _>>()?;
    let (top, expected) = (ranks.len(), ranks[0].len());
    if let Some(index) = ranks.iter().position(|rank| rank.len() != expected) {
        return Err(FenError::Ragged {
            rank: top - index,
            found: ranks[index].len(),
            top,
            expected,
        });
    }
    let board = Board::new(expected, top)?;
    let contents: Vec<Contents> = ranks.into_iter().rev().flatten().collect();
    let all_with = |wanted: Contents| -> Bitboard<u128> {
        board.all::<u128>().iter().filter(|square| contents[square.index()] == wanted).collect()
    };
    let (white, black) = (all_with(Contents::White), all_with(Contents::Black));
    Ok(Setup { board, white, black, arrows: all_with(Contents::Burned), turn: Colour::White })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Contents {
    Empty,
    White,
    Black,
    Burned,
}

/// The squares of one rank from the left; of a rank that is too long, the first eleven.
fn parse_rank(text: &str, rank: usize) -> Result<Vec<Contents>, FenError> {
    let most = Board::MAX_SIDE as usize;
    let (mut squares, mut rest) = (Vec::new(), text);
    while let Some(symbol) = rest.chars().next().filter(|_| squares.len() <= most) {
        let file = file_letter(squares.len());
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (taken, count, contents) = match symbol {
            'Q' => (1, 1, Contents::White),
            'q' => (1, 1, Contents::Black),
            '*' => (1, 1, Contents::Burned),
            '0'..='9' => {
                let run = run_length(&rest[..digits]);
                let error = || FenError::Run { rank, file, found: excerpt(&rest[..digits]) };
                (digits, run.ok_or_else(error)?, Contents::Empty)
            }
            found => return Err(FenError::Symbol { rank, file, found }),
        };
        squares.extend(std::iter::repeat_n(contents, count));
        rest = &rest[taken..];
    }
    squares.truncate(most + 1);
    Ok(squares)
}

/// 1 to 10 without a leading zero.
fn run_length(digits: &str) -> Option<usize> {
    let plain = digits.len() <= 2 && !digits.starts_with('0');
    digits.parse().ok().filter(|run| plain && *run <= Board::MAX_SIDE as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules;
    use proptest::prelude::*;

    #[test]
    fn starts_are_written_as_the_literature_does() {
        let known = [
            ("4x4", "1qq1/q2q/Q2Q/1QQ1 w"),
            ("4x5", "1qq1/q2q/4/Q2Q/1QQ1 w"),
            ("6x6", "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w"),
            ("10x10", "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w"),
        ];
        for (board, text) in known {
            let start = rules::start(board.parse().unwrap()).unwrap();
            assert_eq!(fen(&start), text);
            assert_eq!(parse_fen(text), Ok(start));
            assert_eq!(parse_fen(&format!(" {text}  - - 0 1\n")), Ok(start));
        }
    }

    #[test]
    fn errors_say_what_was_found_and_where() {
        let cases = [
            ("", "found nothing"),
            ("1qq1/q2q/Q2Q/1QQ1", "expected the side to move, \"w\" or \"b\", found nothing"),
            ("1qq1/q2q/Q2Q/1QQ1 white", "found \"white\""),
            ("1qq1/q2x/Q2Q/1QQ1 w", "rank 3, file d: expected 'Q', 'q', '*'"),
            ("1qq1/q2q/Q2/1QQ1 w", "rank 2 has 3 squares, but rank 4 above it has 4"),
            (
                "1qq1/q2q/Q0Q/1QQ1 w",
                "rank 2, file b: expected a run of 1 to 10 empty squares, found \"0\"",
            ),
            ("1qq1/q11q/4/4 w", "found \"11\""),
            ("1qq1/q02q/4/4 w", "found \"02\""),
            ("10Q/10q w", "found 11x2"),
            ("Q/1/1/1/1/1/1/1/1/1/1 w", "found 1x11"),
            ("4//4 w", "rank 2 has 0 squares"),
            ("//Q w", "rank 1 has 1 squares"),
            ("4/4 w", "no amazon"),
            ("Q3/4 w KQkq - 0 1", "expected the end or \"- - 0 1\", found \"KQkq - 0 1\""),
            ("Q3/4 w - -", "expected the end"),
            ("Qé2/4 w", "found 'é'"),
        ];
        for (text, expected) in cases {
            let error = parse_fen(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn positions_round_trip(
            columns in 1..=10usize, rows in 1..=10usize, sets: [u128; 3], rare: u128, white: bool,
        ) {
            let board = Board::new(columns, rows).unwrap();
            let all = board.all::<u128>();
            let white_squares = Bitboard::from_word(sets[0] & rare) & all;
            let black = (Bitboard::from_word(sets[1] & rare) & all).without(white_squares);
            let arrows = (Bitboard::from_word(sets[2]) & all).without(white_squares | black);
            let turn = if white { Colour::White } else { Colour::Black };
            if let Ok(position) = (Setup { board, white: white_squares, black, arrows, turn }).check() {
                prop_assert_eq!(parse_fen(&fen(&position)), Ok(position));
            }
        }

        #[test]
        fn no_text_panics(any in "\\PC*", near in "[Qq*0-9/]{0,40} [wb]( - - [0-9]{1,3} 1)?") {
            let _ = parse_fen(&any);
            if let Ok(position) = parse_fen(&near) {
                prop_assert_eq!(parse_fen(&fen(&position)), Ok(position));
            }
        }
    }
}
