//! What is known of a position and of each of its moves, without searching: from a table, else from
//! the bounds.
//!
//! Moves come best first: wins, then those nobody knows, then losses; among equals those that leave
//! the opponent the fewest replies, because tables know who wins but not how soon.

use super::bounds::Bounds;
use super::refusal::Refusal;
use super::report::{AnswerSource, Findings, MoveReport, PositionReport, Value, Valued};
use super::tables::Tables;
use super::variant_answer::findings_by_other_rules;
use crate::game::AnyPosition;
use crate::game::Outcome;
use crate::game::notation::move_text;
use crate::game::rules::{IndexedMove, Position, Rules};
use crate::tables::value_source::Known;

/// What is known of a position.
pub(crate) fn report(
    tables: &dyn Tables,
    bounds: &Bounds,
    position: &AnyPosition,
) -> Result<PositionReport, Refusal> {
    let (findings, rules) = match position {
        AnyPosition::Amazons(position) => (findings(tables, bounds, position)?, None),
        AnyPosition::Variant(position) => {
            (findings_by_other_rules(tables, position)?, Some(position.rules().to_string()))
        }
    };
    let (board, turn) = (position.board(), position.squares().turn());
    let count = |value: Value| findings.moves.iter().filter(|played| played.value == value).count();
    let complete = findings.value.is_some() && count(Value::Unknown) == 0;
    Ok(PositionReport {
        position: position.fen(),
        rules,
        board: board.to_string(),
        amazons: position.squares().sides().to_string(),
        side_to_move: turn.to_string(),
        value: Value::of(findings.value),
        winner: findings.value.map(|outcome| outcome.winner(turn).to_string()),
        search: !complete && board.fits::<u64>(),
        wins: count(Value::Win),
        losses: count(Value::Loss),
        source: findings.source,
        moves: findings.moves,
    })
}

/// What is known of a position of Amazons.
fn findings(tables: &dyn Tables, bounds: &Bounds, position: &Position) -> Result<Findings, Refusal> {
    let Valued { value, source, moves } = match tables.look_up(position)? {
        Some((Known::All(answer), source)) => {
            Valued::by_table(answer.outcome, source, answer.moves)
        }
        Some((Known::Outcome(outcome), source)) => {
            without_moves(bounds, position, Some((outcome, source)))?
        }
        None => without_moves(bounds, position, None)?,
    };
    Ok(Findings { value, source, moves: sorted(position, &moves)? })
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
