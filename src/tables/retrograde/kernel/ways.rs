//! The lines on which a square is reached, listed by square.

use arrayvec::ArrayVec;

use super::clear_pairs::ClearPairs;
use crate::tables::counting::Mask;
use crate::tables::retrograde::lines::{Lines, MOST_BETWEEN};
use crate::tables::retrograde::space::Space;

/// One of the squares that a square sees: which, past which others, and all of these as a set.
pub(super) struct Way<M> {
    pub(super) to: u8,
    pub(super) between: ArrayVec<u8, MOST_BETWEEN>,
    pub(super) all: M,
}

impl<M: Mask> Way<M> {
    /// The ways from a square. Squares get the numbers that `number` gives them.
    pub(super) fn all_from(lines: &Lines, from: u8, number: impl Fn(u8) -> u8) -> Vec<Self> {
        let pairs = lines.ends.iter().zip(&lines.between);
        let from_here = pairs.filter(|(ends, _)| ends.contains(&from));
        from_here
            .map(|(&[x, y], between)| {
                let to = number(if x == from { y } else { x });
                let between = between.iter().filter(|&&square| square != Lines::NONE);
                let between: ArrayVec<u8, _> = between.map(|&square| number(square)).collect();
                let single = |set, &square: &u8| set | M::single(square.into());
                let all = between.iter().fold(M::single(to.into()), single);
                Self { to, between, all }
            })
            .collect()
    }

    /// Whether no amazon of a placement stands in the way, or at its end.
    #[inline(always)]
    pub(super) fn is_clear_of(&self, opponent: M) -> bool {
        (self.all & opponent).is_empty()
    }

    /// Adds to `to` what `from` has of the subsets that do not stand between: both are vectors over
    /// a space of the squares that a placement of the opponent leaves, which `pairs` numbers.
    #[inline(always)]
    pub(super) fn pass(&self, space: &Space, pairs: &ClearPairs, from: &[u64], to: &mut [u64]) {
        for (word, to) in to.iter_mut().take(space.words).enumerate() {
            let clear = |bits, &square| bits & space.avoid(pairs.number(square))[word];
            *to |= self.between.iter().fold(from[word], clear);
        }
    }
}
