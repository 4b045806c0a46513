//! What `amazons lookup` answers.

use serde::{Serialize, Serializer};

use crate::app::cli::context::{Context, Failure};
use crate::app::cli::margins::ToldMargin;
use crate::app::counted::{Counted, by_count};
use crate::app::value::Value;
use crate::game::notation::fen;
use crate::game::rules::{Colour, Position};
use crate::tables::format::TableMargin;

/// The value of a position, and what is known of its moves.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) position: String,
    /// The rules, if they are others than those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rules: Option<String>,
    pub(super) value: Value,
    /// What the value rests on, if no file was named that it is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) basis: Option<String>,
    /// By how much, of a table of margins.
    #[serde(flatten)]
    pub(super) margin: Option<ToldMargin>,
    #[serde(skip_serializing_if = "Moves::are_not_asked_for")]
    pub(super) moves: Moves,
    /// The side to move, whose value it is.
    #[serde(skip)]
    pub(super) turn: Colour,
}

impl Report {
    /// Prints it as text or JSON.
    pub(super) fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let rules = self.rules.as_ref().map_or(String::new(), |rules| format!("{rules}: "));
        let basis = self.basis.as_ref().map_or(String::new(), |basis| format!(", {basis}"));
        let Self { position, value, turn, .. } = self;
        let margin = self.margin.as_ref().map_or(String::new(), |of| format!(", {of}"));
        context.print(format_args!("{rules}{position}: {value} for {turn}{margin}{basis}"))?;
        let moves = match &self.moves {
            Moves::NotAskedFor => return Ok(()),
            Moves::Asked(None) => {
                return context.print("  its moves lead beyond the last ply that is kept");
            }
            Moves::Asked(Some(moves)) => moves,
        };
        if moves.iter().any(|m| m.margin.is_some()) {
            return print_by_margin(moves, context);
        }
        let winning: Vec<&str> =
            moves.iter().filter(|m| m.value == Value::Win).map(|m| m.played.as_str()).collect();
        let unknown = moves.iter().filter(|m| m.value == Value::Unknown).count();
        let (count, all) = (winning.len(), moves.len());
        let list = winning.join(" ");
        match (count, unknown) {
            (0, 0) => context.print(format_args!("  none of {} wins", Counted(all, "move"))),
            (0, _) => context
                .print(format_args!("  no move is known to win, {unknown} of {all} are not known")),
            (_, 0) => context.print(format_args!(
                "  {count} of {} {}: {list}",
                Counted(all, "move"),
                by_count(count, "wins", "win")
            )),
            _ => context.print(format_args!(
                "  {count} of {all} moves are known to win: {list}; {unknown} are not known"
            )),
        }
    }
}

/// A line for each margin that a move has, the best ones first.
fn print_by_margin(moves: &[MoveReport], context: &Context) -> Result<(), Failure> {
    let mut by_margin: Vec<(TableMargin, Vec<&str>)> = Vec::new();
    for MoveReport { played, margin, .. } in moves {
        let Some(margin) = margin.map(|told| told.margin()) else { continue };
        match by_margin.iter_mut().find(|(of, _)| *of == margin) {
            Some((_, list)) => list.push(played),
            None => by_margin.push((margin, vec![played])),
        }
    }
    by_margin.sort_by_key(|(margin, _)| margin.nearest());
    by_margin.iter().try_for_each(|(margin, list)| {
        let (count, all, list) = (list.len(), moves.len(), list.join(" "));
        context.print(format_args!("  {margin}, {count} of {}: {list}", Counted(all, "move")))
    })
}

/// As [`Report`], without moves.
#[derive(Serialize)]
pub(super) struct ValueReport {
    #[serde(serialize_with = "as_fen")]
    pub(super) position: Position,
    pub(super) value: Value,
    /// By how much, of a table of margins.
    #[serde(flatten)]
    pub(super) margin: Option<ToldMargin>,
}

fn as_fen<S: Serializer>(position: &Position, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&fen(position))
}

/// The moves of a position with their values.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Moves {
    NotAskedFor,
    /// `null` at the last ply of an opening table, which does not hold the positions after them,
    /// and where the wall rule of a certificate names no move.
    Asked(Option<Vec<MoveReport>>),
}

impl Moves {
    fn are_not_asked_for(&self) -> bool {
        matches!(self, Self::NotAskedFor)
    }
}

/// A move's value is its maker's: a win if the opponent then loses.
#[derive(Serialize)]
pub(super) struct MoveReport {
    #[serde(rename = "move")]
    pub(super) played: String,
    pub(super) value: Value,
    /// By how much, of a table of margins.
    #[serde(flatten)]
    pub(super) margin: Option<ToldMargin>,
    /// What the winner of a certificate answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<String>,
}
