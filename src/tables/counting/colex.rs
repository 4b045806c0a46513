//! Subsets of `0..n` as bit masks, numbered in colexicographic order.
//!
//! Colex order compares the largest elements first, so among subsets of one size it is the order of
//! the masks as integers. The number of `{s1 < s2 < ... < sk}` is `C(s1, 1) + C(s2, 2) + ... +
//! C(sk, k)`, which does not depend on `n` (Knuth, TAOCP 7.2.1.3, the combinatorial number system).
//! The 2-subsets of `0..4`:
//!
//! ```text
//!   mask    0011  0101  0110  1001  1010  1100
//!   number     0     1     2     3     4     5
//! ```

use super::Mask;

/// The number of a subset among those of its size.
///
/// Cost: one table access an element.
#[inline(always)]
pub fn rank<M: Mask>(set: M) -> M {
    let (mut rank, mut left, mut size) = (0, set, 0);
    while !left.is_empty() {
        size += 1;
        // The sum is below C(BITS, size), which fits.
        rank += M::binomial(left.lowest(), size).word();
        left = left.without_lowest();
    }
    M::of(rank)
}

/// The subset of `0..n` with `size` elements that has a given number, `None` if there is none or
/// `n` is more than the bits of the mask.
pub fn unrank<M: Mask>(rank: M, n: usize, size: usize) -> Option<M> {
    if n > M::SQUARES || size > n || rank >= M::binomial(n, size) {
        return None;
    }
    let (mut set, mut left, mut element) = (M::default(), rank, n);
    for size in (1..=size).rev() {
        // The largest element s with C(s, size) <= left; what remains is below C(s, size - 1).
        element -= 1;
        while M::binomial(element, size) > left {
            element -= 1;
        }
        left = left.wrapping_sub(M::binomial(element, size));
        set |= M::single(element);
    }
    Some(set)
}

/// The next subset of the same size in colex order, `None` after the last one that fits the mask
/// (and after the empty set, the only one of its size).
///
/// Gosper's step: the lowest run of ones gives its top bit to the zero above it, and the rest of
/// the run falls to the bottom.
///
/// ```text
///   0101_1100  ->  0110_0011
/// ```
#[inline(always)]
pub fn next<M: Mask>(set: M) -> Option<M> {
    if set.is_empty() {
        return None;
    }
    let lowest = set.lowest();
    let ripple = set.checked_add(M::single(lowest))?;
    Some(ripple | (set ^ ripple) >> 2 >> lowest as u32)
}

/// The subsets of `0..n` with `size` elements, in colex order.
#[derive(Clone, Debug)]
pub struct Subsets<M> {
    next: Option<M>,
    last: M,
}

/// The subsets of `0..n` with `size` elements, in colex order; none if `size > n`.
///
/// # Panics
/// If `n` is more than the bits of the mask.
pub fn subsets<M: Mask>(n: usize, size: usize) -> Subsets<M> {
    assert!(n <= M::SQUARES, "subsets are masks of {} bits", M::SQUARES);
    if size > n {
        return Subsets { next: None, last: M::default() };
    }
    let all = !M::default();
    let first = if size == 0 { M::default() } else { all >> (M::SQUARES - size) as u32 };
    let last = if size == 0 { first } else { first << (n - size) as u32 };
    Subsets { next: Some(first), last }
}

impl<M: Mask> Iterator for Subsets<M> {
    type Item = M;

    #[inline]
    fn next(&mut self) -> Option<M> {
        let set = self.next?;
        self.next = if set == self.last { None } else { next(set) };
        Some(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::counting::{binomial, small_binomial};
    use proptest::prelude::*;

    fn every_small_subset_has_the_number_of_its_place_in<M: Mask>() {
        for n in 0..=12 {
            for size in 0..=n + 1 {
                let brute = (0..1u64 << n).filter(|set| set.count_ones() as usize == size);
                let listed: Vec<M> = subsets(n, size).collect();
                assert_eq!(listed, brute.map(M::of).collect::<Vec<M>>());
                for (number, &set) in listed.iter().enumerate() {
                    assert_eq!(rank(set).word(), number as u64);
                    assert_eq!(unrank(M::of(number as u64), n, size), Some(set));
                }
                assert_eq!(unrank(M::of(listed.len() as u64), n, size), None);
            }
        }
    }

    #[test]
    fn every_small_subset_has_the_number_of_its_place() {
        every_small_subset_has_the_number_of_its_place_in::<u32>();
        every_small_subset_has_the_number_of_its_place_in::<u64>();
    }

    fn the_last_subsets_are_reached_and_nothing_follows<M: Mask>(n: usize) {
        for size in 0..=n {
            let count = small_binomial(n, size);
            let last = unrank(M::of(count - 1), n, size).unwrap();
            assert_eq!(rank(last).word(), count - 1);
            assert_eq!(subsets::<M>(n, size).last, last);
            if n == M::SQUARES {
                assert_eq!(next(last), None);
            }
            assert_eq!(unrank(M::of(count), n, size), None);
            let mut seen = count.saturating_sub(50);
            let mut near = unrank(M::of(seen), n, size);
            while let Some(set) = near.filter(|&set| set <= last) {
                assert_eq!(rank(set).word(), seen);
                near = next(set);
                seen += 1;
            }
            assert_eq!(seen, count);
        }
        assert_eq!(unrank(M::default(), n, n + 1), None);
        assert_eq!(unrank(M::default(), M::SQUARES + 1, 0), None);
    }

    #[test]
    fn the_last_subsets_of_a_board_are_reached_and_nothing_follows() {
        the_last_subsets_are_reached_and_nothing_follows::<u32>(32);
        for n in [32, 35, 36, 63, 64] {
            the_last_subsets_are_reached_and_nothing_follows::<u64>(n);
        }
        assert_eq!(subsets::<u32>(32, 32).collect::<Vec<_>>(), [u32::MAX]);
        assert_eq!(subsets::<u64>(64, 64).collect::<Vec<_>>(), [u64::MAX]);
    }

    proptest! {
        #[test]
        fn sets_are_numbered_as_the_sum_says(word: u64, n in 32..=64usize) {
            let set = word & (u64::MAX >> (64 - n));
            let elements = (0..n).filter(|&element| set >> element & 1 == 1);
            let sum: u128 = elements
                .zip(1..)
                .map(|(element, place)| binomial(element, place).unwrap())
                .sum();
            prop_assert_eq!(u128::from(rank(set)), sum);
            prop_assert_eq!(unrank(rank(set), n, set.len()), Some(set));
            if let Some(after) = next(set) {
                prop_assert_eq!((rank(after), after.len()), (rank(set) + 1, set.len()));
            }
        }
    }
}
