//! Placements: a side's amazons as a subset of the free squares, and its number.
//!
//! The mover's squares are renumbered among the squares without an arrow; the opponent's among the
//! squares that have neither an arrow nor an amazon of the mover. On a board of eight squares:
//!
//! ```text
//!   square     7 6 5 4 3 2 1 0
//!   arrows     . * . . * . . .
//!   mover      . . Q . . . . Q
//!   number     5   4 3   2 1 0      mover    = {0, 4}  row    = colex rank = C(0, 1) + C(4, 2) = 6
//!   opponent   q . . . . . q .
//!   number     3     2   1 0        opponent = {0, 3}  column = colex rank = C(0, 1) + C(3, 2) = 3
//! ```
//!
//! Amazons are few, so both ways cost a few operations an amazon and need no special instructions.

use crate::machine::bits;
use crate::tables::counting::colex;

/// The two numbers of a placement over a given arrow set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placement {
    /// Row of the block: the colex rank of the mover's amazons.
    pub row: usize,
    /// Column of the block: the colex rank of the opponent's amazons.
    pub column: usize,
}

impl Placement {
    /// The numbers of two disjoint subsets of `free`.
    #[inline]
    pub fn rank(free: u32, mover: u32, opponent: u32) -> Self {
        debug_assert!(mover & !free == 0 && opponent & !(free & !mover) == 0);
        let row = colex::rank(compress(mover, free)) as usize;
        let column = colex::rank(compress(opponent, free & !mover)) as usize;
        Self { row, column }
    }

    /// The mover's and the opponent's amazons, so many each, `None` if a number is too large for
    /// `free`.
    pub fn unrank(self, free: u32, mover: usize, opponent: usize) -> Option<(u32, u32)> {
        let subset = |rank: usize, size: usize, of: u32| {
            let numbers = colex::unrank(u32::try_from(rank).ok()?, size)?;
            (u64::from(numbers) >> of.count_ones() == 0).then(|| expand(numbers, of))
        };
        let mover = subset(self.row, mover, free)?;
        Some((mover, subset(self.column, opponent, free & !mover)?))
    }
}

/// The squares of `set`, a subset of `mask`, renumbered by their place among the squares of `mask`.
#[inline(always)]
pub fn compress(set: u32, mask: u32) -> u32 {
    bits::extract(set.into(), mask.into()) as u32
}

/// The squares of `mask` whose places are in `numbers`: undoes [`compress`].
#[inline(always)]
pub fn expand(numbers: u32, mask: u32) -> u32 {
    bits::deposit(numbers.into(), mask.into()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::counting::small_binomial;
    use proptest::prelude::*;

    #[test]
    fn placements_are_numbered_without_gaps() {
        let free: u32 = 0b1011_0111_0110;
        for (mover, opponent) in [(1, 1), (2, 2), (3, 1), (0, 2), (2, 0), (4, 4)] {
            let rows = small_binomial(8, mover) as usize;
            let columns = small_binomial(8 - mover, opponent) as usize;
            for row in 0..rows {
                for column in 0..columns {
                    let placement = Placement { row, column };
                    let (m, o) = placement.unrank(free, mover, opponent).unwrap();
                    assert_eq!(
                        (m.count_ones() as usize, o.count_ones() as usize),
                        (mover, opponent)
                    );
                    assert!(m & o == 0 && (m | o) & !free == 0);
                    assert_eq!(Placement::rank(free, m, o), placement);
                }
            }
            assert_eq!(Placement { row: rows, column: 0 }.unrank(free, mover, opponent), None);
            assert_eq!(Placement { row: 0, column: columns }.unrank(free, mover, opponent), None);
        }
    }

    proptest! {
        #[test]
        fn expand_undoes_compress(set: u32, mask: u32) {
            let numbers = compress(set & mask, mask);
            prop_assert_eq!(numbers.count_ones(), (set & mask).count_ones());
            prop_assert_eq!(expand(numbers, mask), set & mask);
            prop_assert!(u64::from(numbers) >> mask.count_ones() == 0);
        }
    }
}
