//! What is known of a position and of each of its moves, without searching: from a table, else from
//! the bounds.
//!
//! Moves come best first: wins, then those nobody knows, then losses; among equals those that leave
//! the opponent the fewest replies, because tables know who wins but not how soon.

use serde::Serialize;

use super::bounds::Bounds;
use super::refusal::Refusal;
use super::tables::Tables;
use super::variant_answer::found_by_other_rules;
use crate::game::AnyPosition;
use crate::game::Outcome;
use crate::game::notation::move_text;
use crate::game::rules::{IndexedMove, Position, Rules};
use crate::tables::value_source::Known;

/// What a side to move, or the maker of a move, can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// It wins.
    Win,
    /// Neither a table nor the bounds know.
    Unknown,
    /// It loses.
    Loss,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum AnswerSource {
    /// Every move is known from this table.
    Table {
        /// Its board and amazons.
        name: String,
    },
    /// This opening table, which knows what so many moves from its start lead to; at the last of
    /// them it knows the value alone.
    Opening {
        /// Its board and amazons.
        name: String,
        /// The moves.
        moves: usize,
    },
    /// The rules: the side to move cannot move.
    Rules,
    /// Exact bounds; some moves may be unknown.
    Bounds,
}

/// `/api/v1/position`.
#[derive(Clone, Debug, Serialize)]
pub struct PositionReport {
    /// FEN.
    pub position: String,
    /// The rules, if they are not those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The board.
    pub board: String,
    /// The amazons.
    pub amazons: String,
    /// `white` or `black`.
    pub side_to_move: String,
    /// What the side to move can reach.
    pub value: Value,
    /// Who wins, if that is known.
    pub winner: Option<String>,
    /// Where the value is from, if it is known.
    pub source: Option<AnswerSource>,
    /// Whether `/api/v1/search` takes the position: it is not known completely and its board is not
    /// too large.
    pub search: bool,
    /// Moves that win.
    pub wins: usize,
    /// Moves that lose.
    pub losses: usize,
    /// All moves, best first.
    pub moves: Vec<MoveReport>,
}

/// A move, seen by its maker.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// What its maker reaches by it.
    pub value: Value,
    /// How many moves there are then: the opponent's, or in the middle of a turn its maker's.
    pub replies: u64,
    /// The position after it, if the rules are not those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

impl Value {
    pub(crate) fn of(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Win) => Self::Win,
            Some(Outcome::Loss) => Self::Loss,
            None => Self::Unknown,
        }
    }
}

/// What is known of a position before it becomes a report.
pub(super) struct Found {
    pub(super) value: Option<Outcome>,
    pub(super) source: Option<AnswerSource>,
    /// All moves, best first.
    pub(super) moves: Vec<MoveReport>,
}

/// What is known of a position.
pub(crate) fn report(
    tables: &dyn Tables,
    bounds: &Bounds,
    position: &AnyPosition,
) -> Result<PositionReport, Refusal> {
    let (found, rules) = match position {
        AnyPosition::Amazons(position) => (found(tables, bounds, position)?, None),
        AnyPosition::Variant(position) => {
            (found_by_other_rules(tables, position)?, Some(position.rules().to_string()))
        }
    };
    let (board, turn) = (position.board(), position.squares().turn());
    let count = |value: Value| found.moves.iter().filter(|played| played.value == value).count();
    let complete = found.value.is_some() && count(Value::Unknown) == 0;
    Ok(PositionReport {
        position: position.fen(),
        rules,
        board: board.to_string(),
        amazons: position.squares().sides().to_string(),
        side_to_move: turn.to_string(),
        value: Value::of(found.value),
        winner: found.value.map(|outcome| outcome.winner(turn).to_string()),
        search: !complete && board.fits::<u64>(),
        wins: count(Value::Win),
        losses: count(Value::Loss),
        source: found.source,
        moves: found.moves,
    })
}

/// Values before they become a report.
pub(super) struct Valued<M> {
    pub(super) value: Option<Outcome>,
    pub(super) source: Option<AnswerSource>,
    pub(super) moves: Vec<(M, Option<Outcome>)>,
}

