//! What the search of a lone amazon's longest play remembers.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::game::board::Word;
use crate::machine::hash::Mix;
use crate::machine::progress::StopFlag;

/// Longest plays by free points and stand.
pub trait PlayMemory {
    /// A set of points.
    type Points: Word;

    /// What was put for this position, if it is remembered.
    fn get(&self, free: Self::Points, stand: usize) -> Option<u32>;

    /// Remembers the longest play of this position.
    fn put(&mut self, free: Self::Points, stand: usize, moves: u32);
}

/// A place for every position, `2^n n` of them for n points: for graphs of about 15 points.
#[derive(Debug)]
pub struct EveryPosition {
    points: usize,
    /// The longest play plus one, 0 if not known.
    known: Vec<u8>,
}

impl EveryPosition {
    /// For graphs of so many points.
    pub(super) fn of(points: usize) -> Self {
        Self { points, known: vec![0; points << points] }
    }

    fn place(&self, free: u64, stand: usize) -> usize {
        free as usize * self.points + stand
    }
}

impl PlayMemory for EveryPosition {
    type Points = u64;

    fn get(&self, free: u64, stand: usize) -> Option<u32> {
        u32::from(self.known[self.place(free, stand)]).checked_sub(1)
    }

    fn put(&mut self, free: u64, stand: usize, moves: u32) {
        let place = self.place(free, stand);
        self.known[place] = moves as u8 + 1;
    }
}

/// The positions that occurred, as many as fit. When no more fit, or somebody asks to stop, it
/// answers anything for every position, so that the search ends at once; its result is then void.
#[derive(Debug)]
pub struct PositionsWithin {
    known: HashMap<(u128, u8), u8, BuildHasherDefault<Mix>>,
    most: usize,
    stop: StopFlag,
    full: bool,
    stopped: bool,
}

/// Bytes of a position: an entry and its byte in a hash table that is half full, and half as much
/// while the table grows.
const POSITION_BYTES: u64 = 3 * (size_of::<((u128, u8), u8)>() as u64 + 1);
/// Positions between two looks at the stop flag.
const PULSE: usize = 1 << 12;

impl PositionsWithin {
    /// As many positions as fit so many bytes.
    pub fn new(bytes: u64, stop: StopFlag) -> Self {
        let most = usize::try_from(bytes / POSITION_BYTES).unwrap_or(usize::MAX);
        Self { known: HashMap::default(), most, stop, full: false, stopped: false }
    }

    /// Positions that are remembered.
    pub fn positions(&self) -> u64 {
        self.known.len() as u64
    }

    /// Whether there were more positions than fit.
    pub fn was_full(&self) -> bool {
        self.full
    }

    /// Whether somebody asked to stop.
    pub fn was_stopped(&self) -> bool {
        self.stopped
    }
}

impl PlayMemory for PositionsWithin {
    type Points = u128;

    fn get(&self, free: u128, stand: usize) -> Option<u32> {
        let known = self.known.get(&(free, stand as u8));
        known.map(|&moves| moves.into()).or((self.full || self.stopped).then_some(0))
    }

    fn put(&mut self, free: u128, stand: usize, moves: u32) {
        if self.full || self.stopped {
            return;
        }
        self.full = self.known.len() >= self.most;
        if self.full {
            return;
        }
        // A graph has at most 128 points, and each move burns one.
        self.known.insert((free, stand as u8), moves as u8);
        self.stopped = self.known.len().is_multiple_of(PULSE) && self.stop.is_set();
    }
}
