//! Subsets without a square, as bits, and how the bits of a word are spread over them.
//!
//! Square by square, a kernel takes the vector over the sets of some squares from, or to, the
//! vector over the sets of one square less: the sets without the square have the same order in
//! both.

use crate::tables::counting::colex::subsets;

/// For each square, the sets that avoid it, as bits: vectors of whole words.
pub(super) fn avoiding(squares: usize, size: usize) -> Vec<Vec<u32>> {
    let sets: Vec<u64> = subsets(squares, size).collect();
    let mut all = vec![vec![0; sets.len().div_ceil(32).max(1)]; squares];
    for (rank, set) in sets.iter().enumerate() {
        for (square, vector) in all.iter_mut().enumerate() {
            if set >> square & 1 == 0 {
                vector[rank / 32] |= 1 << (rank % 32);
            }
        }
    }
    all
}

/// For each square and word of its vector: five steps that collect the bits of the word under the
/// mask, the mask, and the place of its first bit among all.
pub(super) fn spreads(avoiding: &[Vec<u32>]) -> Vec<u32> {
    let mut words = Vec::new();
    for vector in avoiding {
        let mut place = 0;
        for &mask in vector {
            words.extend(steps(mask));
            words.extend([mask, place, 0]);
            place += mask.count_ones();
        }
    }
    words
}

/// The bits that move by 1, 2, 4, 8 and 16 places when the bits under a mask are taken together
/// (Hacker's Delight, 7-4).
fn steps(mask: u32) -> [u32; 5] {
    let (mut mask, mut zeros) = (mask, !mask << 1);
    std::array::from_fn(|step| {
        // Whether the number of zeros below each bit is odd.
        let mut odd = zeros;
        for shift in [1, 2, 4, 8, 16] {
            odd ^= odd << shift;
        }
        let moves = odd & mask;
        mask = (mask ^ moves) | (moves >> (1 << step));
        zeros &= !odd;
        moves
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn steps_take_the_bits_of_a_mask_together(mask: u32, bits: u32) {
            let mut taken = bits & mask;
            for (step, moves) in steps(mask).into_iter().enumerate() {
                let moving = taken & moves;
                taken = (taken ^ moving) | (moving >> (1 << step));
            }
            let places = (0..32).filter(|place| mask >> place & 1 == 1).enumerate();
            let expected = places.map(|(to, from)| (bits >> from & 1) << to).sum::<u32>();
            prop_assert_eq!(taken, expected);
        }
    }
}
