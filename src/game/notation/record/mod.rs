//! Records of games in every form that is met: which form a text has is found out from it.
//!
//! | form | how it is told | read by |
//! |---|---|---|
//! | SGF, `GM[18]` | a `(;` | [`sgf`](super::sgf) |
//! | GGF, of the Generic Game Server | a `(;` and `GM[Amazons]` | `ggf` |
//! | rows of `XO.#` and numbers of squares, of OpenSpiel | nothing else is in it | `openspiel` |
//! | moves, after a board, a FEN, rows or nothing | all else | `list` |
//!
//! | module | what it knows |
//! |---|---|
//! | `form` | which of these a text is |
//! | `place`, `error` | where in it something is wrong, and what |
//! | `scanner` | the words of a list of moves |
//! | `start` | the position that a list begins with |
//! | `line` | the main line of a game, and how it is written |
//! | `memory` | how much memory games take |
//!
//! `docs/records.md` has an example of each. Reading is linear in the text and recurses nowhere.
//!
//! ```
//! use amazons::game::notation::record::read_games;
//!
//! let games = read_games("1. D1–D6 (G9) 2. d10-f10xe10 resign".as_bytes())?;
//! let line = games[0].tree().main_line();
//! assert_eq!(line.len(), 3);
//! assert_eq!(games[0].remarks()[0].to_string(), "white resigned");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod form;
mod ggf;
mod line;
mod list;
mod memory;
mod openspiel;
mod place;
mod scanner;
mod start;
#[cfg(test)]
mod tests;

pub use error::{RecordError, StartFault};
pub use line::Record;
pub use memory::bytes_of_games;
pub use place::RecordPlace;
#[cfg(feature = "cli")]
pub(crate) use start::is_rows;
pub(crate) use start::take_rows;

use super::sgf::{self, Game, MAX_NODES};
use form::Form;

/// Reads all games of a record, whatever its form.
///
/// # Errors
/// The first thing that is not as it should be, with its place.
pub fn read_games(bytes: &[u8]) -> Result<Vec<Game>, RecordError> {
    read_games_at_most(bytes, MAX_NODES)
}

/// As [`read_games`], of a record of at most so many positions.
///
/// # Errors
/// As [`read_games`]; [`RecordError::is_too_long`] says whether there are more.
pub fn read_games_at_most(bytes: &[u8], nodes: usize) -> Result<Vec<Game>, RecordError> {
    let text = sgf::decode(bytes)?;
    match Form::of(&text) {
        Form::Sgf => Ok(sgf::games_of_text(&text, nodes)?),
        Form::Ggf => ggf::read(&text, nodes),
        Form::OpenSpiel => openspiel::read(&text).map(|game| vec![game]),
        Form::List => list::read(&text, nodes),
    }
}

/// Reads the main lines of all games of a record, whatever its form: SGF, GGF, lists of moves in
/// every notation in use with or without a board or a FEN before them, OpenSpiel's boards and
/// numbers. A record has at most 200,000 positions.
///
/// ```
/// let game = &amazons::read_records("1. D1–D6 (G9) 2. d10-f10xe10 resign".as_bytes())?[0];
/// assert_eq!(game.start().board().to_string(), "10x10");
/// assert_eq!(game.to_string(), "10x10 d1-d6/g9 d10-f10/e10");
/// assert_eq!(game.remarks(), ["white resigned"]);
/// # Ok::<(), amazons::error::RecordError>(())
/// ```
///
/// # Errors
/// The first thing that is not as it should be, with its place.
pub fn read_records(bytes: &[u8]) -> Result<Vec<Record>, RecordError> {
    Ok(read_games(bytes)?.iter().map(Record::of).collect())
}
