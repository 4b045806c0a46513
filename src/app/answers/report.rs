//! What is said of a position and of its moves, however it was found.

use serde::Serialize;

use crate::game::Outcome;

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
pub(super) struct Findings {
    pub(super) value: Option<Outcome>,
    pub(super) source: Option<AnswerSource>,
    /// All moves, best first.
    pub(super) moves: Vec<MoveReport>,
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
