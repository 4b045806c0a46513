//! Values that need no search: what the exact bounds of the proof search say at first sight.
//!
//! A small board's endgame, or a large board's that has fallen apart into territories, is often
//! decided by them. One solver a board is kept for its rays and bounds; its table stays empty.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::{IndexedMove, Position};
use crate::machine::progress::StopFlag;
use crate::search::{Settings, Solver};

/// Bounds on all boards, made when they are first needed.
#[derive(Debug, Default)]
pub struct Bounds {
    boards: Mutex<HashMap<Board, Option<Arc<Solver<'static>>>>>,
}

/// The bounds of one board.
#[derive(Clone, Debug)]
pub(crate) struct BoundsOn(Arc<Solver<'static>>);

impl Bounds {
    /// Those of a board; `None` if it has more squares than the search takes.
    pub(crate) fn on(&self, board: Board) -> Option<BoundsOn> {
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        let solver = boards.entry(board).or_insert_with(|| {
            let settings = Settings { table_bytes: 1, threads: 1, seed: 0 };
            Solver::new(board, settings, StopFlag::new()).ok().map(Arc::new)
        });
        solver.clone().map(BoundsOn)
    }
}

impl BoundsOn {
    /// What the side to move reaches, if the bounds tell.
    pub(crate) fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.0.known(position).ok().flatten()
    }

    /// The moves of a position of the board, and what their maker reaches by each, if the bounds
    /// tell.
    pub(crate) fn moves(&self, position: &Position) -> Vec<(IndexedMove, Option<Outcome>)> {
        let Some(plain) = position.bitboards() else { return Vec::new() };
        let rules = self.0.board_data().rules();
        let judged = |played: IndexedMove| {
            let after = self.0.proved(&rules.play_unchecked(&plain, played));
            (played, after.map(Outcome::reversed))
        };
        rules.moves(&plain).into_iter().map(judged).collect()
    }
}
