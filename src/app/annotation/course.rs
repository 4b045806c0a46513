//! The course of a game: how each side stood after each move, and which moves cost the most.

use super::estimate::{Estimate, lead_words};
use super::judgement::{Mark, mark, winner, winning};
use crate::game::notation::move_text;
use crate::game::notation::sgf::{Game, NodeId};
use crate::game::rules::{Colour, IndexedMove};
use crate::knowledge::Finding;

/// How the sides stand in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It is known who wins.
    Won(Colour),
    /// By an estimate White leads by so many hundredths of a square.
    Lead(i32),
    /// Nothing is known, nor estimated.
    Unknown,
}

/// A move that cost its maker much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Costly {
    /// The node that it leads to.
    pub node: NodeId,
    /// How the sides stood before it.
    pub before: Standing,
    /// How they stood after it.
    pub after: Standing,
    /// A move that would have kept more; `None` if none is named.
    pub better: Option<IndexedMove>,
}

/// A position that is known to be won counts for this many hundredths of a square beside estimates.
const WON: i32 = 1000;
/// A win that was thrown away costs more than anything that is estimated.
const THROWN_AWAY: i32 = 100_000;
/// Moves that cost fewer hundredths of a square are not named: estimates are not that exact.
const LEAST: i32 = 200;

impl Standing {
    /// The lead of a side in hundredths of a square; `None` if nothing is known.
    pub fn lead(self, colour: Colour) -> Option<i32> {
        match self {
            Self::Won(winner) if winner == colour => Some(WON),
            Self::Won(_) => Some(-WON),
            Self::Lead(white) if colour == Colour::White => Some(white),
            Self::Lead(white) => Some(-white),
            Self::Unknown => None,
        }
    }

    /// In words.
    pub fn words(self) -> String {
        match self {
            Self::Won(winner) => format!("{winner} wins"),
            Self::Lead(white) => lead_words(white),
            Self::Unknown => "nothing is known".to_string(),
        }
    }
}

impl Costly {
    /// What it cost, in words.
    pub fn words(&self, game: &Game) -> String {
        let (before, after) = (self.before.words(), self.after.words());
        let better = self.better.map_or(String::new(), |better| {
            format!("; {} was better", move_text(game.position(self.node).board(), better))
        });
        format!("before this move {before}, after it {after}{better}")
    }
}

/// How the sides stand at each node, and the moves of the main line that cost the most, the worst
/// first, at most so many.
///
/// # Panics
/// If there are fewer findings or estimates than nodes.
pub fn course(
    game: &Game,
    findings: &[Finding],
    estimates: &[Option<Estimate>],
    most: usize,
) -> (Vec<Standing>, Vec<Costly>) {
    let standing = |id: NodeId| match winner(game.position(id), &findings[id.index()]) {
        Some(winner) => Standing::Won(winner),
        None => {
            estimates[id.index()].map_or(Standing::Unknown, |found| Standing::Lead(found.white))
        }
    };
    let standings: Vec<Standing> = game.tree().ids().map(standing).collect();
    let mut costs = Vec::new();
    for id in game.tree().main_line() {
        let Some((played, parent)) = game.played(id).zip(game.tree().node(id).parent()) else {
            continue;
        };
        let (before, after) = (standings[parent.index()], standings[id.index()]);
        let maker = game.position(parent).turn();
        let thrown_away = mark(game, id.index(), findings) == Some(Mark::Blunder);
        let lost = before.lead(maker).zip(after.lead(maker)).map(|(before, after)| before - after);
        let cost = match before {
            _ if thrown_away => Some(THROWN_AWAY),
            // An estimate does not tell whether the win was kept.
            Standing::Won(_) => None,
            Standing::Lead(_) | Standing::Unknown => lost,
        };
        let by_estimate = estimates[parent.index()].and_then(|found| found.best);
        let better = winning(&findings[parent.index()]).first().copied().or(by_estimate);
        let better = better.filter(|&better| better != played);
        if let Some(cost) = cost.filter(|&cost| cost >= LEAST) {
            costs.push((cost, Costly { node: id, before, after, better }));
        }
    }
    // Among equals the earlier move goes first.
    costs.sort_by_key(|&(cost, _)| std::cmp::Reverse(cost));
    (standings, costs.into_iter().take(most).map(|(_, costly)| costly).collect())
}
