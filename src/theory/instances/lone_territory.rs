//! A territory of any size with one amazon in it.

use std::collections::BTreeSet;

use crate::machine::progress::StopFlag;
use crate::theory::region::{LineSegmentGraph, LoneAmazon, PositionsWithin};

/// Squares that are empty, all others being burned, and one amazon.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoneTerritory {
    columns: usize,
    rows: usize,
    /// By row from the top and column.
    empty: BTreeSet<(usize, usize)>,
    amazon: (usize, usize),
}

/// The longest play of a territory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LongestPlay {
    /// Its moves.
    pub moves: u32,
    /// Positions that were searched to know it.
    pub positions: u64,
}

/// Why the longest play of a territory was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoLongestPlay {
    /// More squares than a set of 128 bits holds.
    #[error("the longest play is searched on at most {most} squares, found {found}", most = LineSegmentGraph::MOST_POINTS)]
    TooLarge {
        /// The squares, the amazon's among them.
        found: usize,
    },
    /// More positions than fit the memory.
    #[error(
        "{positions} positions did not suffice to find the longest play; more memory holds more"
    )]
    Memory {
        /// Positions that were searched.
        positions: u64,
    },
    /// Somebody asked to stop.
    #[error("the search of the longest play was interrupted after {positions} positions")]
    Stopped {
        /// Positions that were searched.
        positions: u64,
    },
}

impl LoneTerritory {
    /// The territory of these squares, as rows from the top and columns from anywhere. One of them
    /// is the amazon's. The box around them is the board.
    ///
    /// # Panics
    /// If the amazon stands on none of them.
    pub fn new(squares: &[(isize, isize)], amazon: (isize, isize)) -> Self {
        let least = |of: fn(&(isize, isize)) -> isize| squares.iter().map(of).min().unwrap_or(0);
        let (top, left) = (least(|place| place.0), least(|place| place.1));
        let at = |place: (isize, isize)| (place.0.abs_diff(top), place.1.abs_diff(left));
        let mut empty: BTreeSet<_> = squares.iter().map(|&place| at(place)).collect();
        let rows = empty.iter().map(|place| place.0 + 1).max().unwrap_or(0);
        let columns = empty.iter().map(|place| place.1 + 1).max().unwrap_or(0);
        assert!(empty.remove(&at(amazon)), "the amazon stands on a square of the territory");
        Self { columns, rows, empty, amazon: at(amazon) }
    }

    /// Columns of the board, which may be more than ten.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Rows of the board, which may be more than ten.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of empty squares.
    pub fn empty_squares(&self) -> usize {
        self.empty.len()
    }

    /// The rows from the top: `Q` the amazon, `.` empty, `*` burned.
    pub fn drawing(&self) -> Vec<String> {
        let symbol = |place: (usize, usize)| match place {
            _ if place == self.amazon => 'Q',
            _ if self.empty.contains(&place) => '.',
            _ => '*',
        };
        let row = |row| (0..self.columns).map(|column| symbol((row, column))).collect();
        (0..self.rows).map(row).collect()
    }

    /// The position as FEN: a white amazon, and White to move. The program reads it if the board
    /// has at most 20 columns and rows.
    pub fn fen(&self) -> String {
        let runs = |row: String| {
            let run = |run: &[char]| match run {
                ['.', ..] => run.len().to_string(),
                _ => run.iter().collect(),
            };
            let symbols: Vec<char> = row.chars().collect();
            symbols.chunk_by(|a, b| a == b).map(run).collect::<String>()
        };
        let rows: Vec<String> = self.drawing().into_iter().map(runs).collect();
        format!("{} w", rows.join("/"))
    }

    /// The most moves that the amazon can make, by a search of all plays that remembers as many
    /// positions as fit so many bytes. Exponential in the squares.
    ///
    /// # Errors
    /// [`NoLongestPlay`] if the territory is too large, or the search was given up.
    pub fn longest_play(&self, bytes: u64, stop: &StopFlag) -> Result<LongestPlay, NoLongestPlay> {
        let squares: Vec<(usize, usize)> =
            std::iter::once(self.amazon).chain(self.empty.iter().copied()).collect();
        let graph = LineSegmentGraph::of_squares(&squares)
            .ok_or(NoLongestPlay::TooLarge { found: squares.len() })?;
        let mut search = LoneAmazon::remembering(&graph, PositionsWithin::new(bytes, stop.clone()));
        let moves = search.moves(0);
        let memory = search.into_memory();
        let positions = memory.positions();
        match () {
            () if memory.was_stopped() => Err(NoLongestPlay::Stopped { positions }),
            () if memory.was_full() => Err(NoLongestPlay::Memory { positions }),
            () => Ok(LongestPlay { moves, positions }),
        }
    }

    /// The squares, each with its king neighbours.
    #[cfg(test)]
    pub(super) fn king_graph(
        &self,
    ) -> std::collections::BTreeMap<(usize, usize), Vec<(usize, usize)>> {
        let squares = || self.empty.iter().chain([&self.amazon]).copied();
        let is_near = |a: (usize, usize), b: (usize, usize)| {
            a != b && a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1
        };
        squares().map(|a| (a, squares().filter(|&b| is_near(a, b)).collect())).collect()
    }
}
