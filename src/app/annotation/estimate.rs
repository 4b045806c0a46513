//! What the engine thinks of a position whose winner is not known.

use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::{Colour, IndexedMove, Position};
use crate::knowledge::{Basis, Finding, SourceError};
use crate::machine::progress::StopFlag;
use crate::play::{Endgame, Engine, EngineError, Limits, Settings};

/// Who leads by about how much, and by which move. It proves nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Estimate {
    /// White's lead in hundredths of a square.
    pub white: i32,
    /// The move that the engine would play.
    pub best: Option<IndexedMove>,
}

impl Estimate {
    /// Who leads, in words.
    pub fn words(&self) -> String {
        lead_words(self.white)
    }
}

/// `white leads by about 3.2 squares`, of hundredths of a square.
pub(super) fn lead_words(white: i32) -> String {
    let squares = f64::from(white.abs()) / 100.0;
    let leader = if white > 0 { Colour::White } else { Colour::Black };
    match (squares * 10.0).round() as i64 {
        0 => "nobody leads".to_string(),
        _ => format!("{leader} leads by about {squares:.1} squares"),
    }
}

/// An engine that estimates positions, each as if it were the first.
#[derive(Debug)]
pub struct Estimator {
    engine: Engine,
    limits: Limits,
    stop: StopFlag,
}

/// Bytes of the engine's memory of positions; all of it is cleared for each estimate.
const MEMORY: usize = 8 << 20;

impl Estimator {
    /// One for a board that looks at positions within limits. It has one thread, so with a limit
    /// of positions its estimates are the same every time.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(board: Board, limits: Limits, stop: StopFlag) -> Result<Self, EngineError> {
        let settings = Settings { endgame: Endgame::Bounds, memory: MEMORY, ..Settings::default() };
        Ok(Self { engine: Engine::new(board, settings)?, limits, stop })
    }

    /// What the engine thinks of a position. Where it finds the end proved, that is told to the
    /// finding, and there is nothing to estimate.
    ///
    /// # Errors
    /// If the position is of another board, or the proof contradicts the finding.
    pub fn estimate(
        &mut self,
        position: &Position,
        finding: &mut Finding,
    ) -> Result<Option<Estimate>, EstimateError> {
        self.engine.forget();
        let decision = self.engine.choose(position, &self.limits, &self.stop, &mut |_| {})?;
        if let Some(value) = decision.score.proven() {
            finding.tell_value(value, &Basis::Proof)?;
            if let (Outcome::Win, Some(played)) = (value, decision.played) {
                finding.tell_move(played, value, &Basis::Proof)?;
            }
            return Ok(None);
        }
        let lead = decision.score.hundredths();
        let white = if position.turn() == Colour::White { lead } else { -lead };
        Ok(Some(Estimate { white, best: decision.played }))
    }
}

/// Why there is no estimate.
#[derive(Debug, thiserror::Error)]
pub enum EstimateError {
    /// Of the engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The end that the engine proved contradicts what is known.
    #[error(transparent)]
    Source(#[from] SourceError),
}