impl<M> Valued<M> {
    /// As a table has it.
    pub(super) fn by_table(value: Outcome, source: AnswerSource, moves: Vec<(M, Outcome)>) -> Self {
        let moves = moves.into_iter().map(|(played, outcome)| (played, Some(outcome))).collect();
        Self { value: Some(value), source: Some(source), moves }
    }

    /// As the rules and the bounds have it, which tell the values of some moves, and perhaps that
    /// of the position by itself. An opening table may know the position's.
    pub(super) fn by_bounds(
        moves: Vec<(M, Option<Outcome>)>,
        by_table: Option<(Outcome, AnswerSource)>,
        by_itself: impl FnOnce() -> Option<Outcome>,
    ) -> Self {
        let (win, loss) = (Some(Outcome::Win), Some(Outcome::Loss));
        let some_win = moves.iter().any(|&(_, known)| known == win);
        let all_lose = moves.iter().all(|&(_, known)| known == loss);
        let by_moves = if some_win { win } else { loss.filter(|_| all_lose) };
        let (value, source) = match by_table {
            Some((outcome, source)) => (Some(outcome), Some(source)),
            None => {
                let value = by_moves.or_else(by_itself);
                let over = moves.is_empty();
                let plain = if over { AnswerSource::Rules } else { AnswerSource::Bounds };
                (value, value.map(|_| plain))
            }
        };
        // A lost position has only losing moves, also those whose own bounds do not say so.
        let settled = |(played, known)| (played, if value == loss { loss } else { known });
        Self { value, source, moves: moves.into_iter().map(settled).collect() }
    }
}

/// What is known of a position of Amazons.
fn found(tables: &dyn Tables, bounds: &Bounds, position: &Position) -> Result<Found, Refusal> {
    let Valued { value, source, moves } = match tables.known(position)? {
        Some((Known::All(answer), source)) => {
            Valued::by_table(answer.outcome, source, answer.moves)
        }
        Some((Known::Outcome(outcome), source)) => {
            without_moves(bounds, position, Some((outcome, source)))?
        }
        None => without_moves(bounds, position, None)?,
    };
    Ok(Found { value, source, moves: sorted(position, &moves)? })
}

/// Where no table knows the moves. An opening table may know the value.
fn without_moves(
    bounds: &Bounds,
    position: &Position,
    known: Option<(Outcome, AnswerSource)>,
) -> Result<Valued<IndexedMove>, Refusal> {
    let board = position.board();
    let Some(bounds) = bounds.on(board) else {
        let rules = Rules::<u128>::new(board).map_err(|_| Refusal::internal())?;
        let plain = position.bitboards::<u128>().ok_or_else(Refusal::internal)?;
        let moves = rules.moves(&plain).into_iter().map(|played| (played, None)).collect();
        return Ok(Valued::by_bounds(moves, known, || None));
    };
    Ok(Valued::by_bounds(bounds.moves(position), known, || bounds.outcome(position)))
}

/// The moves as they are reported, best first.
fn sorted(
    position: &Position,
    moves: &[(IndexedMove, Option<Outcome>)],
) -> Result<Vec<MoveReport>, Refusal> {
    let board = position.board();
    let replies = replies(position, moves).ok_or_else(Refusal::internal)?;
    let mut order: Vec<(Value, u64, IndexedMove)> = moves
        .iter()
        .zip(replies)
        .map(|(&(played, known), replies)| (Value::of(known), replies, played))
        .collect();
    order.sort_unstable();
    let named = |(value, replies, played)| MoveReport {
        played: move_text(board, played),
        value,
        replies,
        position: None,
    };
    Ok(order.into_iter().map(named).collect())
}

/// How many moves the opponent has after each move.
fn replies(position: &Position, moves: &[(IndexedMove, Option<Outcome>)]) -> Option<Vec<u64>> {
    let board = position.board();
    if let Some(plain) = position.bitboards::<u64>() {
        let rules = Rules::<u64>::new(board).ok()?;
        return Some(
            moves
                .iter()
                .map(|(played, _)| rules.count(&rules.play_unchecked(&plain, *played)))
                .collect(),
        );
    }
    let (rules, plain) = (Rules::<u128>::new(board).ok()?, position.bitboards::<u128>()?);
    Some(
        moves
            .iter()
            .map(|(played, _)| rules.count(&rules.play_unchecked(&plain, *played)))
            .collect(),
    )
}
