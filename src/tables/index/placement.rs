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
use crate::tables::counting::{Mask, colex};

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
    pub fn rank<M: Mask>(free: M, mover: M, opponent: M) -> Self {
        debug_assert!((mover & !free).is_empty() && (opponent & !(free & !mover)).is_empty());
        let row = colex::rank(compress(mover, free)).word() as usize;
        let column = colex::rank(compress(opponent, free & !mover)).word() as usize;
        Self { row, column }
    }

    /// The mover's and the opponent's amazons, so many each, `None` if a number is too large for
    /// `free`.
    pub fn unrank<M: Mask>(self, free: M, mover: usize, opponent: usize) -> Option<(M, M)> {
        let subset = |rank: usize, size: usize, of: M| {
            // A number that does not fit the mask is too large.
            let number = Some(M::of(rank as u64)).filter(|number| number.word() == rank as u64)?;
            colex::unrank(number, of.len(), size).map(|numbers| expand(numbers, of))
        };
        let mover = subset(self.row, mover, free)?;
        Some((mover, subset(self.column, opponent, free & !mover)?))
    }
}

/// The squares of `set`, a subset of `mask`, renumbered by their place among the squares of `mask`.
#[inline(always)]
pub fn compress<M: Mask>(set: M, mask: M) -> M {
    M::of(bits::extract(set.word(), mask.word()))
}

/// The squares of `mask` whose places are in `numbers`: undoes [`compress`].
#[inline(always)]
pub fn expand<M: Mask>(numbers: M, mask: M) -> M {
    M::of(bits::deposit(numbers.word(), mask.word()))
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
                    let wide = (u64::from(free), u64::from(m), u64::from(o));
                    assert_eq!(placement.unrank(wide.0, mover, opponent), Some((wide.1, wide.2)));
                    assert_eq!(Placement::rank(wide.0, wide.1, wide.2), placement);
                }
            }
            assert_eq!(Placement { row: rows, column: 0 }.unrank(free, mover, opponent), None);
            assert_eq!(Placement { row: 0, column: columns }.unrank(free, mover, opponent), None);
        }
    }

    proptest! {
        #[test]
        fn expand_undoes_compress(set: u64, mask: u64) {
            let numbers = compress(set & mask, mask);
            prop_assert_eq!(numbers.count_ones(), (set & mask).count_ones());
            prop_assert_eq!(expand(numbers, mask), set & mask);
            prop_assert_eq!(numbers.checked_shr(mask.count_ones()).unwrap_or(0), 0);
            let (set, mask) = (set as u32, mask as u32);
            prop_assert_eq!(u64::from(compress(set, mask)), compress(u64::from(set), mask.into()));
            prop_assert_eq!(u64::from(expand(set, mask)), expand(u64::from(set), mask.into()));
        }
    }
}
