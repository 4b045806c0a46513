//! What is known of a position and of each of its moves, without searching.
//!
//! Moves come best first: wins, then those nobody knows, then losses; among equals those that leave
//! the opponent the fewest replies, because tables know who wins but not how soon.

use super::proof_search;
use super::refusal::Refusal;
use super::report::{MoveReport, PositionReport};
use crate::app::value::Value;
use crate::game::board::{Word, in_word};
use crate::game::notation::move_text;
use crate::game::rules::{IndexedMove, Position, Rules};
use crate::game::variants::{SingleMove, VariantPosition, VariantRules, variant_fen};
use crate::game::{AnyPosition, Outcome};
use crate::knowledge::{Basis, Finding, Knowledge};

/// What is known of a position.
pub(crate) fn report(
    knowledge: &Knowledge,
    position: &AnyPosition,
) -> Result<PositionReport, Refusal> {
    let known = match position {
        AnyPosition::Amazons(position) => {
            let finding = knowledge.of(position)?;
            let moves = sorted(position, finding.moves())?;
            Reported::new(&finding, moves)
        }
        AnyPosition::Variant(position) => {
            let finding = knowledge.by_other_rules(position)?;
            let moves = sorted_by_other_rules(position, finding.moves())?;
            Reported::new(&finding, moves)
        }
    };
    let (board, turn) = (position.board(), position.squares().turn());
    let count = |value: Value| known.moves.iter().filter(|played| played.value == value).count();
    let complete = known.value.is_some() && count(Value::Unknown) == 0;
    let rules = match position {
        AnyPosition::Amazons(_) => None,
        AnyPosition::Variant(position) => Some(position.rules().to_string()),
    };
    Ok(PositionReport {
        position: position.fen(),
        rules,
        board: board.to_string(),
        amazons: position.squares().sides().to_string(),
        side_to_move: turn.to_string(),
        value: Value::of(known.value),
        winner: known.value.map(|outcome| outcome.winner(turn).to_string()),
        search: !complete && proof_search::refused(position).is_none(),
        wins: count(Value::Win),
        losses: count(Value::Loss),
        source: known.basis,
        moves: known.moves,
    })
}

/// A finding whose moves are as they are reported.
struct Reported {
    value: Option<Outcome>,
    basis: Option<Basis>,
    /// Best first.
    moves: Vec<MoveReport>,
}

impl Reported {
    fn new<M: Copy + Ord>(finding: &Finding<M>, moves: Vec<MoveReport>) -> Self {
        Self { value: finding.value(), basis: finding.basis().cloned(), moves }
    }
}

/// The moves of Amazons as they are reported, best first.
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
    in_word!(board, W => {
        let (rules, plain) = (Rules::<W>::new(board).ok()?, position.bitboards::<W>()?);
        let replies = |played| rules.count(&rules.play_unchecked(&plain, played));
        Some(moves.iter().map(|&(played, _)| replies(played)).collect())
    })
}

/// The moves of another game as they are reported, best first.
fn sorted_by_other_rules(
    position: &VariantPosition,
    moves: &[(SingleMove, Option<Outcome>)],
) -> Result<Vec<MoveReport>, Refusal> {
    in_word!(position.board(), W => sorted_in::<W>(position, moves))
}

/// As [`sorted_by_other_rules`], in a word that fits the board.
fn sorted_in<W: Word>(
    position: &VariantPosition,
    moves: &[(SingleMove, Option<Outcome>)],
) -> Result<Vec<MoveReport>, Refusal> {
    let rules = VariantRules::<W>::new(position.board(), position.rules());
    let rules = rules.map_err(|_| Refusal::internal())?;
    let state = position.state().ok_or_else(Refusal::internal)?;
    let reported = |&(played, known): &(SingleMove, Option<Outcome>)| {
        let after = rules.play_unchecked(&state, played);
        let replies = rules.count(&after);
        // Where the same side goes on, more moves are the better.
        let few = if after.goes_on() { u64::MAX - replies } else { replies };
        let value = Value::of(known);
        let report = MoveReport {
            played: played.text(position.board()),
            value,
            replies,
            position: Some(variant_fen(&position.after(&after))),
        };
        ((value, few, played), report)
    };
    let mut moves: Vec<_> = moves.iter().map(reported).collect();
    moves.sort_unstable_by_key(|&(order, _)| order);
    Ok(moves.into_iter().map(|(_, report)| report).collect())
}
