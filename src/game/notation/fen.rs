//! Positions as FEN, the form of Fairy-Stockfish and pyffish.
//!
//! ```text
//! 1qq1/q2q/Q2Q/1QQ1 w         ranks from the top, '/' between them, then the side to move
//!   Q white amazon   q black amazon   * burned   a number: so many empty squares (12 is one run)
//! ```
//!
//! The board's size is that of the text. What other programs write besides is read and forgotten: a
//! pocket of arrows after the ranks, `[PPPPpppp]`, as in older versions of Fairy-Stockfish, and
//! counters after the side to move, `- - 0 1`.

use std::fmt;
use std::str::FromStr;

use super::colour::letter;
use super::square::file_letter;
use crate::game::board::{Bitboard, Board, BoardError, U512, Word};
use crate::game::excerpt::excerpt;
use crate::game::rules::{Bitboards, Colour, IllegalSetup, Position, Setup};

/// Why some text is not a position. Ranks are numbered as on the board, from 1 at the bottom.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// No text, or blanks only.
    #[error("expected a position such as \"1qq1/q2q/Q2Q/1QQ1 w\", found nothing")]
    Empty,
    /// A character that stands for nothing.
    #[error(
        "rank {rank}, file {file}: expected 'Q', 'q', '*', a number of empty squares or '/', found {found:?}{}",
        if found.is_alphabetic() { "; amazons are Q (white) and q (black)" } else { "" }
    )]
    Symbol {
        /// The rank.
        rank: usize,
        /// The file's letter.
        file: char,
        /// What stands there.
        found: char,
    },
    /// A run of no squares, of more than twenty, or with a leading zero.
    #[error("rank {rank}, file {file}: expected a run of 1 to 20 empty squares, found {found}")]
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
        /// Its squares; if there are more than twenty, 21.
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
    /// Brackets after the ranks that hold anything but arrows.
    #[error("after the squares: expected a pocket of arrows such as [PPpp], found {0}")]
    Pocket(String),
    /// A tail of anything but dashes and numbers.
    #[error("after the side to move: expected the end or \"- - 0 1\", found {0}")]
    Tail(String),
    /// Squares that make no position.
    #[error(transparent)]
    Illegal(#[from] IllegalSetup),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&fen(self))
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        parse_fen(text)
    }
}

/// The position as FEN, without a tail.
pub fn fen(position: &Position) -> String {
    let board = position.board();
    let (setup, mut text) = (position.setup(), String::with_capacity(board.squares() + 12));
    for rank in (0..board.rows()).rev() {
        let first = (rank * board.columns()) as u32;
        let row = |set: Bitboard<U512>| set.word().bits_at(first);
        push_rank(
            &mut text,
            board.columns(),
            [row(setup.white), row(setup.black), row(setup.arrows)],
        );
        text.push(if rank > 0 { '/' } else { ' ' });
    }
    text.push(letter(position.turn()));
    text
}

/// One rank from the left; the squares of White, of Black and the burned ones from bit 0 on.
fn push_rank(text: &mut String, columns: usize, [white, black, arrows]: [u32; 3]) {
    let mut run = 0;
    let flush = |text: &mut String, run: u8| match run {
        0 => {}
        1..10 => text.push(char::from(b'0' + run)),
        10..20 => text.extend(['1', char::from(b'0' + run - 10)]),
        _ => text.push_str("20"),
    };
    for file in 0..columns {
        let in_set = |set: u32| set >> file & 1 != 0;
        let symbol = match () {
            () if in_set(white) => 'Q',
            () if in_set(black) => 'q',
            () if in_set(arrows) => '*',
            () => {
                run += 1;
                continue;
            }
        };
        flush(text, std::mem::take(&mut run));
        text.push(symbol);
    }
    flush(text, run);
}

/// A position without colours as FEN, its mover being White: for messages.
pub(crate) fn fen_of_mover<W: Word>(board: Board, position: &Bitboards<W>) -> String {
    let coloured = Position::new(board, position, Colour::White);
    coloured.map_or_else(|error| error.to_string(), |position| fen(&position))
}

