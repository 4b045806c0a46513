//! The position that a list of moves begins with: a board, a FEN, or rows of squares.

use super::super::{LocalPosition, parse_fen};
use super::error::StartFault;
use crate::game::board::Board;
use crate::game::excerpt::excerpt;
use crate::game::rules::{Colour, Position};

/// A position and how many bytes of the text say it.
pub(crate) struct Taken {
    pub(crate) position: Position,
    pub(crate) bytes: usize,
}

/// The position that a text begins with, `None` if it begins with something else.
///
/// # Errors
/// What is wrong with it.
pub(super) fn take(text: &str) -> Result<Option<Taken>, StartFault> {
    let first = text.split_whitespace().next().unwrap_or("");
    if is_board(first) {
        let board: Board = first.to_ascii_lowercase().replace('×', "x").parse()?;
        return Ok(Some(Taken { position: Position::start(board)?, bytes: first.len() }));
    }
    if let Some(rows) = take_rows(text)? {
        return Ok(Some(rows));
    }
    if !is_fen(first) {
        return Ok(None);
    }
    let line = text.lines().next().unwrap_or(text);
    let mut bytes = first.len();
    for (index, field) in line[bytes..].split_whitespace().enumerate() {
        // The side to move comes first, whatever it is; what else there is begins with a dash.
        let belongs = match index {
            0 => !field.contains(['-', '/', '.']) && !field.contains(|s: char| s.is_ascii_digit()),
            1 => field == "-",
            _ => field.bytes().all(|byte| byte.is_ascii_digit() || b"-+".contains(&byte)),
        };
        if !belongs {
            break;
        }
        bytes = field.as_ptr() as usize - text.as_ptr() as usize + field.len();
    }
    Ok(Some(Taken { position: parse_fen(&text[..bytes])?, bytes }))
}

/// Whether a word is a board: numbers around an `x`.
fn is_board(word: &str) -> bool {
    let Some((columns, rows)) = word.split_once(['x', 'X', '×']) else { return false };
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    number(columns) && number(rows)
}

/// Whether a word is rows of squares.
pub(crate) fn is_rows(word: &str) -> bool {
    word.chars().all(|symbol| "xXoO.#|/".contains(symbol))
        && word.contains(['x', 'X', 'o', 'O'])
        && word.contains(['.', '#', '|'])
}

/// Whether a word is the squares of a FEN, right or wrong, and not the first word of a move.
fn is_fen(word: &str) -> bool {
    let squares = word.split('[').next().unwrap_or("");
    let ranks = squares.bytes().filter(|&byte| byte == b'/').count() + 1;
    let mut symbols = squares.trim_start_matches(['Q', 'q']).chars();
    let begins_with_square = symbols.next().is_some_and(|symbol| symbol.is_ascii_alphabetic())
        && symbols.next().is_some_and(|symbol| symbol.is_ascii_digit());
    let one_rank = |symbol: char| "Qq*".contains(symbol) || symbol.is_ascii_digit();
    squares.chars().all(|symbol| symbol.is_alphanumeric() || "*/".contains(symbol))
        && match ranks {
            1 => squares.contains(['Q', 'q']) && squares.chars().all(one_rank),
            2 => !begins_with_square,
            _ => true,
        }
}

/// The position of rows that a text begins with, and of the side to move after them; `None` if it
/// begins with something else.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn take_rows(text: &str) -> Result<Option<Taken>, StartFault> {
    let first = text.split_whitespace().next().unwrap_or("");
    if !is_rows(first) {
        return Ok(None);
    }
    let local: LocalPosition = first.replace('/', "|").parse()?;
    let rest = &text[first.len()..];
    let side = rest.split_whitespace().next().unwrap_or("");
    let turn: Colour = side.parse().map_err(|_| match side {
        "" => StartFault::Side("nothing".to_string()),
        other => StartFault::Side(excerpt(other)),
    })?;
    let position = Position::new(local.board, &local.with_turn(turn), turn)?;
    let blanks = rest.len() - rest.trim_start().len();
    Ok(Some(Taken { position, bytes: first.len() + blanks + side.len() }))
}
