//! Positions of the family as FEN: that of Amazons and, where the rules need them, two fields more.
//!
//! ```text
//! 1qq1/qQ1q/Q2Q/1*Q1 b 2            the number of the turn, where turns differ (default 1)
//! q**q/qQ1q/Q2Q/1*Q1 b 2+a4,d4      and where the amazons stand that have moved in this turn
//! 5q2/2Q5/q6Q/8/8/Q6q/8/2q2Q2 b 1 b7E,c3N     and the walls, - if there are none
//! ```
//!
//! A wall is written by the square south or west of it; S and W are read as well. An amazon that
//! moved in this turn and was removed in it is written `-` among those that moved. A tail such as
//! `- - 0 1`, in place of both fields, is read and forgotten, as in a FEN of Amazons.

use super::position::VariantPosition;
use super::rule_set::{RuleSet, Shot, Step, Turns};
use super::walls::{Side, Walls};
use crate::game::SquareError;
use crate::game::board::{Bitboard, Board, U512};
use crate::game::excerpt::excerpt;
use crate::game::notation::{FenError, fen, is_tail_field, parse_fen, parse_square, square_text};

/// Why some text is not a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantFenError {
    /// The squares or the side to move.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A turn where all turns are alike, and have one move.
    #[error(
        "after the side to move: {rules} has turns of one move, so expected no turn but 1, found {found}"
    )]
    NoTurns {
        /// The rules.
        rules: RuleSet,
        /// The field.
        found: String,
    },
    /// A field that is no turn.
    #[error(
        "after the side to move: expected the number of the turn, perhaps with the amazons that moved in it such as 3+a3,b4, found {0}"
    )]
    Turn(String),
    /// A square that is none of this board.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// Amazons that cannot have moved in this turn.
    #[error(
        "turn {turn} is one of {length}, so expected fewer amazons that moved in it, each once and of the side to move, found {found}"
    )]
    Moved {
        /// The number of the turn.
        turn: u8,
        /// Its moves.
        length: u8,
        /// The field.
        found: String,
    },
    /// Walls where none are built.
    #[error("after the turn: {rules} has no walls, found {found}")]
    NoWalls {
        /// The rules.
        rules: RuleSet,
        /// The field.
        found: String,
    },
    /// A field that is no list of walls.
    #[error(
        "after the turn: expected - or walls by square and side such as c7E,b6N, none on the edge of the board, found {0}"
    )]
    Wall(String),
    /// More fields than there are.
    #[error("expected the end after the walls, found {0}")]
    Tail(String),
}

/// The position as FEN.
pub fn variant_fen(at: &VariantPosition) -> String {
    let board = at.board();
    let mut text = fen(at.position());
    let walls = at.rules.shot == Shot::Wall;
    if walls || at.rules.turns != Turns::SINGLE {
        text += &format!(" {}", at.turn_number);
    }
    if at.made > 0 {
        let gone = usize::from(at.made) - at.moved.len();
        let moved = at.moved.iter().map(|square| square_text(board, square));
        let moved: Vec<String> = moved.chain(std::iter::repeat_n("-".to_string(), gone)).collect();
        text += &format!("+{}", moved.join(","));
    }
    if walls {
        let walls: Vec<String> = at
            .walls
            .iter()
            .map(|(square, side)| format!("{}{side}", square_text(board, square)))
            .collect();
        text += &format!(" {}", if walls.is_empty() { "-".to_string() } else { walls.join(",") });
    }
    text
}

/// How many of these words are a FEN at their head: the ranks, the side to move, then a tail, or a
/// turn and walls. The words behind it may be moves and numbers of turns: a number directly behind
/// the side is that of the FEN, and so is what looks like walls directly behind that.
pub(crate) fn variant_fen_words(words: &[&str]) -> usize {
    let behind = match words.get(2..).unwrap_or_default() {
        tail @ ["-", ..] => tail.iter().take_while(|word| is_tail_field(word)).count(),
        [turn, walls, ..] if is_turn(turn) && is_like_walls(walls) => 2,
        [turn, ..] if is_turn(turn) => 1,
        _ => 0,
    };
    words.len().min(2 + behind)
}

/// Whether a word is a number alone or with amazons that moved. `1.` and `1-0` are no turns.
fn is_turn(word: &str) -> bool {
    let rest = word.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    rest.len() < word.len() && (rest.is_empty() || rest.starts_with('+'))
}

/// Whether a word is `-`, or squares that end with a side. Moves with a side have `-` or `/` too.
fn is_like_walls(word: &str) -> bool {
    let ends_with_side = |wall: &str| {
        wall.char_indices().last().is_some_and(|(at, _)| wall[at..].parse::<Side>().is_ok())
    };
    word == "-" || (!word.contains(['-', '/']) && word.split(',').any(ends_with_side))
}

/// Reads a position of a game.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn parse_variant_fen(text: &str, rules: RuleSet) -> Result<VariantPosition, VariantFenError> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let plain = fields.len().min(2);
    let position = parse_fen(&fields[..plain].join(" "))?;
    let mut at = VariantPosition::new(rules, position);
    match fields[plain..] {
        [] => {}
        ["-", ..] => {
            parse_fen(&fields.join(" "))?;
        }
        [turn] => read_turn(&mut at, turn)?,
        [turn, walls] => {
            read_turn(&mut at, turn)?;
            at.walls = read_walls(at.board(), rules, walls)?;
        }
        [_, _, ref rest @ ..] => return Err(VariantFenError::Tail(excerpt(&rest.join(" ")))),
    }
    Ok(at)
}

