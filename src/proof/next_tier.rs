//! The positions that a certificate must list next, gathered while a tier of it is written.

use super::{Codes, CodesBuilder};
use crate::game::code::Code;
use crate::machine::framed::MOST_ITEMS;

/// Answers to a move that have to be listed, on average of many positions, at the most.
const ANSWERS: u64 = 256;

/// The codes of the positions two plies on, within a bound on memory.
#[derive(Debug)]
pub(crate) struct NextTier {
    /// Burned squares of these positions.
    arrows: usize,
    codes: CodesBuilder,
    /// Bytes of the tier that is being written.
    before: u64,
    allowed: u64,
}

/// That the codes of two tiers do not fit.
#[derive(Debug)]
pub(crate) struct TooManyCodes {
    /// Burned squares of the positions that do not fit.
    pub(crate) arrows: usize,
    /// Bytes that may be used.
    pub(crate) allowed: u64,
}

impl NextTier {
    /// None yet with so many arrows, beside the codes of the tier that leads to them.
    pub(crate) fn new(arrows: usize, tier: &Codes, allowed: u64) -> Self {
        Self { arrows, codes: CodesBuilder::default(), before: tier.bytes(), allowed }
    }

    /// To how many positions the answers may be held at once: an eighth of the memory.
    pub(crate) fn together(allowed: u64) -> usize {
        let codes = allowed / 8 / size_of::<Code>() as u64;
        (codes / ANSWERS).clamp(1 << 8, MOST_ITEMS as u64) as usize
    }

    /// Adds codes, in any order.
    ///
    /// # Errors
    /// If they do not fit. Whoever gathers answers holds them twice, and sorted sets of them are
    /// merged into new ones.
    pub(crate) fn add(&mut self, codes: Vec<Code>) -> Result<(), TooManyCodes> {
        let bytes = codes.capacity() as u64 * size_of::<Code>() as u64;
        if self.before + 2 * self.codes.bytes() + 2 * bytes > self.allowed {
            return Err(TooManyCodes { arrows: self.arrows, allowed: self.allowed });
        }
        self.codes.add(codes);
        Ok(())
    }

    /// All codes that were added.
    pub(crate) fn finish(self) -> Codes {
        self.codes.finish()
    }
}
