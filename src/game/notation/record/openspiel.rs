//! What OpenSpiel's game `amazons` prints: a board as rows, a history as numbers.
//!
//! ```text
//! ...O..O...      rows from the top, X and O in capitals, '.' empty, '#' burned
//! ...
//! 93, 43, 18      each move as three numbers of squares: from, to, arrow; 0 is the first square
//! ```
//!
//! X begins, so X is White. Who is to move on a board follows from the number of burned squares.
//! Without rows the numbers begin with the start of 10x10.

use super::super::sgf::{Game, Remark, Style, Tree};
use super::error::{RecordError, StartFault};
use super::place::RecordPlace;
use crate::game::board::{Bitboard, Board, U512};
use crate::game::excerpt::excerpt;
use crate::game::notation::move_text;
use crate::game::rules::{Colour, IndexedMove, Position, Setup};

/// Whether a text has nothing but rows, more than one of them, and numbers; one of them at least.
pub(super) fn is(text: &str) -> bool {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let rows = lines().take_while(|line| is_row(line)).count();
    let is_number = |symbol: char| symbol.is_ascii_digit() || " ,\t[]".contains(symbol);
    lines().skip(rows).all(|line| line.chars().all(is_number))
        && (rows > 1 || (rows == 0 && text.contains(|symbol: char| symbol.is_ascii_digit())))
}

fn is_row(line: &str) -> bool {
    line.chars().all(|symbol| "XO.#".contains(symbol))
}

/// The game of a text that [`is`] one.
///
/// # Errors
/// The first thing that is not as it should be, with its place.
pub(super) fn read(text: &str) -> Result<Game, RecordError> {
    let begin = text.find(|symbol: char| symbol.is_ascii_digit()).unwrap_or(text.len());
    let place = RecordPlace::of(text, text.len() - text.trim_start().len());
    let fault = |error| RecordError::Start { place, error };
    let rows = text[..begin].lines().map(str::trim).filter(|row| is_board(row));
    // One more than a board can have, so that there are seen to be too many.
    let rows: Vec<&str> = rows.take(Board::MAX_SIDE as usize + 1).collect();
    let mut game = match rows.is_empty() {
        true => Game::new(&usual_start().map_err(fault)?, Style::Algebraic),
        false => of_rows(&rows).map_err(fault)?,
    };
    let board = game.position(Tree::ROOT).board();
    let numbers = text[begin..].split(|symbol: char| !symbol.is_ascii_digit());
    let mut numbers = numbers.filter(|word| !word.is_empty()).peekable();
    let mut last = Tree::ROOT;
    while let Some(first) = numbers.peek() {
        let at = first.as_ptr() as usize - text.as_ptr() as usize;
        let words: Vec<&str> = numbers.by_ref().take(3).collect();
        let unexpected = |at: usize, expected: String, found: String| RecordError::Unexpected {
            place: RecordPlace::of(text, at),
            expected,
            found,
        };
        let &[from, to, arrow] = &words[..] else {
            let expected = "three numbers for each move: from, to, arrow".to_string();
            return Err(unexpected(at, expected, format!("{} at the end", words.len())));
        };
        let square = |word: &str| {
            let number = word.parse::<usize>().ok();
            let square = number.and_then(|number| {
                let from_top = number / board.columns();
                let rank = board.rows().checked_sub(1 + from_top)?;
                board.square(number % board.columns(), rank)
            });
            square.ok_or_else(|| {
                let expected = format!("a square of {board}, 0 to {}", board.squares() - 1);
                unexpected(word.as_ptr() as usize - text.as_ptr() as usize, expected, excerpt(word))
            })
        };
        let played = IndexedMove { from: square(from)?, to: square(to)?, arrow: square(arrow)? };
        let (number, colour) = (game.moves(last) + 1, game.position(last).turn());
        last = game.play(last, &move_text(board, played)).map_err(|error| RecordError::Move {
            place: RecordPlace::of(text, at),
            number,
            colour,
            error,
        })?;
    }
    Ok(game)
}

fn is_board(row: &str) -> bool {
    !row.is_empty() && is_row(row)
}

fn usual_start() -> Result<Position, StartFault> {
    Ok(Position::start(Board::new(10, 10)?)?)
}

/// A game that begins with rows of squares.
fn of_rows(rows: &[&str]) -> Result<Game, StartFault> {
    let text = rows.join("|");
    let local: super::super::LocalPosition = text.parse()?;
    let burned: Bitboard<U512> = local.burned;
    let turn = if burned.len().is_multiple_of(2) { Colour::White } else { Colour::Black };
    // X is Left in rows of local games, and begins here.
    let (white, black) = (local.left, local.right);
    let setup = Setup { board: local.board, white, black, arrows: burned, turn };
    let mut game = Game::new(&setup.check()?, Style::Algebraic);
    game.remark(Remark::TurnCounted { turn, burned: burned.len() });
    Ok(game)
}
