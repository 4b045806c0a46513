//! What `amazons annotate` says of a game.

use serde::Serialize;

use super::found::Found;
use crate::app::annotation::{Cost, Mark, alternatives, knows_all_moves, mark, story, winning};
use crate::app::cli::context::{Context, Failure};
use crate::app::counted::Counted;
use crate::app::threshold_report::ThresholdReport;
use crate::app::value::Value;
use crate::game::Outcome;
use crate::game::notation::sgf::{Game, NodeId, Tree};
use crate::game::notation::{fen, move_text};
use crate::knowledge::Basis;

/// What is said of a game.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) game: usize,
    /// The rules, unless they are those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rules: Option<String>,
    pub(super) board: String,
    pub(super) start: String,
    pub(super) start_value: Value,
    pub(super) positions: usize,
    pub(super) known: usize,
    pub(super) blunders: usize,
    pub(super) moves: Vec<MoveReport>,
    /// How it ended, since when that was certain, and the costliest move.
    pub(super) story: [String; 3],
    /// The same in words: a line for the game, its story, and a line for each blunder.
    #[serde(skip)]
    pub(super) lines: Vec<String>,
}

/// A move's value is its maker's.
#[derive(Default, Serialize)]
pub(super) struct MoveReport {
    pub(super) number: usize,
    #[serde(rename = "move")]
    pub(super) played: String,
    pub(super) side: String,
    pub(super) position: String,
    pub(super) value: Value,
    pub(super) basis: Option<String>,
    pub(super) main_line: bool,
    /// White's lead after it in squares, if that is estimated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) white_leads: Option<f64>,
    /// Whether it is one of those that cost the most, and what was better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) costly: Option<String>,
    /// The threshold that its maker has by it, if margins were asked for.
    #[serde(flatten)]
    pub(super) threshold: Option<ThresholdReport>,
    /// How many spare moves it cost, at least and at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cost: Option<[u16; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mark: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) winning_moves: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) all_winning_moves_known: Option<bool>,
}

impl Report {
    /// What was found out about a game.
    pub(super) fn of(game: &Game, number: usize, found: &Found) -> Self {
        report(game, number, found)
    }

    /// Whether nothing is known of the game, nor estimated.
    pub(super) fn says_nothing(&self) -> bool {
        self.known == 0 && self.moves.iter().all(|played| played.white_leads.is_none())
    }
}

fn report(game: &Game, number: usize, found: &Found) -> Report {
    let findings = &found.findings;
    let main_line = game.tree().main_line();
    let moves: Vec<MoveReport> = game
        .tree()
        .preorder()
        .into_iter()
        .filter_map(|id| move_report(game, id, found, main_line.contains(&id)))
        .collect();
    let start = game.position(Tree::ROOT);
    let mut report = Report {
        game: number,
        rules: None,
        board: start.board().to_string(),
        start: fen(start),
        start_value: Value::of(findings[0].value()),
        positions: findings.len(),
        known: findings.iter().filter(|finding| finding.value().is_some()).count(),
        blunders: moves.iter().filter(|played| played.mark == Some("blunder")).count(),
        moves,
        story: story(game, findings, &found.standings, &found.costly),
        lines: Vec::new(),
    };
    report.lines = lines(&report, game, found);
    report
}

fn move_report(game: &Game, id: NodeId, found: &Found, main_line: bool) -> Option<MoveReport> {
    let findings = &found.findings;
    let (played, parent) = (game.played(id)?, game.tree().node(id).parent()?);
    let (before, after, position) =
        (&findings[parent.index()], &findings[id.index()], game.position(id));
    let board = position.board();
    let mark = mark(game, id.index(), findings);
    let cost = found.costs.get(id.index()).copied().flatten();
    let won = before.value() == Some(Outcome::Win);
    Some(MoveReport {
        number: game.moves(id),
        played: move_text(board, played),
        side: position.turn().other().to_string(),
        position: fen(position),
        value: Value::of(after.value().map(Outcome::reversed)),
        basis: after.basis().map(Basis::to_string),
        main_line,
        white_leads: found.estimates[id.index()].map(|estimate| f64::from(estimate.white) / 100.0),
        costly: found
            .costly
            .iter()
            .find(|costly| costly.node == id)
            .map(|costly| costly.words(game)),
        threshold: cost.map(|Cost { after, .. }| after.into()),
        cost: cost.map(|cost| [cost.least(), cost.most()]),
        mark: mark.map(mark_name),
        winning_moves: won
            .then(|| winning(before).iter().map(|&played| move_text(board, played)).collect()),
        all_winning_moves_known: won.then(|| knows_all_moves(before)),
    })
}

/// A mark as JSON has it.
pub(super) fn mark_name(mark: Mark) -> &'static str {
    match mark {
        Mark::Blunder => "blunder",
        Mark::Only => "only",
    }
}

impl Report {
    /// Prints it as text or JSON.
    pub(super) fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        self.lines.iter().try_for_each(|line| context.print(line))
    }

    /// A line for the game, and its story.
    pub(super) fn first_lines(&self) -> Vec<String> {
        let Self { game: number, board, positions, known, blunders, .. } = self;
        let thrown = match blunders {
            0 => "no move is known to have thrown a win away".to_string(),
            some => format!("{} threw a win away", Counted(*some, "move")),
        };
        let rules = self.rules.as_ref().map_or(String::new(), |rules| format!("{rules} on "));
        let positions = Counted(*positions, "position");
        let first =
            format!("game {number}, {rules}{board}: {known} of {positions} known; {thrown}");
        let story = self.story.iter().map(|sentence| format!("  {sentence}"));
        std::iter::once(first).chain(story).collect()
    }

    /// Says it on standard error, where the games take standard output.
    pub(super) fn remark(&self, context: &Context) {
        self.lines.iter().for_each(|line| context.remark(line));
    }
}

fn lines(report: &Report, game: &Game, found: &Found) -> Vec<String> {
    let Found { findings, costs, .. } = found;
    let mut lines = report.first_lines();
    for id in game.tree().preorder() {
        if mark(game, id.index(), findings) == Some(Mark::Blunder) {
            let instead = alternatives(game, id.index(), findings).unwrap_or_default();
            lines.push(format!("  {}: {instead}", title(game, id)));
        }
        if let Some(cost) = costs.get(id.index()).copied().flatten().filter(|cost| cost.least() > 0)
        {
            lines.push(format!("  {}: {}", title(game, id), cost.words()));
        }
    }
    lines
}

/// The move of a node with its number and side, or what it is instead.
pub(super) fn title(game: &Game, id: NodeId) -> String {
    let position = game.position(id);
    match game.played(id) {
        Some(played) => {
            let (side, text) = (position.turn().other(), move_text(position.board(), played));
            format!("move {}, {side} {text}", game.moves(id))
        }
        None if id == Tree::ROOT => "start".to_string(),
        None => format!("after move {}", game.moves(id)),
    }
}
