//! Values of many positions: each frame is decoded once, on all threads.

use rayon::prelude::*;

use super::probe::Place;
use super::{Table, TableError};
use crate::game::{Outcome, Position};

/// The bit of a position: its tier, its frame, and where it is in there.
#[derive(Clone, Copy, Debug)]
struct Sought {
    tier: (u8, u8),
    index: u32,
    frame: u64,
    bit: usize,
}

impl Sought {
    fn new(place: &Place<'_>, index: u32) -> Self {
        let (arrows, mover, frame) = place.frame_key();
        Self { tier: (arrows as u8, mover as u8), index, frame, bit: place.bit() }
    }

    fn frame(&self) -> ((u8, u8), u64) {
        (self.tier, self.frame)
    }
}

impl Table {
    /// What the side to move reaches in each position: as [`Self::value`] says of one, in the same
    /// order. Positions of one frame cost one decoding, wherever they stand, so a hundred thousand
    /// at a time cost a fraction of what they cost one by one. Takes about 100 bytes a position.
    ///
    /// # Panics
    /// If there are 2^32 positions or more.
    pub fn values(&self, positions: &[Position]) -> Vec<Result<Outcome, TableError>> {
        let count = u32::try_from(positions.len()).expect("fewer than 2^32 positions");
        let mut sought: Vec<Sought> = (0..count)
            .into_par_iter()
            .filter_map(|index| {
                let place = self.place_of(&positions[index as usize])?;
                Some(Sought::new(&place, index))
            })
            .collect();
        sought.par_sort_unstable_by_key(Sought::frame);
        let frames: Vec<&[Sought]> = sought.chunk_by(|a, b| a.frame() == b.frame()).collect();
        let read = |sought: &&[Sought]| -> Option<Vec<(u32, Outcome)>> {
            let place = self.place_of(&positions[sought.first()?.index as usize])?;
            let bits = |raw: &[u8]| -> Vec<(u32, Outcome)> {
                let wins = |bit: usize| raw[bit / 8] >> (bit % 8) & 1 != 0;
                let found = |sought: &Sought| (sought.index, Outcome::win_if(wins(sought.bit)));
                sought.iter().map(found).collect()
            };
            // What goes wrong is said of each of its positions below.
            self.with_frame(&place, bits).ok()
        };
        let mut known = vec![None; positions.len()];
        let found: Vec<Vec<(u32, Outcome)>> = frames.par_iter().filter_map(read).collect();
        for (index, outcome) in found.into_iter().flatten() {
            known[index as usize] = Some(outcome);
        }
        let one = |(position, known): (&Position, Option<Outcome>)| match known {
            Some(outcome) => Ok(outcome),
            None => self.value(position),
        };
        positions.par_iter().zip(known).map(one).collect()
    }
}
