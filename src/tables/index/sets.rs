//! The canonical arrow sets of a tier, sorted, with their ranks.
//!
//! All `k`-subsets of the squares are walked in colex order, which for sets of one size is the
//! order of the masks, and those without a larger image are kept. Cost: one to seven images a
//! subset, on all threads; the 5.2 million 12-subsets of 5x5 take some tens of milliseconds. The
//! number kept is checked against Burnside's lemma by the tests.
//!
//! Ranks are found by the set's top bits in a small table of starts, then by binary search among
//! the few left.

use rayon::prelude::*;

use super::{Images, ShapeError};
use crate::game::board::Board;
use crate::tables::counting::{Mask, colex};

/// Subsets walked by one task.
const CHUNK: u64 = 1 << 15;
/// Top bits of a mask that choose the bucket.
const BUCKET_BITS: usize = 14;

/// The canonical arrow sets of one tier in increasing order; the place of a set is its rank.
#[derive(Clone, Debug)]
pub struct CanonicalSets<M> {
    images: Images<M>,
    arrows: usize,
    sets: Vec<M>,
    /// `starts[b]` is the rank of the first set whose top bits are `b` or more.
    starts: Vec<M>,
    shift: u32,
}

impl<M: Mask> CanonicalSets<M> {
    /// The canonical sets of `arrows` squares of a board; none if it has fewer squares.
    ///
    /// # Errors
    /// [`ShapeError::BoardTooLarge`] if the board has more squares than the mask has bits.
    pub fn new(board: Board, arrows: usize) -> Result<Self, ShapeError> {
        let images = Images::new(board)?;
        let squares = board.squares();
        let count = if arrows > squares { 0 } else { M::binomial(squares, arrows).word() };
        let chunks: Vec<Vec<M>> = (0..count.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let first = chunk * CHUNK;
                canonical_from(&images, first, CHUNK.min(count - first), arrows)
            })
            .collect();
        Ok(Self::index(images, arrows, chunks.concat()))
    }

    fn index(images: Images<M>, arrows: usize, sets: Vec<M>) -> Self {
        let squares = images.board().squares();
        let shift = squares.saturating_sub(BUCKET_BITS) as u32;
        let buckets = (1u64 << BUCKET_BITS.min(squares)) + 1;
        let start = |b| M::of(sets.partition_point(|&set| (set >> shift).word() < b) as u64);
        let starts = (0..buckets).map(start).collect();
        Self { images, arrows, sets, starts, shift }
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.images.board()
    }

    /// The symmetries of the board.
    pub fn images(&self) -> &Images<M> {
        &self.images
    }

    /// Squares in each set.
    pub fn arrows(&self) -> usize {
        self.arrows
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are none.
    #[cfg(any(test, feature = "internals"))]
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The sets in increasing order.
    pub fn as_slice(&self) -> &[M] {
        &self.sets
    }

    /// The set of a rank.
    ///
    /// # Panics
    /// If the rank is [`Self::len`] or more.
    #[inline]
    pub fn get(&self, rank: usize) -> M {
        self.sets[rank]
    }

    /// The rank of a set, `None` if it is not a canonical set of this tier.
    #[inline]
    pub fn rank(&self, arrows: M) -> Option<usize> {
        let bucket = usize::try_from((arrows >> self.shift).word()).ok()?;
        let (start, end) = (self.starts.get(bucket)?, self.starts.get(bucket + 1)?);
        let (start, end) = (start.word() as usize, end.word() as usize);
        self.sets[start..end].binary_search(&arrows).ok().map(|place| start + place)
    }

    /// How many different images the set of a rank has, itself counted.
    ///
    /// # Panics
    /// If the rank is [`Self::len`] or more.
    pub fn orbit_size(&self, rank: usize) -> u32 {
        self.images.orbit_size(self.sets[rank])
    }
}

