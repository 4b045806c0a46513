//! What `amazons solve` answers.

use serde::Serialize;

use crate::app::cli::context::{Context, Failure};

/// Who wins a position, and by which moves.
#[derive(Serialize)]
pub(in crate::app::cli) struct Report {
    pub(in crate::app::cli) position: String,
    /// The rules, unless they are those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::app::cli) rules: Option<String>,
    pub(in crate::app::cli) board: String,
    pub(in crate::app::cli) side_to_move: String,
    pub(in crate::app::cli) value: &'static str,
    pub(in crate::app::cli) winner: Option<String>,
    pub(in crate::app::cli) method: &'static str,
    pub(in crate::app::cli) best_move: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::app::cli) winning_moves: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::app::cli) unknown_moves: Option<Vec<String>>,
    pub(in crate::app::cli) nodes: u64,
    /// Of this run.
    pub(in crate::app::cli) seconds: f64,
    /// Of this run and those whose checkpoint it has gone on from, as are the nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::app::cli) searched_seconds: Option<f64>,
    /// The digest that the answer rests on, or the checkpoint that rests on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::app::cli) digest: Option<String>,
}

impl Report {
    /// Whether a search has not found out all that was asked.
    pub(super) fn is_unfinished(&self) -> bool {
        self.method == "proof" && (self.winner.is_none() || self.has_unknown_moves())
    }

    fn has_unknown_moves(&self) -> bool {
        self.unknown_moves.as_ref().is_some_and(|moves| !moves.is_empty())
    }

    /// Prints it as text or JSON.
    pub(in crate::app::cli) fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let first = self.best_move.as_ref().map_or(String::new(), |played| format!(" by {played}"));
        match &self.winner {
            Some(winner) => context.print(format_args!("{winner} wins{first}"))?,
            None => context.print("unknown")?,
        }
        if let Some(winning) = &self.winning_moves {
            match winning.is_empty() && self.has_unknown_moves() {
                true => context.print("no winning move known yet")?,
                false => context.print(counted(winning, "winning"))?,
            }
        }
        if let Some(unknown) = self.unknown_moves.as_ref().filter(|unknown| !unknown.is_empty()) {
            context.print(counted(unknown, "unknown"))?;
        }
        context.remark(format_args!("{} nodes, {:.3} s", self.nodes, self.seconds));
        Ok(())
    }
}

/// `2 winning moves: b1-b2/d2 d1-d2/b2`, `no winning move`.
fn counted(moves: &[String], kind: &str) -> String {
    match moves {
        [] => format!("no {kind} move"),
        [one] => format!("1 {kind} move: {one}"),
        all => format!("{} {kind} moves: {}", all.len(), all.join(" ")),
    }
}
