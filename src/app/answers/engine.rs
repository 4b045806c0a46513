//! `/api/v1/engine`: the engine's move, its score and the play that it expects.
//!
//! The levels differ in how far the engine looks and in what it knows. All but the highest play
//! without tables and proofs, so that there is something to win against them where everything is
//! solved. All end after so many positions, or after [`LONGEST`].

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::answer::report;
use super::refusal::Refusal;
use crate::app::value::Value;
use crate::game::AnyPosition;
use crate::game::notation::move_text;
use crate::game::rules::Position;
use crate::game::variants::VariantPosition;
use crate::knowledge::Knowledge;
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::play::{
    Decision, Endgame, Engine, EngineError, Evaluation, Limits, MoveSource, Settings, Terms,
    VariantEngine,
};

/// How well to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// One move ahead, by the number of steps alone.
    Beginner,
    /// One move ahead.
    Easy,
    /// A few thousand positions.
    Medium,
    /// A hundred thousand positions.
    Hard,
    /// Tables, proofs, and as many positions as there is time for.
    Best,
    /// For a score and a line: forty thousand positions, and neither tables nor proofs.
    Analysis,
}

/// The longest time for a move.
const LONGEST: Duration = Duration::from_secs(2);
/// Bytes of the engine's memory.
const MEMORY: usize = 16 << 20;
/// Positions in a move's time on any machine that this runs on; time ends it on slower ones.
const MOST_NODES: u64 = 1_000_000;
/// Positions of [`Level::Easy`] by other rules.
const EASY_NODES: u64 = 400;

/// `/api/v1/engine`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Thought {
    /// The move; absent if the side to move has lost.
    #[serde(rename = "move")]
    played: Option<String>,
    /// A lead for the side to move, in squares, by other rules in steps; absent if the end is
    /// proved.
    lead: Option<f64>,
    /// What the side to move reaches, if that is proved.
    proved: Option<Value>,
    /// Where the move is from: `only`, `known`, `filling`, `proof` or `search`.
    source: &'static str,
    /// The play that the engine expects, its move first.
    line: Vec<String>,
    /// Moves looked ahead.
    depth: u32,
    nodes: u64,
    seconds: f64,
}

impl Level {
    fn settings(self) -> (Settings, Limits) {
        let full = Settings { memory: MEMORY, ..Settings::default() };
        let blind = Evaluation { terms: Terms::Mobility, territories: false };
        let weak = Settings { endgame: Endgame::Off, ..full };
        let bounded = Settings { endgame: Endgame::Bounds, ..full };
        let time = Some(LONGEST);
        let depth = |depth| Limits { time, depth: Some(depth), ..Limits::default() };
        let nodes = |nodes| Limits { time, nodes: Some(nodes), ..Limits::default() };
        match self {
            Self::Beginner => (Settings { evaluation: blind, ..weak }, depth(1)),
            Self::Easy => (weak, depth(1)),
            Self::Medium => (weak, nodes(4_000)),
            Self::Hard => (bounded, nodes(100_000)),
            Self::Best => (full, nodes(MOST_NODES)),
            Self::Analysis => (bounded, nodes(40_000)),
        }
    }

    /// The limits by other rules, and whether proofs are looked for.
    fn by_other_rules(self) -> (Limits, bool) {
        let (_, limits) = self.settings();
        match self {
            Self::Easy => (Limits { nodes: Some(EASY_NODES), depth: None, ..limits }, false),
            Self::Beginner | Self::Medium => (limits, false),
            Self::Hard | Self::Best | Self::Analysis => (limits, true),
        }
    }

    /// Whether it plays by what is known.
    fn plays_what_is_known(self) -> bool {
        self == Self::Best
    }
}

/// What the engine thinks of a position.
pub(crate) fn think(
    position: &Position,
    level: Level,
    knowledge: &Arc<Knowledge>,
    stop: &StopFlag,
) -> Result<Thought, Refusal> {
    let began = Instant::now();
    let (settings, limits) = level.settings();
    let failed = |error: EngineError| match error {
        EngineError::Known(_) => Refusal::no_table("a table of this board is missing or damaged"),
        _ => Refusal::internal(),
    };
    let engine = Engine::new(position.board(), settings).map_err(failed)?;
    let mut engine = match level.plays_what_is_known() {
        true => engine.with_known(knowledge.clone()),
        false => engine,
    };
    let decision = engine.choose(position, &limits, stop, &mut |_| {}).map_err(failed)?;
    Ok(Thought::of(position, &decision, began.elapsed()))
}

/// What the player of the other games thinks of a position.
pub(crate) fn think_by_other_rules(
    position: &VariantPosition,
    level: Level,
    knowledge: &Knowledge,
    stop: &StopFlag,
) -> Result<Thought, Refusal> {
    let began = Instant::now();
    // What is said of all moves takes long on large boards.
    let is_known = || knowledge.by_other_rules(position).map(|known| known.value().is_some());
    if level.plays_what_is_known() && is_known()? {
        let found = report(knowledge, &AnyPosition::Variant(*position))?;
        if let Some(best) = found.moves.first().filter(|best| best.value == found.value) {
            return Ok(Thought::of_known(&best.played, best.value, began.elapsed()));
        }
    }
    let (limits, proves) = level.by_other_rules();
    let (board, rules) = (position.board(), position.rules());
    let engine = VariantEngine::new(board, rules, MEMORY as u64, stop.clone());
    let engine = engine.map_err(|_| Refusal::internal())?;
    let mut engine = if proves { engine } else { engine.without_proofs() };
    let decision = engine.choose(position, &limits).map_err(|_| Refusal::internal())?;
    let played = decision.played.map(|played| played.text(board));
    let proved = decision.score.proven();
    let lead = f64::from(decision.score.hundredths()) / f64::from(VariantEngine::STEP);
    Ok(Thought {
        line: played.iter().cloned().collect(),
        played,
        lead: proved.is_none().then_some(lead),
        proved: proved.map(|outcome| Value::of(Some(outcome))),
        source: decision.source.word(),
        depth: decision.depth,
        nodes: decision.nodes,
        seconds: began.elapsed().as_secs_f64(),
    })
}

impl Thought {
    /// A move whose value is known.
    fn of_known(played: &str, value: Value, time: Duration) -> Self {
        Self {
            played: Some(played.to_string()),
            lead: None,
            proved: Some(value),
            source: MoveSource::Known.word(),
            line: vec![played.to_string()],
            depth: 0,
            nodes: 0,
            seconds: time.as_secs_f64(),
        }
    }

    fn of(position: &Position, decision: &Decision, time: Duration) -> Self {
        let board = position.board();
        let line = decision.lines.first();
        let proved = decision.score.proven();
        let lead = f64::from(decision.score.hundredths()) / 100.0;
        let moves = line.map_or(&[][..], |line| &line.moves);
        Self {
            played: decision.played.map(|played| move_text(board, played)),
            lead: proved.is_none().then_some(lead),
            proved: proved.map(|outcome| Value::of(Some(outcome))),
            source: decision.source.word(),
            line: moves.iter().map(|&played| move_text(board, played)).collect(),
            depth: line.map_or(0, |line| line.depth),
            nodes: decision.nodes,
            seconds: time.as_secs_f64(),
        }
    }
}
