//! `/api/v1/mainline`: optimal play from a position, as far as it is known without a search.
//!
//! Each move is the first of the best ones, as `/api/v1/position` lists them. So the winner keeps
//! its win; how soon it wins, tables do not know.

use serde::Serialize;

use super::refusal::Refusal;
use super::report::PositionReport;
use crate::app::value::Value;
use crate::game::AnyPosition;

/// `/api/v1/mainline`.
#[derive(Debug, Serialize)]
pub(crate) struct MainLine {
    start: String,
    /// What the side to move reaches there.
    value: Value,
    winner: Option<String>,
    moves: Vec<BestMove>,
    /// The position at its end.
    position: String,
    ended: End,
}

/// A move of the line.
#[derive(Debug, Serialize)]
struct BestMove {
    #[serde(rename = "move")]
    played: String,
    /// What its maker reaches by it.
    value: Value,
    /// The position after it.
    position: String,
}

/// Why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum End {
    /// The side to move has no move.
    Over,
    /// It is not known which move is best.
    Unknown,
    /// It has as many moves as the board has squares.
    Long,
}

/// The line from a position.
pub(crate) fn main_line(
    start: AnyPosition,
    report: &dyn Fn(&AnyPosition) -> Result<PositionReport, Refusal>,
) -> Result<MainLine, Refusal> {
    let first = report(&start)?;
    let (value, winner) = (first.value, first.winner.clone());
    let (mut at, mut known, mut moves) = (start, first, Vec::new());
    let ended = loop {
        let Some(best) = known.moves.first() else { break End::Over };
        if known.value == Value::Unknown || best.value != known.value {
            break End::Unknown;
        }
        if moves.len() == start.board().squares() {
            break End::Long;
        }
        let (played, after) = at.play(&best.played).map_err(|_| Refusal::internal())?;
        moves.push(BestMove { played, value: best.value, position: after.fen() });
        at = after;
        known = report(&at)?;
    };
    Ok(MainLine { start: start.fen(), value, winner, moves, position: at.fen(), ended })
}