/// Reads a position. What is right is read without memory of its own.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn parse_fen(text: &str) -> Result<Position, FenError> {
    let mut fields = text.split_whitespace();
    let ranks = fields.next().ok_or(FenError::Empty)?;
    // What is wrong in the squares is said before what is wrong after them.
    let mut setup = squares(without_pocket(ranks)?)?;
    setup.turn = match fields.next() {
        Some("w") => Colour::White,
        Some("b") => Colour::Black,
        other => return Err(FenError::Side(other.map_or("nothing".to_string(), excerpt))),
    };
    tail(fields)?;
    Ok(setup.check()?)
}

/// The ranks without the pocket after them.
fn without_pocket(ranks: &str) -> Result<&str, FenError> {
    let Some((ranks, pocket)) = ranks.split_once('[') else { return Ok(ranks) };
    let arrows = pocket.strip_suffix(']');
    let arrows = arrows.filter(|arrows| arrows.chars().all(|arrow| "Pp-".contains(arrow)));
    arrows.map(|_| ranks).ok_or_else(|| FenError::Pocket(excerpt(&format!("[{pocket}"))))
}

/// The most fields after the side to move: rights to castle, a square, checks, moves.
const MOST_FIELDS: usize = 6;

/// Whether text is a dash or a number as they stand in the tail after the side to move, such as `3`
/// or `3+3`.
pub(crate) fn is_tail_field(text: &str) -> bool {
    let plain = |symbol: u8| symbol.is_ascii_digit() || symbol == b'+';
    text == "-" || (text.bytes().all(plain) && text.starts_with(|s: char| s.is_ascii_digit()))
}

fn tail<'a>(fields: impl Iterator<Item = &'a str> + Clone) -> Result<(), FenError> {
    // A number alone is no counter: by other rules it is a move within a turn.
    let begins = fields.clone().next().is_none_or(|first| first == "-");
    match begins && fields.clone().count() <= MOST_FIELDS && fields.clone().all(is_tail_field) {
        true => Ok(()),
        false => Err(FenError::Tail(excerpt(&fields.collect::<Vec<_>>().join(" ")))),
    }
}

/// The squares that the ranks describe, the top one first; White to move.
fn squares(text: &str) -> Result<Setup, FenError> {
    let top = text.bytes().filter(|&byte| byte == b'/').count() + 1;
    let [mut white, mut black, mut arrows] = [U512::ZERO; 3];
    let (mut expected, mut ragged) = (0, None);
    for (index, rank) in text.split('/').enumerate() {
        let read = parse_rank(rank, top - index)?;
        if index == 0 {
            expected = read.length;
        } else if read.length != expected && ragged.is_none() {
            ragged =
                Some(FenError::Ragged { rank: top - index, found: read.length, top, expected });
        }
        // Of a board that is refused below nothing needs to be right.
        let first = ((top - 1 - index) * expected) as u32 % U512::BITS;
        white = white.with_bits_at(read.white, first);
        black = black.with_bits_at(read.black, first);
        arrows = arrows.with_bits_at(read.arrows, first);
    }
    if let Some(error) = ragged {
        return Err(error);
    }
    let board = Board::new(expected, top)?;
    let set = Bitboard::from_word;
    let turn = Colour::White;
    Ok(Setup { board, white: set(white), black: set(black), arrows: set(arrows), turn })
}

/// One rank: its squares, at most 21, and sets of them, the leftmost square in bit 0.
#[derive(Default)]
struct Rank {
    length: usize,
    white: u32,
    black: u32,
    arrows: u32,
}

/// Reads one rank from the left; of a rank that is too long, 21 squares.
fn parse_rank(text: &str, rank: usize) -> Result<Rank, FenError> {
    let most = Board::MAX_SIDE as usize;
    let (mut read, mut rest) = (Rank::default(), text);
    while let Some(symbol) = rest.chars().next().filter(|_| read.length <= most) {
        let file = file_letter(read.length);
        let square = 1u32 << read.length;
        let set = match symbol {
            'Q' => &mut read.white,
            'q' => &mut read.black,
            '*' => &mut read.arrows,
            '0'..='9' => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let run = run_length(&rest[..digits]);
                let error = || FenError::Run { rank, file, found: excerpt(&rest[..digits]) };
                read.length = (read.length + run.ok_or_else(error)?).min(most + 1);
                rest = &rest[digits..];
                continue;
            }
            found => return Err(FenError::Symbol { rank, file, found }),
        };
        *set |= square;
        read.length += 1;
        rest = &rest[1..];
    }
    Ok(read)
}

