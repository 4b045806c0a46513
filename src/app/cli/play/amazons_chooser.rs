//! The program's moves in Amazons itself: those of the engine.

use std::time::Instant;

use super::super::{Failure, OrFail};
use super::chooser::{Choice, Chooser, Thought};
use crate::game::AnyPosition;
use crate::game::notation::move_text;
use crate::machine::progress::StopFlag;
use crate::play::{Engine, Limits};

/// An engine of Amazons on one board, with its limits.
pub(super) struct AmazonsChooser {
    engine: Engine,
    limits: Limits,
}

impl AmazonsChooser {
    pub(super) fn new(engine: Engine, limits: Limits) -> Self {
        Self { engine, limits }
    }
}

impl Chooser for AmazonsChooser {
    fn choose(&mut self, position: &AnyPosition) -> Result<Choice, Failure> {
        let (began, stop) = (Instant::now(), StopFlag::new());
        let decision =
            self.engine.choose(position.squares(), &self.limits, &stop, &mut |_| {}).or_failed()?;
        let thought = Thought {
            score: decision.score.to_string(),
            source: decision.source.word(),
            depth: decision.lines.first().map_or(0, |line| line.depth),
            nodes: decision.nodes,
            seconds: began.elapsed().as_secs_f64(),
        };
        let played = decision.played.map(|played| move_text(position.board(), played));
        Ok(Choice { played, thought })
    }
}
