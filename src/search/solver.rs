//! The solver: a board, a table, and the search of a position on it.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::busy::Busy;
use super::canonical::Squares;
use super::dfpn::{Common, Node, Worker};
use super::ground::Ground;
use super::oracle::Oracle;
use super::reduction::Reduced;
use super::table::Table;
use crate::board::{Board, BoardError};
use crate::rules::Position;

/// How a search is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Most bytes of the transposition table.
    pub table_bytes: u64,
    /// Number of searching threads, at least 1.
    pub threads: usize,
    /// Stirs the keys. With one thread, the same seed and table size give the same search.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { table_bytes: 256 << 20, threads: 1, seed: 0 }
    }
}

/// Why there is no solver.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// The board has more than 64 squares.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The system does not give the memory for the table.
    #[error("no memory for a table of {bytes} bytes: {source}; give a smaller --memory")]
    Memory {
        /// Bytes asked for.
        bytes: u64,
        /// What the system says.
        source: io::Error,
    },
}

/// A proof-number solver for the positions of one board.
#[derive(Debug)]
pub struct Solver<'o> {
    pub(super) ground: Ground,
    pub(super) table: Table,
    busy: Busy,
    oracle: Option<&'o dyn Oracle>,
    settings: Settings,
    stop: AtomicBool,
    nodes: AtomicU64,
}

impl<'o> Solver<'o> {
    /// A solver that knows nothing yet.
    ///
    /// # Errors
    /// If the board is too large or there is no memory for the table.
    pub fn new(board: Board, settings: Settings) -> Result<Self, SolverError> {
        let ground = Ground::new(board, settings.seed)?;
        let bytes = settings.table_bytes;
        let table = Table::new(bytes, ground.scrambler.bits())
            .map_err(|source| SolverError::Memory { bytes, source })?;
        let (stop, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        Ok(Self { ground, table, busy: Busy::new(), oracle: None, settings, stop, nodes })
    }

    /// The same solver with positions answered by an oracle where it knows them.
    pub fn with_oracle(self, oracle: &'o dyn Oracle) -> Self {
        Self { oracle: Some(oracle), ..self }
    }

    /// The board and its rules.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Positions evaluated so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Ends the running search soon; it may be called from another thread.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the side to move wins, or `None` if the search was stopped.
    pub fn solve(&self, position: &Position) -> Option<bool> {
        let parallel = self.settings.threads > 1;
        let common = self.common(parallel);
        let node = match Worker::new(&common).reduce(self.squares(position), 0) {
            Reduced::Decided(win) => return Some(win),
            Reduced::Open(sum, key) => Node { sum, key },
        };
        if !parallel {
            return Worker::new(&common).solve(node);
        }
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.settings.threads)
                .map(|_| scope.spawn(|| Worker::new(&common).solve(node)))
                .collect();
            let verdicts = threads.into_iter().map(|thread| thread.join().expect("a worker does not panic"));
            verdicts.fold(None, Option::or)
        })
    }

    fn common(&self, parallel: bool) -> Common<'_> {
        Common {
            ground: &self.ground,
            table: &self.table,
            busy: &self.busy,
            oracle: self.oracle,
            stop: &self.stop,
            nodes: &self.nodes,
            parallel,
        }
    }

    fn squares(&self, position: &Position) -> Squares {
        let empty = position.empty(self.ground.board());
        Squares { empty, mover: position.mover, opponent: position.opponent }
    }
}