/// 1 to 20 without a leading zero.
fn run_length(digits: &str) -> Option<usize> {
    let plain = digits.len() <= 2 && !digits.starts_with('0');
    digits.parse().ok().filter(|run| plain && *run <= Board::MAX_SIDE as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{any_board, any_set};
    use crate::game::rules;
    use proptest::prelude::*;

    #[test]
    fn starts_are_written_as_the_literature_does() {
        let known = [
            ("4x4", "1qq1/q2q/Q2Q/1QQ1 w"),
            ("4x5", "1qq1/q2q/4/Q2Q/1QQ1 w"),
            ("6x6", "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w"),
            ("10x10", "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w"),
            ("20x4", "1q16q1/q18q/Q18Q/1Q16Q1 w"),
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
                "rank 2, file b: expected a run of 1 to 20 empty squares, found \"0\"",
            ),
            ("1qq1/q21q/4/4 w", "found \"21\""),
            ("1qq1/q02q/4/4 w", "found \"02\""),
            ("20Q/20q w", "found 21x2"),
            ("Q/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1 w", "found 1x21"),
            ("4//4 w", "rank 2 has 0 squares"),
            ("//Q w", "rank 1 has 1 squares"),
            ("4/4 w", "no amazon"),
            ("Q3/4 w KQkq - 0 1", "expected the end or \"- - 0 1\", found \"KQkq - 0 1\""),
            ("Q3/4 w - - 0 1 1 1 1", "expected the end"),
            ("Q3/4 w - + 0 1", "expected the end"),
            ("Q3/4 w 3", "expected the end"),
            ("Q3/4[PPx] w", "expected a pocket of arrows such as [PPpp], found \"[PPx]\""),
            ("Q3/4[PP w", "found \"[PP\""),
            (
                "A3/4 w",
                "rank 2, file a: expected 'Q', 'q', '*', a number of empty squares or '/', found 'A'; amazons are Q (white) and q (black)",
            ),
            (
                "3r/4 r",
                "rank 2, file d: expected 'Q', 'q', '*', a number of empty squares or '/', found 'r'; amazons are",
            ),
            ("Q3/4 r", "after the squares: expected the side to move, \"w\" or \"b\", found \"r\""),
            ("Qé2/4 w", "found 'é'"),
        ];
        for (text, expected) in cases {
            let error = parse_fen(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn what_other_programs_write_besides_is_forgotten() {
        let start = parse_fen("1qq1/q2q/Q2Q/1QQ1 w");
        for text in [
            "1qq1/q2q/Q2Q/1QQ1[PPPPpppp] w - 0 1",
            "1qq1/q2q/Q2Q/1QQ1[] w - - 3+3 0 1",
            "1qq1/q2q/Q2Q/1QQ1[-] w",
            "1qq1/q2q/Q2Q/1QQ1 w - -",
        ] {
            assert_eq!(parse_fen(text), start, "{text}");
        }
    }

    proptest! {
        #[test]
        fn positions_round_trip(
            board in any_board(), sets in [any_set(), any_set(), any_set(), any_set()], white: bool,
        ) {
            let [one, other, burned, rare] = sets.map(|set| set & board.all());
            let white_squares = one & rare;
            let black = (other & rare).without(white_squares);
            let arrows = burned.without(white_squares | black);
            let turn = if white { Colour::White } else { Colour::Black };
            if let Ok(position) = (Setup { board, white: white_squares, black, arrows, turn }).check() {
                prop_assert_eq!(parse_fen(&fen(&position)), Ok(position));
            }
        }

        #[test]
        fn no_text_panics(any in "\\PC*", near in "[Qq*0-9/]{0,40}(\\[[Pp]{0,3}\\])? [wb]( - - [0-9]{1,3} 1)?") {
            let _ = parse_fen(&any);
            if let Ok(position) = parse_fen(&near) {
                prop_assert_eq!(parse_fen(&fen(&position)), Ok(position));
            }
        }
    }
}
