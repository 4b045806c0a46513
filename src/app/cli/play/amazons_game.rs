//! Amazons itself, played by the engine.

use std::time::Instant;

use super::super::{Failure, OrFail};
use super::game::{Choice, Game, Thought};
use crate::game::board::{Board, SquareIndex};
use crate::game::notation::{Symbols, diagram, fen, move_text, play_text};
use crate::game::rules::{Colour, Position, Rules};
use crate::machine::progress::StopFlag;
use crate::play::{Engine, Limits};

/// The game of Amazons on one board.
pub(super) struct AmazonsGame {
    rules: Rules<u128>,
    player: Engine,
    limits: Limits,
}

impl AmazonsGame {
    pub(super) fn new(player: Engine, limits: Limits) -> Self {
        let rules = Rules::new(player.board()).expect("every board fits 128 bits");
        Self { rules, player, limits }
    }
}

impl Game for AmazonsGame {
    type Position = Position;

    fn board(&self, position: &Position) -> Board {
        position.board()
    }

    fn turn(&self, position: &Position) -> Colour {
        position.turn()
    }

    fn fen(&self, position: &Position) -> String {
        fen(position)
    }

    fn diagram(&self, position: &Position) -> String {
        diagram(position, Symbols::Ascii)
    }

    fn moves(&self, position: &Position, from: Option<SquareIndex>) -> Vec<String> {
        let all = position.bitboards().map_or_else(Vec::new, |plain| self.rules.moves(&plain));
        let wanted = all.into_iter().filter(|played| from.is_none_or(|from| played.from == from));
        wanted.map(|played| move_text(position.board(), played)).collect()
    }

    fn can_move(&self, position: &Position) -> bool {
        position.bitboards().is_some_and(|plain| self.rules.can_move(&plain))
    }

    fn play(&self, position: &Position, text: &str) -> Result<(String, Position), String> {
        let (played, after) = play_text(position, text).map_err(|error| error.to_string())?;
        Ok((move_text(position.board(), played), after))
    }

    fn choose(&mut self, position: &Position) -> Result<Choice, Failure> {
        let began = Instant::now();
        let stop = StopFlag::new();
        let decision =
            self.player.choose(position, &self.limits, &stop, &mut |_| {}).or_failed()?;
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
