//! Parallel extraction and deposit of bits for machines without instructions for them, and the
//! numbers of the bits of a word.
//!
//! ```text
//!   word     h g f e d c b a          extract: the bits of the word under the mask, moved together
//!   mask     0 1 1 0 0 1 0 0   ->     . . . . . g f c
//! ```
//!
//! Deposit undoes it. Extraction costs a step for every bit that is set in both; deposit costs a
//! step for every bit of the mask up to the last one that gets a set bit. So a few amazons among
//! many squares cost a few steps.

/// The bits of `word` under `mask`, moved together at the low end.
#[inline(always)]
pub(crate) fn extract(word: u64, mask: u64) -> u64 {
    let (mut out, mut left) = (0, word & mask);
    while left != 0 {
        let lowest = left & left.wrapping_neg();
        out |= 1 << (mask & (lowest - 1)).count_ones();
        left ^= lowest;
    }
    out
}

/// The low bits of `word`, spread to the places set in `mask`.
#[inline(always)]
pub(crate) fn deposit(word: u64, mask: u64) -> u64 {
    let (mut out, mut left, mut rest) = (0, mask, word);
    while left != 0 && rest != 0 {
        let lowest = left & left.wrapping_neg();
        if rest & 1 != 0 {
            out |= lowest;
        }
        left ^= lowest;
        rest >>= 1;
    }
    out
}

/// The numbers of the bits that are set, lowest first.
pub(crate) fn ones(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        bit
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn deposit_undoes_extract(word: u64, mask: u64) {
            prop_assert_eq!(deposit(extract(word, mask), mask), word & mask);
            prop_assert_eq!(extract(word, mask).checked_shr(mask.count_ones()).unwrap_or(0), 0);
        }
    }
}
