//! Who chooses the program's moves, whatever the rules.

use serde::Serialize;

use super::super::Failure;
use crate::app::counted::Counted;
use crate::game::AnyPosition;

/// What chooses the program's moves in the positions of one game on one board.
pub(super) trait Chooser {
    /// What the program would play.
    fn choose(&mut self, position: &AnyPosition) -> Result<Choice, Failure>;
}

/// A move of the program, `None` if there is none, and what it has to say of it.
pub(super) struct Choice {
    pub(super) played: Option<String>,
    pub(super) thought: Thought,
}

/// What the program has to say of its move.
#[derive(Serialize)]
pub(super) struct Thought {
    /// `win`, `loss` or a lead in squares, for the side that moved.
    pub(super) score: String,
    pub(super) source: &'static str,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

impl Thought {
    pub(super) fn words(&self) -> String {
        let Self { score, source, depth, nodes, seconds } = self;
        match source {
            &"search" => {
                let nodes = Counted(*nodes, "position");
                format!("score {score}, depth {depth}, {nodes}, {seconds:.1} s")
            }
            _ => format!("score {score} ({source}), {seconds:.1} s"),
        }
    }
}
