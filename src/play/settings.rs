//! How an engine plays.

use super::evaluation::Evaluation;

/// What an engine does beyond searching when few squares are left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Endgame {
    /// Nothing: moves are searched to the end like any others.
    Off,
    /// Counts territories, and proves ends by what each side can fill undisturbed.
    Bounds,
    /// The same, and where at most 64 squares take part a proof search takes a share of the time of
    /// each move.
    #[default]
    Proof,
}

/// The parts and the size of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How positions are evaluated.
    pub evaluation: Evaluation,
    /// What is done when few squares are left.
    pub endgame: Endgame,
    /// Moves looked at in each position, the best by evaluation; 0 for all.
    pub width: usize,
    /// Whether late moves are first looked at one move less deep.
    pub reductions: bool,
    /// Threads. An engine has 1 at least and 1024 at most, whatever is wanted.
    pub threads: usize,
    /// Bytes of the memory of earlier searches; 0 for none.
    pub memory: usize,
    /// How many of the best moves are searched exactly and reported, at least 1.
    pub lines: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            evaluation: Evaluation::default(),
            endgame: Endgame::default(),
            width: 0,
            reductions: true,
            threads: 1,
            memory: 64 << 20,
            lines: 1,
        }
    }
}