fn read_turn(at: &mut VariantPosition, text: &str) -> Result<(), VariantFenError> {
    let turns = at.rules.turns;
    if turns == Turns::SINGLE && text != "1" {
        return Err(VariantFenError::NoTurns { rules: at.rules, found: excerpt(text) });
    }
    let (number, moved) = match text.split_once('+') {
        Some((number, moved)) => (number, Some(moved)),
        None => (text, None),
    };
    let wrong = || VariantFenError::Turn(excerpt(text));
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let number: u32 =
        number.parse().ok().filter(|number| digits && *number > 0).ok_or_else(wrong)?;
    at.turn_number = number.min(u32::from(turns.count())) as u8;
    let Some(moved) = moved else { return Ok(()) };
    let length = turns.length(at.turn_number);
    let unfit = || VariantFenError::Moved { turn: at.turn_number, length, found: excerpt(text) };
    let mine = at.position().amazons(at.turn());
    let (mut squares, mut made) = (Bitboard::EMPTY, 0);
    for name in moved.split(',') {
        made += 1;
        if made >= usize::from(length) {
            return Err(unfit());
        }
        // It was taken since.
        if name == "-" && at.rules.step == Step::Capturing {
            continue;
        }
        let square = parse_square(at.board(), name)?;
        if squares.contains(square) || !mine.contains(square) {
            return Err(unfit());
        }
        squares = squares.with(square);
    }
    (at.made, at.moved) = (made as u8, squares);
    Ok(())
}

fn read_walls(board: Board, rules: RuleSet, text: &str) -> Result<Walls<U512>, VariantFenError> {
    if text == "-" {
        return Ok(Walls::default());
    }
    if rules.shot != Shot::Wall {
        return Err(VariantFenError::NoWalls { rules, found: excerpt(text) });
    }
    let wrong = || VariantFenError::Wall(excerpt(text));
    text.split(',').try_fold(Walls::default(), |walls, name| {
        let letter = name.char_indices().last().ok_or_else(wrong)?;
        let side: Side = name[letter.0..].parse().map_err(|()| wrong())?;
        let square = parse_square(board, &name[..letter.0])?;
        side.neighbour(board, square).ok_or_else(wrong)?;
        Ok(walls.with(board, square, side))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn errors_say_what_was_expected_and_found() {
        let four = "1qq1/q2q/Q2Q/1QQ1 w";
        for (rules, text, expected) in [
            (
                RuleSet::AMAZONS,
                format!("{four} 2"),
                "amazons has turns of one move, so expected no turn but 1, found \"2\"",
            ),
            (RuleSet::KILLER, format!("{four} 1 a1N"), "killer has no walls, found \"a1N\""),
            (RuleSet::TURNS_134, format!("{four} x"), "expected the number of the turn"),
            (RuleSet::TURNS_134, format!("{four} 0"), "expected the number of the turn"),
            (RuleSet::TURNS_134, format!("{four} 1+a2"), "turn 1 is one of 1,"),
            (RuleSet::TURNS_134, format!("{four} 2+a3"), "turn 2 is one of 3,"),
            (RuleSet::TURNS_134, format!("{four} 2+a2,a2"), "each once"),
            (RuleSet::TURNS_134, format!("{four} 2+a2,b1,c1"), "expected fewer amazons"),
            (RuleSet::TURNS_134, format!("{four} 2+z9"), "z9"),
            (RuleSet::TURNS_134, format!("{four} 2+-"), "\"-\""),
            (RuleSet::TROMAZONS, format!("{four} 1 a1"), "expected - or walls"),
            (RuleSet::TROMAZONS, format!("{four} 1 d1E"), "none on the edge of the board"),
            (RuleSet::TROMAZONS, format!("{four} 1 é"), "expected - or walls"),
            (RuleSet::TROMAZONS, format!("{four} 1 - 3"), "expected the end"),
            (RuleSet::TROMAZONS, "4/4 w".to_string(), "no amazon"),
            (RuleSet::KILLER, format!("{four} - a1N"), "expected the end or \"- - 0 1\""),
        ] {
            let error = parse_variant_fen(&text, rules).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        for rules in [RuleSet::AMAZONS, RuleSet::TURNS_134, RuleSet::TROMAZONS] {
            for tail in ["", " 1", " 1 -", " - - 0 1", " -", " - -", " - 0 1", " - - 3+3 0 1"] {
                assert!(parse_variant_fen(&format!("{four}{tail}"), rules).is_ok(), "{tail}");
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_played_is_read_back(rules in 0..6usize, choices: [u16; 12]) {
            let (_, rules) = RuleSet::NAMED[rules];
            let start = parse_fen("1q1q1/q3q/5/Q3Q/1Q1Q1 w").unwrap();
            let mut at = VariantPosition::new(rules, start);
            for choice in choices {
                let moves = at.moves();
                if moves.is_empty() {
                    break;
                }
                let played = moves[usize::from(choice) % moves.len()];
                let after = at.play(played).unwrap();
                prop_assert_eq!(at.play_text(&played.text(at.board())), Ok(after));
                prop_assert_eq!(parse_variant_fen(&variant_fen(&after), rules), Ok(after));
                at = after;
            }
        }

        #[test]
        fn no_text_panics(any in "\\PC*", near in "1qq1/q2q/Q2Q/1QQ1 [wb]( [0-9+a-d,-]{0,8}( [a-d1-4NESW,-]{0,8})?)?") {
            for (_, rules) in RuleSet::NAMED {
                let _ = parse_variant_fen(&any, rules);
                if let Ok(at) = parse_variant_fen(&near, rules) {
                    prop_assert_eq!(parse_variant_fen(&variant_fen(&at), rules), Ok(at));
                }
            }
        }
    }
}
