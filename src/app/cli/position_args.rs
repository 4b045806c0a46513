//! The position that several subcommands take, with moves to play in it first.

use super::{Failure, OrFail, input};
use crate::game::notation::play_text;
use crate::game::rules::{IndexedMove, Position};

/// A position and moves.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PositionArgs {
    /// A board (its start position) or a FEN
    #[arg(value_parser = input::position)]
    pub(super) position: Position,

    /// Moves to play first, for example b1-b3/d3
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
}

impl PositionArgs {
    /// Plays the moves; gives the last one.
    ///
    /// # Errors
    /// The first move that is not legal.
    pub(super) fn play(&mut self) -> Result<Option<IndexedMove>, Failure> {
        let mut last = None;
        for text in std::mem::take(&mut self.moves) {
            let (played, after) = play_text(&self.position, &text).or_usage()?;
            (self.position, last) = (after, Some(played));
        }
        Ok(last)
    }
}
