//! The margins of some bits: planes are gone through from plane 0 outwards.

use super::stored::{BitPlace, StoredTiers, is_set};
use super::{TableError, TableMargin};
use crate::game::margin::Threshold;

/// Which way planes are gone through from plane 0.
#[derive(Clone, Copy)]
enum Outwards {
    /// With fewer and fewer spare moves, for positions that are won.
    Wins,
    /// With more and more, for those that are lost.
    Losses,
}

impl Outwards {
    fn wins(self) -> bool {
        matches!(self, Self::Wins)
    }

    fn step(self) -> i8 {
        match self {
            Self::Wins => -1,
            Self::Losses => 1,
        }
    }

    /// The margin of what is won, or lost, in a plane and no longer in the next.
    fn ends_behind(self, plane: i8) -> TableMargin {
        TableMargin::Exactly(self.threshold(plane))
    }

    /// What is known of what is won, or lost, in the last plane that there is.
    fn open_at(self, plane: i8) -> TableMargin {
        match self {
            Self::Wins => TableMargin::AtMost(self.threshold(plane)),
            Self::Losses => TableMargin::AtLeast(self.threshold(plane)),
        }
    }

    fn threshold(self, plane: i8) -> Threshold {
        match self {
            Self::Wins => Threshold::new(plane.into()),
            Self::Losses => Threshold::new(i16::from(plane) + 1),
        }
    }
}

impl StoredTiers {
    /// What the planes tell of the margins of some bits of a frame of plane 0.
    pub(super) fn margins(
        &self,
        place: &BitPlace<'_>,
        bits: &[usize],
    ) -> Result<Vec<TableMargin>, TableError> {
        let raw = self.with_frame(place, <[u8]>::to_vec)?;
        let mut margins = vec![TableMargin::Exactly(Threshold::new(0)); bits.len()];
        for outwards in [Outwards::Wins, Outwards::Losses] {
            let is_on = |&at: &usize| is_set(&raw, bits[at]) == outwards.wins();
            let open: Vec<usize> = (0..bits.len()).filter(is_on).collect();
            for (at, margin) in self.walk_outwards(place, outwards, raw.clone(), bits, open)? {
                margins[at] = margin;
            }
        }
        Ok(margins)
    }

    /// Goes from plane 0 outwards with bits that are won, or lost, until they are not any more. A
    /// plane that is not stored ends it.
    fn walk_outwards(
        &self,
        place: &BitPlace<'_>,
        outwards: Outwards,
        mut raw: Vec<u8>,
        bits: &[usize],
        mut open: Vec<usize>,
    ) -> Result<Vec<(usize, TableMargin)>, TableError> {
        let (shape, mut found, mut plane) = (*place.shape(), Vec::new(), 0);
        while !open.is_empty() {
            let next = shape.with_plane(plane + outwards.step());
            // Planes without a file are the same everywhere: won above 0, and lost below.
            let is_constant = next.constant().is_some() || self.is_beyond(next.plane());
            if !is_constant && !self.is_stored(&next) {
                found.extend(open.iter().map(|&at| (at, outwards.open_at(plane))));
                return Ok(found);
            }
            if !is_constant {
                self.read_behind(&next, place, &mut raw)?;
            }
            open.retain(|&at| {
                let goes_on = !is_constant && is_set(&raw, bits[at]) == outwards.wins();
                if !goes_on {
                    found.push((at, outwards.ends_behind(plane)));
                }
                goes_on
            });
            plane = next.plane();
        }
        Ok(found)
    }
}