fn canonical_from<M: Mask>(images: &Images<M>, first: u64, count: u64, size: usize) -> Vec<M> {
    let first = colex::unrank(M::of(first), images.board().squares(), size);
    let walk = std::iter::successors(first, |&set| colex::next(set));
    walk.take(count as usize).filter(|&set| images.is_canonical(set)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::counting::{small_binomial, subset_orbits};

    fn as_many_as_burnside_says<M: Mask>(board: Board, arrows: usize) {
        let sets = CanonicalSets::<M>::new(board, arrows).unwrap();
        assert_eq!(Some(sets.len() as u128), subset_orbits(board, arrows), "{board} {arrows}");
        assert!(sets.as_slice().is_sorted_by(|a, b| a < b));
        let covered: u64 = (0..sets.len()).map(|rank| u64::from(sets.orbit_size(rank))).sum();
        assert_eq!(covered, small_binomial(board.squares(), arrows));
    }

    #[test]
    fn as_many_as_burnside_says_and_orbits_cover_all_sets() {
        for board in ["1x1", "1x6", "3x3", "3x4", "4x4", "4x5", "2x8"] {
            let board: Board = board.parse().unwrap();
            for arrows in 0..=board.squares() {
                as_many_as_burnside_says::<u32>(board, arrows);
            }
        }
        for board in ["3x4", "5x7", "6x6", "7x5", "8x8"] {
            let board: Board = board.parse().unwrap();
            let squares = board.squares();
            for arrows in [0, 1, 2, 3, squares - 3, squares - 2, squares - 1, squares] {
                as_many_as_burnside_says::<u64>(board, arrows);
            }
        }
    }

    fn every_set_has_a_canonical_one<M: Mask>(board: Board, arrows: usize) {
        let sets = CanonicalSets::<M>::new(board, arrows).unwrap();
        for set in colex::subsets(board.squares(), arrows) {
            let canonical = sets.images().canonical(set).arrows;
            let rank = sets.rank(canonical).unwrap();
            assert_eq!(sets.get(rank), canonical);
            assert_eq!(sets.rank(set).is_some(), set == canonical);
        }
        assert_eq!((sets.rank(M::single(20)), sets.rank(!M::default())), (None, None));
    }

    #[test]
    fn every_set_has_a_canonical_one_and_only_those_have_ranks() {
        for arrows in 0..=16 {
            let board: Board = "4x4".parse().unwrap();
            every_set_has_a_canonical_one::<u32>(board, arrows);
            every_set_has_a_canonical_one::<u64>(board, arrows);
        }
        for (board, arrows) in [("6x6", 2), ("6x6", 33), ("5x7", 32), ("7x5", 3)] {
            every_set_has_a_canonical_one::<u64>(board.parse().unwrap(), arrows);
        }
    }

    #[test]
    fn both_widths_list_the_same_sets() {
        for arrows in [0, 5, 10, 20] {
            let board: Board = "4x5".parse().unwrap();
            let narrow = CanonicalSets::<u32>::new(board, arrows).unwrap();
            let wide = CanonicalSets::<u64>::new(board, arrows).unwrap();
            assert!(
                narrow.as_slice().iter().map(|&set| u64::from(set)).eq(wide.as_slice().to_vec())
            );
        }
    }

    #[test]
    fn the_largest_tier_of_5x5_is_right() {
        let board: Board = "5x5".parse().unwrap();
        let sets = CanonicalSets::<u32>::new(board, 12).unwrap();
        assert_eq!(Some(sets.len() as u128), subset_orbits(board, 12));
        for rank in (0..sets.len()).step_by(97) {
            assert_eq!(sets.rank(sets.get(rank)), Some(rank));
        }
    }

    #[test]
    fn too_large_or_too_many_is_no_panic() {
        assert!(CanonicalSets::<u32>::new("6x6".parse().unwrap(), 3).is_err());
        assert!(CanonicalSets::<u64>::new("8x9".parse().unwrap(), 3).is_err());
        assert!(CanonicalSets::<u32>::new("3x3".parse().unwrap(), 10).unwrap().is_empty());
        let all = CanonicalSets::<u32>::new("4x8".parse().unwrap(), 32).unwrap();
        assert_eq!(all.as_slice(), [u32::MAX]);
        let all = CanonicalSets::<u64>::new("8x8".parse().unwrap(), 64).unwrap();
        assert_eq!((all.as_slice(), all.rank(u64::MAX)), (&[u64::MAX][..], Some(0)));
    }
}
