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

use super::small_binomial;

/// The number of a subset among those of its size.
///
/// Cost: one table access an element.
#[inline(always)]
pub fn rank(set: u32) -> u32 {
    let (mut rank, mut left, mut size) = (0, set, 0);
    while left != 0 {
        size += 1;
        rank += small_binomial(left.trailing_zeros() as usize, size);
        left &= left - 1;
    }
    rank
}

/// The subset of `size` elements of `0..32` with a given number, `None` if there is none.
pub fn unrank(rank: u32, size: usize) -> Option<u32> {
    if size > 32 || rank >= small_binomial(32, size) {
        return None;
    }
    let (mut set, mut left, mut element) = (0, rank, 32);
    for size in (1..=size).rev() {
        // The largest element s with C(s, size) <= left; what remains is below C(s, size - 1).
        element -= 1;
        while small_binomial(element, size) > left {
            element -= 1;
        }
        left -= small_binomial(element, size);
        set |= 1 << element;
    }
    Some(set)
}

/// The next subset of the same size in colex order, `None` after the last one that fits 32 bits
/// (and after the empty set, the only one of its size).
///
/// Gosper's step: the lowest run of ones gives its top bit to the zero above it, and the rest of
/// the run falls to the bottom.
///
/// ```text
///   0101_1100  ->  0110_0011
/// ```
#[inline(always)]
pub fn next(set: u32) -> Option<u32> {
    if set == 0 {
        return None;
    }
    let lowest = set & set.wrapping_neg();
    let ripple = set.checked_add(lowest)?;
    Some(ripple | (((set ^ ripple) >> 2) / lowest))
}

/// The subsets of `0..n` with `size` elements, in colex order.
#[derive(Clone, Debug)]
pub struct Subsets {
    next: Option<u32>,
    last: u32,
}

/// The subsets of `0..n` with `size` elements, in colex order; none if `size > n`.
///
/// # Panics
/// If `n` is more than 32.
pub fn subsets(n: usize, size: usize) -> Subsets {
    assert!(n <= 32, "subsets are 32-bit masks");
    if size > n {
        return Subsets { next: None, last: 0 };
    }
    let first = ((1u64 << size) - 1) as u32;
    Subsets { next: Some(first), last: (u64::from(first) << (n - size)) as u32 }
}

impl Iterator for Subsets {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let set = self.next?;
        self.next = if set == self.last { None } else { next(set) };
        Some(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_small_subset_has_the_number_of_its_place() {
        for n in 0..=12 {
            for size in 0..=n + 1 {
                let brute = (0..1u32 << n).filter(|set| set.count_ones() as usize == size);
                let listed: Vec<u32> = subsets(n, size).collect();
                assert_eq!(listed, brute.collect::<Vec<_>>());
                for (number, &set) in listed.iter().enumerate() {
                    assert_eq!(rank(set), number as u32);
                    assert_eq!(unrank(number as u32, size), Some(set));
                }
            }
        }
    }

    #[test]
    fn the_last_subsets_of_32_are_reached_and_nothing_follows() {
        for size in 0..=32 {
            let count = small_binomial(32, size);
            let last = unrank(count - 1, size).unwrap();
            assert_eq!((rank(last), next(last)), (count - 1, None));
            assert_eq!(unrank(count, size), None);
            let mut near = unrank(count.saturating_sub(50), size);
            let mut seen = count.saturating_sub(50);
            while let Some(set) = near {
                assert_eq!(rank(set), seen);
                near = next(set);
                seen += 1;
            }
            assert_eq!(seen, count);
        }
        assert_eq!(subsets(32, 32).collect::<Vec<_>>(), [u32::MAX]);
        assert_eq!(unrank(0, 33), None);
    }
}
