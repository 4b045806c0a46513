//! Looking many positions up at once: those of one frame cost one decoding.

use rayon::prelude::*;

use super::stored::{BitPlace, is_set};
use super::{Table, TableError, TableMargin};
use crate::game::Outcome;
use crate::game::rules::Position;
use crate::machine::progress::StopFlag;

impl Table {
    /// What the side to move reaches in each position: as [`Self::value`] says of one, in the same
    /// order. Positions of one frame cost one decoding, wherever they stand, so a hundred thousand
    /// at a time cost a fraction of what they cost one by one. Takes about 100 bytes a position.
    ///
    /// # Panics
    /// If there are 2^32 positions or more.
    pub fn values(&self, positions: &[Position]) -> Vec<Result<Outcome, TableError>> {
        self.values_until(positions, &StopFlag::new()).unwrap_or_default()
    }

    /// As [`Self::values`]; `None` if somebody asked to stop meanwhile.
    ///
    /// # Panics
    /// As [`Self::values`].
    pub fn values_until(
        &self,
        positions: &[Position],
        stop: &StopFlag,
    ) -> Option<Vec<Result<Outcome, TableError>>> {
        let known = self.by_frame(positions, stop, |place, sought| {
            let bits = |raw: &[u8]| -> Vec<Outcome> {
                let outcome = |sought: &Sought| Outcome::win_if(is_set(raw, sought.bit));
                sought.iter().map(outcome).collect()
            };
            self.stored().with_frame(place, bits).ok()
        });
        let one = |(position, known): (&Position, Option<Outcome>)| match known {
            _ if stop.is_set() => None,
            Some(outcome) => Some(Ok(outcome)),
            None => Some(self.value(position)),
        };
        positions.par_iter().zip(known).map(one).collect()
    }

    /// By how much each position is won or lost, as [`Self::margin`] says of one, in the same
    /// order; positions of one frame cost one decoding, as with [`Self::values`].
    ///
    /// # Panics
    /// If there are 2^32 positions or more.
    pub fn margins(&self, positions: &[Position]) -> Vec<Result<Option<TableMargin>, TableError>> {
        self.margins_until(positions, &StopFlag::new()).unwrap_or_default()
    }

    /// As [`Self::margins`]; `None` if somebody asked to stop meanwhile.
    ///
    /// # Panics
    /// As [`Self::margins`].
    pub fn margins_until(
        &self,
        positions: &[Position],
        stop: &StopFlag,
    ) -> Option<Vec<Result<Option<TableMargin>, TableError>>> {
        let known = match self.has_margins() {
            true => self.by_frame(positions, stop, |place, sought| {
                let bits: Vec<usize> = sought.iter().map(|sought| sought.bit).collect();
                self.stored().margins(place, &bits).ok()
            }),
            false => vec![None; positions.len()],
        };
        let one = |(position, known): (&Position, Option<TableMargin>)| match known {
            _ if stop.is_set() => None,
            Some(margin) => Some(Ok(Some(margin))),
            None => Some(self.margin(position)),
        };
        positions.par_iter().zip(known).map(one).collect()
    }

    /// What `read` finds of each position, which gets those of one frame together. `None` where it
    /// finds nothing, or the position is not stored: what goes wrong is said of it when it is asked
    /// for alone.
    fn by_frame<T: Copy + Send>(
        &self,
        positions: &[Position],
        stop: &StopFlag,
        read: impl Fn(&BitPlace<'_>, &[Sought]) -> Option<Vec<T>> + Sync,
    ) -> Vec<Option<T>> {
        let count = u32::try_from(positions.len()).expect("fewer than 2^32 positions");
        let mut sought: Vec<Sought> = (0..count)
            .into_par_iter()
            .filter(|_| !stop.is_set())
            .filter_map(|index| {
                let place = self.place_of(&positions[index as usize])?;
                Some(Sought::new(&place, index))
            })
            .collect();
        sought.par_sort_unstable_by_key(Sought::frame);
        let frames: Vec<&[Sought]> = sought.chunk_by(|a, b| a.frame() == b.frame()).collect();
        let of_frame = |sought: &&[Sought]| -> Option<Vec<(u32, T)>> {
            if stop.is_set() {
                return None;
            }
            let place = self.place_of(&positions[sought.first()?.index as usize])?;
            let found = read(&place, sought)?;
            Some(sought.iter().map(|sought| sought.index).zip(found).collect())
        };
        let mut known = vec![None; positions.len()];
        let found: Vec<Vec<(u32, T)>> = frames.par_iter().filter_map(of_frame).collect();
        for (index, found) in found.into_iter().flatten() {
            known[index as usize] = Some(found);
        }
        known
    }

    /// Where the bit of a position is, as the table has it; `None` if it is not stored or something
    /// is wrong.
    fn place_of(&self, position: &Position) -> Option<BitPlace<'_>> {
        let location = self.index().locate(&self.turned(position)?).ok()?;
        self.stored().place(&location).ok().flatten()
    }
}

/// The bit of a position: its tier, its frame, and where it is in there.
#[derive(Clone, Copy, Debug)]
struct Sought {
    /// Arrows, amazons of the mover and of the opponent.
    tier: [u8; 3],
    index: u32,
    frame: u64,
    bit: usize,
}

impl Sought {
    fn new(place: &BitPlace<'_>, index: u32) -> Self {
        let (tier, frame) = place.frame_key();
        Self { tier: tier.map(|count| count as u8), index, frame, bit: place.bit() }
    }

    fn frame(&self) -> ([u8; 3], u64) {
        (self.tier, self.frame)
    }
}
