//! Exact numbers of one tier: all positions with so many arrows and amazons.

use super::{binomial, subset_orbits, triple_orbits};
use crate::game::board::{Bitboard, Board, Lines, Rays};

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

    /// The legal moves of all positions together; `None` if the number is too large, or the board
    /// has more than 128 squares.
    ///
    /// A move has an amazon of the mover on one square and needs some others empty. Everything else
    /// may stand anywhere on the squares that are left, so the positions that have the move are
    /// counted by how many it needs.
    pub fn moves(&self) -> Option<u128> {
        let Some(other_movers) = self.mover.checked_sub(1) else { return Some(0) };
        let positions = |needed: usize| -> Option<u128> {
            let Some(rest) = self.board.squares().checked_sub(1 + needed) else { return Some(0) };
            let pieces = [self.arrows, other_movers, self.opponent];
            let (mut ways, mut free) = (1u128, rest);
            for number in pieces {
                ways = ways.checked_mul(binomial(free, number)?)?;
                free = free.saturating_sub(number);
            }
            Some(ways)
        };
        let mut moves = 0u128;
        for (needed, &number) in moves_by_empty_squares(self.board)?.iter().enumerate() {
            if number > 0 {
                moves = moves.checked_add(positions(needed)?.checked_mul(number.into())?)?;
            }
        }
        Some(moves)
    }
}

/// How many moves an amazon has on a board, over all squares it may stand on, by how many squares
/// each move needs empty; `None` for boards of more than 128 squares.
fn moves_by_empty_squares(board: Board) -> Option<Vec<u64>> {
    let (rays, lines) = (Rays::<u128>::new(board).ok()?, Lines::<u128>::new(board).ok()?);
    let (all, mut numbers) = (board.all::<u128>(), vec![0; board.squares()]);
    for from in all {
        for to in rays.reach(from, all) {
            let step = lines.between(from, to).unwrap_or(Bitboard::EMPTY).with(to);
            for arrow in rays.reach(to, all) {
                let shot = lines.between(to, arrow).unwrap_or(Bitboard::EMPTY).with(arrow);
                numbers[(step | shot).without(Bitboard::of(from)).len()] += 1;
            }
        }
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::game::rules::{Rules, colourings};
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
    fn the_moves_of_a_tier_are_those_of_its_positions() {
        for board in ["2x2", "1x6", "3x2", "3x3"] {
            let board: Board = board.parse().unwrap();
            let rules = Rules::<u64>::new(board).unwrap();
            let mut moves = HashMap::<[usize; 3], u128>::new();
            for at in colourings(board) {
                let sizes = [at.arrows.len(), at.mover.len(), at.opponent.len()];
                *moves.entry(sizes).or_default() += u128::from(rules.count(&at));
            }
            for ([arrows, mover, opponent], moves) in moves {
                let tier = TierCount { board, arrows, mover, opponent };
                assert_eq!(tier.moves(), Some(moves), "{tier:?}");
            }
        }
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
