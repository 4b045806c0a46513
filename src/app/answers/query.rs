//! What a question says: positions, moves and boards in its query.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::refusal::Refusal;
use crate::game::board::Board;
use crate::game::notation::{fen, move_text, parse_fen, play_text};
use crate::game::rules::{Amazons, Position, start_with};

/// Reads a query, as it stands behind the `?` of an address.
pub(crate) fn read<T: DeserializeOwned>(query: &str) -> Result<T, Refusal> {
    let pairs = form_urlencoded::parse(query.as_bytes());
    let deserializer = serde_urlencoded::Deserializer::new(pairs);
    serde_path_to_error::deserialize(deserializer)
        .map_err(|error| Refusal::bad("bad_query", error.to_string()))
}
/// `fen=...`, and `moves=...` to play from there, with blanks between them.
#[derive(Debug, Deserialize)]
pub(crate) struct Game {
    fen: Option<String>,
    #[serde(default)]
    moves: String,
}

/// A move of a game and the position it leads to.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Step {
    #[serde(rename = "move")]
    pub(crate) played: String,
    pub(crate) position: String,
}

impl Game {
    /// The position at the end.
    pub(crate) fn position(&self) -> Result<Position, Refusal> {
        Ok(self.play()?.0)
    }

    /// The position at the end, that at the beginning, and the moves between them.
    pub(crate) fn play(&self) -> Result<(Position, Position, Vec<Step>), Refusal> {
        let text = self.fen.as_deref().filter(|text| !text.trim().is_empty());
        let text = text.ok_or_else(|| {
            Refusal::bad(
                "no_fen",
                "expected a position as fen=..., for example fen=1qq1/q2q/Q2Q/1QQ1+w, found none",
            )
        })?;
        let first = parse_fen(text).map_err(|error| Refusal::bad("bad_fen", error.to_string()))?;
        let (mut at, mut steps) = (first, Vec::new());
        for (index, text) in self.moves.split_ascii_whitespace().enumerate() {
            let (played, after) = play_text(&at, text).map_err(|error| {
                Refusal::bad("bad_move", format!("move {}: {error}", index + 1))
            })?;
            at = after;
            steps.push(Step { played: move_text(at.board(), played), position: fen(&at) });
        }
        Ok((at, first, steps))
    }
}

/// `board=5x5`, and `amazons=2v2` if not four a side.
#[derive(Debug, Deserialize)]
pub(crate) struct NewGame {
    board: Option<String>,
    amazons: Option<String>,
}

impl NewGame {
    /// The board.
    pub(crate) fn board(&self) -> Result<Board, Refusal> {
        let board = self.board.as_deref().ok_or_else(|| {
            Refusal::bad(
                "no_board",
                "expected a board as board=COLUMNSxROWS, for example board=5x5, found none",
            )
        })?;
        board.parse().map_err(|error| bad("bad_board", &error))
    }

    /// The start position.
    pub(crate) fn position(&self) -> Result<Position, Refusal> {
        let board = self.board()?;
        let amazons = self.amazons.as_deref().unwrap_or("4v4");
        let amazons: Amazons = amazons.parse().map_err(|error| bad("bad_amazons", &error))?;
        start_with(board, amazons)
            .map_err(|error| Refusal::impossible("no_start", error.to_string()))
    }
}

fn bad(code: &'static str, error: &dyn std::error::Error) -> Refusal {
    Refusal::bad(code, error.to_string())
}
