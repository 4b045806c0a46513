//! What a question says: positions, moves and boards in its query.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::refusal::Refusal;
use crate::game::board::Board;
use crate::game::rules::{Amazons, Position};
use crate::game::variants::{RuleSet, Turns, VariantPosition};
use crate::game::{AnyPosition, PlayTextError};

/// Reads a query, as it stands behind the `?` of an address.
pub(crate) fn read<T: DeserializeOwned>(query: &str) -> Result<T, Refusal> {
    let pairs = form_urlencoded::parse(query.as_bytes());
    let deserializer = serde_urlencoded::Deserializer::new(pairs);
    serde_path_to_error::deserialize(deserializer)
        .map_err(|error| Refusal::bad("bad_query", error.to_string()))
}

/// `rules=cowboys`, and `turns=1,2` if not those of the game.
#[derive(Deserialize)]
struct Rules {
    rules: Option<String>,
    turns: Option<String>,
}

/// The rules that a query names, `None` if they are those of Amazons.
pub(crate) fn variant(query: &str) -> Result<Option<RuleSet>, Refusal> {
    let Rules { rules, turns } = read(query)?;
    let rules = rules.as_deref().map(str::parse::<RuleSet>).transpose();
    let rules = rules.map_err(|error| bad("bad_rules", &error))?;
    let turns = turns.as_deref().map(str::parse::<Turns>).transpose();
    let turns = turns.map_err(|error| bad("bad_turns", &error))?;
    Ok(rules.unwrap_or(RuleSet::AMAZONS).with_turns(turns).other_than_amazons())
}

/// Refuses other rules than those of Amazons, where something is for Amazons only.
pub(crate) fn for_amazons_only(what: &str, query: &str) -> Result<(), Refusal> {
    let Some(rules) = variant(query)? else { return Ok(()) };
    let message = format!("{what} is for the rules of amazons, found {rules}");
    Err(Refusal::impossible("amazons_only", message))
}

/// The position of Amazons that a query asks about.
pub(crate) fn amazons(what: &str, query: &str) -> Result<Position, Refusal> {
    for_amazons_only(what, query)?;
    Ok(*Line::read(query)?.last.squares())
}

/// `fen=...`, and `moves=...` to play from there, with blanks between them.
#[derive(Debug, Deserialize)]
struct Game {
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

/// A position, and one that moves lead to from there.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) first: AnyPosition,
    pub(crate) moves: Vec<Step>,
    pub(crate) last: AnyPosition,
}

impl Line {
    /// What a query asks about.
    pub(crate) fn read(query: &str) -> Result<Self, Refusal> {
        let rules = variant(query)?;
        let game: Game = read(query)?;
        let text = game.fen.as_deref().filter(|text| !text.trim().is_empty());
        let text = text.ok_or_else(|| {
            Refusal::bad(
                "no_fen",
                "expected a position as fen=..., for example fen=1qq1/q2q/Q2Q/1QQ1+w, found none",
            )
        })?;
        let first = AnyPosition::read(text, rules).map_err(|error| bad("bad_fen", &error))?;
        let (mut last, mut moves) = (first, Vec::new());
        for text in game.moves.split_ascii_whitespace() {
            last = play_turn(last, text, &mut moves).map_err(|error| {
                Refusal::bad("bad_move", format!("move {}: {error}", moves.len() + 1))
            })?;
        }
        Ok(Self { first, moves, last })
    }
}

/// Plays a move, or the moves of a turn that are joined by `+`; adds each to `steps`.
fn play_turn(
    first: AnyPosition,
    text: &str,
    steps: &mut Vec<Step>,
) -> Result<AnyPosition, PlayTextError> {
    let singles = match first {
        AnyPosition::Amazons(_) => vec![text],
        AnyPosition::Variant(_) => text.split('+').collect(),
    };
    let mut last = first;
    for single in singles {
        let (played, after) = last.play(single)?;
        steps.push(Step { played, position: after.fen() });
        last = after;
    }
    Ok(last)
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

    /// The start position by these rules; without any by those of Amazons.
    pub(crate) fn position(&self, rules: Option<RuleSet>) -> Result<AnyPosition, Refusal> {
        let board = self.board()?;
        let amazons = self.amazons.as_deref().unwrap_or("4v4");
        let amazons: Amazons = amazons.parse().map_err(|error| bad("bad_amazons", &error))?;
        let amazons = Some(amazons);
        let start = VariantPosition::start(rules.unwrap_or(RuleSet::AMAZONS), board, amazons)
            .map_err(|error| Refusal::impossible("no_start", error.to_string()))?;
        Ok(match rules {
            None => AnyPosition::Amazons(*start.position()),
            Some(_) => AnyPosition::Variant(start),
        })
    }
}

fn bad(code: &'static str, error: &dyn std::error::Error) -> Refusal {
    Refusal::bad(code, error.to_string())
}
