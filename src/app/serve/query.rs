//! What a request says: positions, moves and boards in its query.

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::error::ApiError;
use crate::game::board::Board;
use crate::game::notation::{fen, move_text, parse_fen, play_text};
use crate::game::rules::{Amazons, Position, start_with};

/// A query, or an error in the API's form where there is none.
#[derive(Debug)]
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let query: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        query.map(|Query(asked)| Self(asked)).map_err(|rejection| {
            let message = rejection.body_text();
            ApiError::bad(
                "bad_query",
                message.strip_prefix("Failed to deserialize query string: ").unwrap_or(&message),
            )
        })
    }
}

/// `fen=...`, and `moves=...` to play from there, with blanks between them.
#[derive(Debug, Deserialize)]
pub(super) struct Game {
    fen: Option<String>,
    #[serde(default)]
    moves: String,
}

/// A move of a game and the position it leads to.
#[derive(Debug, serde::Serialize)]
pub(super) struct Step {
    #[serde(rename = "move")]
    pub(super) played: String,
    pub(super) position: String,
}

impl Game {
    /// The position at the end.
    pub(super) fn position(&self) -> Result<Position, ApiError> {
        Ok(self.play()?.0)
    }

    /// The position at the end, that at the beginning, and the moves between them.
    pub(super) fn play(&self) -> Result<(Position, Position, Vec<Step>), ApiError> {
        let text = self.fen.as_deref().filter(|text| !text.trim().is_empty());
        let text = text.ok_or_else(|| {
            ApiError::bad(
                "no_fen",
                "expected a position as fen=..., for example fen=1qq1/q2q/Q2Q/1QQ1+w, found none",
            )
        })?;
        let first = parse_fen(text).map_err(|error| ApiError::bad("bad_fen", error.to_string()))?;
        let (mut at, mut steps) = (first, Vec::new());
        for (index, text) in self.moves.split_ascii_whitespace().enumerate() {
            let (played, after) = play_text(&at, text).map_err(|error| {
                ApiError::bad("bad_move", format!("move {}: {error}", index + 1))
            })?;
            at = after;
            steps.push(Step { played: move_text(at.board(), played), position: fen(&at) });
        }
        Ok((at, first, steps))
    }
}

/// `board=5x5`, and `amazons=2v2` if not four a side.
#[derive(Debug, Deserialize)]
pub(super) struct NewGame {
    board: Option<String>,
    amazons: Option<String>,
}

impl NewGame {
    /// The board.
    pub(super) fn board(&self) -> Result<Board, ApiError> {
        let board = self.board.as_deref().ok_or_else(|| {
            ApiError::bad(
                "no_board",
                "expected a board as board=COLUMNSxROWS, for example board=5x5, found none",
            )
        })?;
        board.parse().map_err(|error| bad("bad_board", &error))
    }

    /// The start position.
    pub(super) fn position(&self) -> Result<Position, ApiError> {
        let board = self.board()?;
        let amazons = self.amazons.as_deref().unwrap_or("4v4");
        let amazons: Amazons = amazons.parse().map_err(|error| bad("bad_amazons", &error))?;
        start_with(board, amazons)
            .map_err(|error| ApiError::impossible("no_start", error.to_string()))
    }
}

fn bad(code: &'static str, error: &dyn std::error::Error) -> ApiError {
    ApiError::bad(code, error.to_string())
}
