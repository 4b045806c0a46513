//! What came of comparing entries with what their moves say.

use crate::game::rules::Bitboards;

/// Entries compared with what their moves say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Entries derived and compared, each as often as it was drawn.
    pub checked: u64,
    /// At least so many of them are different ones.
    pub different: u64,
    /// Tiers whose wins and hash were held against their entries.
    pub tiers: u64,
    /// Entries that are wrong.
    pub mismatches: u64,
    /// A position with a wrong entry, if there is one.
    pub first: Option<Bitboards<u64>>,
}

impl Comparison {
    /// Both; the first wrong position is that of `self`, if it has one.
    pub(in crate::verify) fn merge(self, other: Self) -> Self {
        Self {
            checked: self.checked + other.checked,
            different: self.different + other.different,
            tiers: self.tiers + other.tiers,
            mismatches: self.mismatches + other.mismatches,
            first: self.first.or(other.first),
        }
    }
}
