//! Binomial coefficients, exact or not at all.
//!
//! Pascal's triangle is a compile-time table: up to row 32 of `u32` (the largest entry, C(32, 16),
//! is 601,080,390), and up to row 64 of `u64` (C(64, 32) is 1.8e18). So the number of a subset fits
//! an integer with a bit for each element ([`Mask`](super::Mask)). Larger ones are multiplied out
//! in 128 bits.

macro_rules! triangle {
    ($name:ident, $int:ty, $rows:expr) => {
        pub(super) const $name: [[$int; $rows]; $rows] = {
            let mut triangle = [[0; $rows]; $rows];
            let mut n = 0;
            while n < $rows {
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
    };
}

triangle!(NARROW, u32, 33);
triangle!(WIDE, u64, 65);

/// How many `k`-subsets a set of `n` has; 0 if `k > n`. A table access.
///
/// # Panics
/// If `n` or `k` is more than 64.
#[inline(always)]
pub const fn small_binomial(n: usize, k: usize) -> u64 {
    WIDE[n][k]
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
        for (n, row) in WIDE.iter().enumerate() {
            for (k, &small) in row.iter().enumerate() {
                assert_eq!(binomial(n, k), Some(small.into()), "C({n}, {k})");
            }
        }
        for (n, row) in NARROW.iter().enumerate() {
            for (k, &small) in row.iter().enumerate() {
                assert_eq!(u64::from(small), small_binomial(n, k), "C({n}, {k})");
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
