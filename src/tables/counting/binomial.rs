//! Binomial coefficients, exact or not at all.
//!
//! Pascal's triangle up to row 32 is a compile-time table of `u32` (the largest entry, C(32, 16),
//! is 601,080,390); larger ones are multiplied out in 128 bits.

/// Rows of the table: subsets of up to 32 squares.
const ROWS: usize = 33;

const TRIANGLE: [[u32; ROWS]; ROWS] = {
    let mut triangle = [[0; ROWS]; ROWS];
    let mut n = 0;
    while n < ROWS {
        triangle[n][0] = 1;
        let mut k = 1;
        while k <= n {
            triangle[n][k] = triangle[n - 1][k - 1] + triangle[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    triangle
};

/// How many `k`-subsets a set of `n` has; 0 if `k > n`. A table access.
///
/// # Panics
/// If `n` or `k` is more than 32.
#[inline(always)]
pub const fn small_binomial(n: usize, k: usize) -> u32 {
    TRIANGLE[n][k]
}

/// How many `k`-subsets a set of `n` has; 0 if `k > n`, `None` if the number (or `n` times it)
/// needs more than 128 bits. Every number for up to 120 squares fits.
pub fn binomial(n: usize, k: usize) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let mut value: u128 = 1;
    for i in 0..k.min(n - k) {
        // value = C(n, i), so value * (n - i) = C(n, i + 1) * (i + 1): the division leaves no
        // remainder.
        value = value.checked_mul((n - i) as u128)? / (i as u128 + 1);
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_ways_agree() {
        for n in 0..ROWS {
            for k in 0..ROWS {
                assert_eq!(binomial(n, k), Some(small_binomial(n, k).into()), "C({n}, {k})");
            }
        }
    }

    #[test]
    fn large_ones_follow_pascal_or_are_refused() {
        for n in 1..120 {
            for k in 1..=n {
                let sum = binomial(n - 1, k - 1).unwrap() + binomial(n - 1, k).unwrap();
                assert_eq!(binomial(n, k), Some(sum), "C({n}, {k})");
            }
        }
        assert_eq!(binomial(1000, 500), None);
    }
}
