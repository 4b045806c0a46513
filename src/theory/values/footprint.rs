//! How many bytes values and positions take, for computations that must stay within a limit.
//!
//! Tables are counted by what they have allocated ([`table_bytes`]). Segments of nodes are counted
//! a little before they are needed, because the next one is as large as all before it. Not counted
//! are the allocator's own books and the old half of a table that is just growing, for which
//! [`fits`] keeps a quarter free.

use std::sync::atomic::Ordering;

use super::Values;
use super::store::segments_for;
use super::table_bytes::table_bytes;

/// Names that may be given between two checks of a limit.
const AHEAD: usize = 4096;
/// What every computation needs before it has found anything.
const BASE: u64 = 256 << 10;

impl Values {
    /// About how many bytes the store takes.
    pub fn bytes(&self) -> u64 {
        let names = self.len() + AHEAD;
        let nodes = segments_for(names) as u64 * Self::NODE_BYTES;
        let tables = table_bytes(&self.orders) + table_bytes(&self.sums) + self.name_bytes();
        let lists = [&self.option_bytes, &self.thermograph_bytes];
        nodes + tables + lists.map(|bytes| bytes.load(Ordering::Relaxed)).iter().sum::<u64>()
    }
}

/// Whether there is room to go on within `memory` bytes, if what is remembered takes `bytes`.
pub(super) fn fits(bytes: u64, memory: u64) -> bool {
    bytes + bytes / 4 + BASE <= memory
}
