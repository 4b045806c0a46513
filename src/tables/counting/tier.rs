//! Exact numbers of one tier: all positions with so many arrows and amazons.

use super::{binomial, subset_orbits, triple_orbits};
use crate::game::board::Board;

/// A tier to be counted: a board and the sizes of the three sets of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TierCount {
    /// The board, of any size.
    pub board: Board,
    /// Burned squares.
    pub arrows: usize,
    /// Amazons of the side to move.
    pub mover: usize,
    /// Amazons of the other side.
    pub opponent: usize,
}

/// All numbers are `None` where they (or a step towards them) need more than 128 bits.
impl TierCount {
    /// Placements of both sides' amazons over one arrow set.
    pub fn placements(&self) -> Option<u128> {
        let Some(free) = self.board.squares().checked_sub(self.arrows) else { return Some(0) };
        let Some(rest) = free.checked_sub(self.mover) else { return Some(0) };
        binomial(free, self.mover)?.checked_mul(binomial(rest, self.opponent)?)
    }

    /// All positions: every arrow set with every placement, no symmetry reduction.
    pub fn positions(&self) -> Option<u128> {
        binomial(self.board.squares(), self.arrows)?.checked_mul(self.placements()?)
    }

    /// Arrow sets that are not images of each other.
    pub fn canonical_sets(&self) -> Option<u128> {
        subset_orbits(self.board, self.arrows)
    }

    /// Positions over canonical arrow sets: what a table stores, one bit each. A little more than
    /// [`Self::canonical_positions`], because an arrow set that is its own image keeps all its
    /// placements.
    pub fn stored_positions(&self) -> Option<u128> {
        self.canonical_sets()?.checked_mul(self.placements()?)
    }

    /// Positions that are not images of each other.
    pub fn canonical_positions(&self) -> Option<u128> {
        triple_orbits(self.board, [self.mover, self.opponent, self.arrows])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::golden::{Count, counts};

    fn sums(board: &str, mover: usize, opponent: usize) -> [u128; 3] {
        let board: Board = board.parse().unwrap();
        let tiers =
            (0..=board.squares()).map(|arrows| TierCount { board, arrows, mover, opponent });
        tiers.fold([0; 3], |[all, stored, canonical], tier| {
            [
                all + tier.positions().unwrap(),
                stored + tier.stored_positions().unwrap(),
                canonical + tier.canonical_positions().unwrap(),
            ]
        })
    }

    #[test]
    fn totals_equal_the_published_ones() {
        assert_eq!(sums("4x4", 4, 4)[0], 230_630_400);
        assert_eq!(sums("4x5", 4, 4)[0], 36_118_118_400);
        assert_eq!(sums("5x5", 2, 2)[0], 159_173_836_800);
    }

    #[test]
    fn canonical_is_at_most_stored_is_at_most_all() {
        for (board, mover, opponent) in [("3x3", 1, 1), ("3x4", 2, 1), ("4x4", 4, 4), ("5x5", 2, 2)]
        {
            let [all, stored, canonical] = sums(board, mover, opponent);
            assert!(canonical <= stored && stored <= all);
            assert!(canonical * 8 >= all);
        }
    }

    #[test]
    fn golden_positions_are_met() {
        for count in counts() {
            let Count { mover, opponent, arrows, positions, .. } = count;
            let tier = TierCount { board: count.board.parse().unwrap(), arrows, mover, opponent };
            assert_eq!(tier.positions(), Some(positions.into()), "{count:?}");
        }
    }
}
