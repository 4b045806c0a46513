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
use crate::tables::counting::{colex, small_binomial};

/// Subsets walked by one task.
const CHUNK: u32 = 1 << 15;
/// Top bits of a mask that choose the bucket.
const BUCKET_BITS: u32 = 14;

/// The canonical arrow sets of one tier in increasing order; the place of a set is its rank.
#[derive(Clone, Debug)]
pub struct CanonicalSets {
    images: Images,
    arrows: usize,
    sets: Vec<u32>,
    /// `starts[b]` is the rank of the first set whose top bits are `b` or more.
    starts: Vec<u32>,
    shift: u32,
}

impl CanonicalSets {
    /// The canonical sets of `arrows` squares of a board; none if it has fewer squares.
    ///
    /// # Errors
    /// [`ShapeError::BoardTooLarge`] if the board has more than 32 squares.
    pub fn new(board: Board, arrows: usize) -> Result<Self, ShapeError> {
        let images = Images::new(board)?;
        let squares = board.squares();
        let count = if arrows > squares { 0 } else { small_binomial(squares, arrows) };
        let chunks: Vec<Vec<u32>> = (0..count.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let first = chunk * CHUNK;
                canonical_from(&images, first, CHUNK.min(count - first), arrows)
            })
            .collect();
        Ok(Self::index(images, arrows, chunks.concat()))
    }

    fn index(images: Images, arrows: usize, sets: Vec<u32>) -> Self {
        let shift = (images.board().squares() as u32).saturating_sub(BUCKET_BITS);
        let buckets = (1usize << BUCKET_BITS.min(images.board().squares() as u32)) + 1;
        let starts =
            (0..buckets).map(|b| sets.partition_point(|&set| ((set >> shift) as usize) < b) as u32);
        let starts = starts.collect();
        Self { images, arrows, sets, starts, shift }
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.images.board()
    }

    /// The symmetries of the board.
    pub fn images(&self) -> &Images {
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
    pub fn as_slice(&self) -> &[u32] {
        &self.sets
    }

    /// The set of a rank.
    ///
    /// # Panics
    /// If the rank is [`Self::len`] or more.
    #[inline]
    pub fn get(&self, rank: usize) -> u32 {
        self.sets[rank]
    }

    /// The rank of a set, `None` if it is not a canonical set of this tier.
    #[inline]
    pub fn rank(&self, arrows: u32) -> Option<usize> {
        let bucket = (arrows >> self.shift) as usize;
        let (start, end) =
            (*self.starts.get(bucket)? as usize, *self.starts.get(bucket + 1)? as usize);
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

fn canonical_from(images: &Images, first: u32, count: u32, size: usize) -> Vec<u32> {
    let walk = std::iter::successors(colex::unrank(first, size), |&set| colex::next(set));
    walk.take(count as usize).filter(|&set| images.is_canonical(set)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::counting::subset_orbits;

    #[test]
    fn as_many_as_burnside_says_and_orbits_cover_all_sets() {
        for board in ["1x1", "1x6", "3x3", "3x4", "4x4", "4x5", "2x8"] {
            let board: Board = board.parse().unwrap();
            for arrows in 0..=board.squares() {
                let sets = CanonicalSets::new(board, arrows).unwrap();
                assert_eq!(
                    Some(sets.len() as u128),
                    subset_orbits(board, arrows),
                    "{board} {arrows}"
                );
                assert!(sets.as_slice().is_sorted_by(|a, b| a < b));
                let covered: u32 = (0..sets.len()).map(|rank| sets.orbit_size(rank)).sum();
                assert_eq!(covered, small_binomial(board.squares(), arrows));
            }
        }
    }

    #[test]
    fn every_set_has_a_canonical_one_and_only_those_have_ranks() {
        let board: Board = "4x4".parse().unwrap();
        for arrows in 0..=16 {
            let sets = CanonicalSets::new(board, arrows).unwrap();
            for set in colex::subsets(16, arrows) {
                let canonical = sets.images().canonical(set).arrows;
                let rank = sets.rank(canonical).unwrap();
                assert_eq!(sets.get(rank), canonical);
                assert_eq!(sets.rank(set).is_some(), set == canonical);
            }
            assert_eq!((sets.rank(1 << 20), sets.rank(u32::MAX)), (None, None));
        }
    }

    #[test]
    fn the_largest_tier_of_5x5_is_right() {
        let board: Board = "5x5".parse().unwrap();
        let sets = CanonicalSets::new(board, 12).unwrap();
        assert_eq!(Some(sets.len() as u128), subset_orbits(board, 12));
        for rank in (0..sets.len()).step_by(97) {
            assert_eq!(sets.rank(sets.get(rank)), Some(rank));
        }
    }

    #[test]
    fn too_large_or_too_many_is_no_panic() {
        assert!(CanonicalSets::new("6x6".parse().unwrap(), 3).is_err());
        assert!(CanonicalSets::new("3x3".parse().unwrap(), 10).unwrap().is_empty());
        assert_eq!(CanonicalSets::new("4x8".parse().unwrap(), 32).unwrap().as_slice(), [u32::MAX]);
    }
}
