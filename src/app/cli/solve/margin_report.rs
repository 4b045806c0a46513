//! What `amazons solve` answers about spare moves: by how much a position is won.

use serde::Serialize;

use super::found_margin::FoundMargin;
use crate::app::cli::context::{Context, Failure};
use crate::app::counted::Counted;
use crate::app::threshold_report::ThresholdReport;
use crate::app::value::Value;
use crate::game::board::Board;
use crate::game::notation::move_text;
use crate::game::rules::Colour;
use crate::game::{Outcome, ThresholdRange};

/// What was asked about spare moves, and found.
#[derive(Serialize)]
pub(in crate::app::cli) struct MarginReport {
    #[serde(flatten)]
    asked: Option<SpareReport>,
    #[serde(flatten)]
    threshold: Option<ToldRange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    margins: Option<Vec<MoveMargin>>,
    /// Whose thresholds they are.
    #[serde(skip)]
    turn: Colour,
    /// Whether all is known that was asked for.
    #[serde(skip)]
    pub(super) is_complete: bool,
}

/// The answer for one number of spare moves.
#[derive(Serialize)]
struct SpareReport {
    spare: i16,
    /// Whether it is known to win by spending a spare move, and not by which move.
    spends_spare: bool,
}

/// What is known of a threshold: in JSON as everywhere, and the range for words.
#[derive(Serialize)]
struct ToldRange {
    #[serde(flatten)]
    threshold: ThresholdReport,
    #[serde(skip)]
    range: ThresholdRange,
}

/// What a move is worth to its maker.
#[derive(Serialize)]
struct MoveMargin {
    #[serde(rename = "move")]
    played: String,
    value: Value,
    #[serde(flatten)]
    threshold: ToldRange,
}

impl From<ThresholdRange> for ToldRange {
    fn from(range: ThresholdRange) -> Self {
        Self { threshold: range.into(), range }
    }
}

impl MarginReport {
    /// What was found of a position of this board and side to move.
    pub(super) fn new(board: Board, turn: Colour, found: &FoundMargin) -> Self {
        let spends_spare = found.spends_spare;
        let of_moves = found.moves.as_ref().map(|moves| {
            let mut moves = moves.clone();
            moves.sort_by_key(|&(played, range)| (range.most(), range.least(), played));
            let margin = |&(played, range): &(_, ThresholdRange)| MoveMargin {
                played: move_text(board, played),
                value: Value::of(range.outcome()),
                threshold: range.into(),
            };
            moves.iter().map(margin).collect()
        });
        Self {
            asked: found.spare.map(|spare| SpareReport { spare, spends_spare }),
            threshold: found.range.map(ToldRange::from),
            margins: of_moves,
            turn,
            is_complete: found.is_complete,
        }
    }

    /// `White wins by 3: b1-b2/d2`, `White has 2 spare moves: Black wins`; with a move of the side
    /// to move, if one is known, and what the answer rests on.
    pub(super) fn sentence(
        &self,
        value: Option<Outcome>,
        best: Option<&str>,
        rests: &str,
    ) -> String {
        match (&self.asked, &self.threshold) {
            (Some(asked), _) => self.with_spare(asked, value, best, rests),
            (None, Some(ToldRange { range, .. })) => {
                let best = match (best, value) {
                    (None, _) => String::new(),
                    (Some(best), Some(Outcome::Loss)) => format!("; {best} loses by least"),
                    (Some(best), _) => format!(": {best}"),
                };
                format!("{}{best}{rests}", self.by_how_much(*range))
            }
            (None, None) => String::new(),
        }
    }

    fn with_spare(
        &self,
        asked: &SpareReport,
        value: Option<Outcome>,
        best: Option<&str>,
        rests: &str,
    ) -> String {
        let who = if asked.spare < 0 { self.turn.other() } else { self.turn };
        let has = match asked.spare.unsigned_abs() {
            0 => "no spare moves".to_string(),
            1 => format!("{who} has 1 spare move"),
            count => format!("{who} has {count} spare moves"),
        };
        let Some(value) = value else { return format!("{has}: unknown") };
        let how = match (best, value) {
            (Some(best), _) => format!(" by {best}"),
            (None, Outcome::Win) if asked.spends_spare => " by spending one".to_string(),
            (None, _) => String::new(),
        };
        format!("{has}: {} wins{how}{rests}", value.winner(self.turn))
    }

    /// `White wins by 1 to 3`.
    fn by_how_much(&self, range: ThresholdRange) -> String {
        let [least, most] = [range.least().margin(), range.most().margin()];
        let [low, high] = [least.min(most), least.max(most)];
        match range.outcome().map(|outcome| outcome.winner(self.turn)) {
            Some(winner) if low == high => format!("{winner} wins by {low}"),
            Some(winner) => format!("{winner} wins by {low} to {high}"),
            None => {
                let [mover, other] = [self.turn, self.turn.other()];
                format!("unknown: {mover} wins by at most {least}, or {other} by at most {most}")
            }
        }
    }

    /// Prints the moves, those of one margin on a line, the best first.
    pub(super) fn print_moves(&self, context: &Context) -> Result<(), Failure> {
        let Some(margins) = &self.margins else { return Ok(()) };
        for alike in margins.chunk_by(|one, next| one.threshold.range == next.threshold.range) {
            let moves: Vec<&str> = alike.iter().map(|of_move| of_move.played.as_str()).collect();
            let count = Counted(alike.len(), "move");
            let range = alike[0].threshold.range;
            context.print(format_args!("{range}, {count}: {}", moves.join(" ")))?;
        }
        Ok(())
    }
}
