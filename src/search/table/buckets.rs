//! Which bucket of the table a key belongs to, and what is left of it to store: a bijection.
//!
//! The number of buckets is a short float, `m << s` with `m` from 8 to 15, so a table fills eight
//! ninths of any memory at least; a power of two would waste up to half. A [`Key`] is cut in three:
//!
//! ```text
//! key     = high | middle (16 bits) | low (s bits)
//! bucket  = (middle * m) >> 16 | low             m parts of the middle's range, as equal as can be
//! stored  = high | place of the middle in its part (13 bits)
//! ```
//!
//! The part and the place in it give the middle back, so nothing of the key is lost. As `m` is at
//! least 8, no part is longer than `2^13`. So as many bits are stored as with the next smaller
//! power of two. Cost: one multiplication and one look-up in a table of 16, beyond the mask and
//! shift that a power of two would need.

use crate::search::sum::key::Key;

/// Bits of `m`.
const MANTISSA: u32 = 4;
/// Bits of the middle, if the key has as many.
const MIDDLE: u32 = 16;

/// The buckets of one table.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Buckets {
    mantissa: u64,
    low: u32,
    middle: u32,
    place: u32,
    /// Where the parts of the middle's range begin.
    starts: [u32; 1 << MANTISSA],
}

impl Buckets {
    /// At most `most` buckets (at least 8) for keys of `key_bits` bits; fewer if there are not so
    /// many keys.
    pub(in crate::search) fn new(most: u64, key_bits: u32) -> Self {
        let middle = MIDDLE.min(key_bits);
        let exponent = (most.max(8).ilog2() + 1 - MANTISSA).min(64 - MIDDLE);
        let mantissa = (most.max(8) >> exponent).min((1 << MANTISSA) - 1);
        let start = |part: u64| (part << middle).div_ceil(mantissa) as u32;
        Self {
            mantissa,
            low: exponent.min(key_bits - middle),
            middle,
            place: middle.saturating_sub(MANTISSA - 1),
            starts: std::array::from_fn(|part| start(part as u64)),
        }
    }

    /// How many there are.
    pub(in crate::search) fn count(&self) -> u64 {
        self.mantissa << self.low
    }

    /// How many bits of a key are stored.
    pub(in crate::search) fn stored_bits(&self, key_bits: u32) -> u32 {
        key_bits - self.low - self.middle + self.place
    }

    /// The bucket of a key, and what is to be stored.
    #[inline(always)]
    pub(in crate::search) fn split(&self, key: Key) -> (u64, u128) {
        let word = key.value() as u64;
        let middle = word >> self.low & ((1 << self.middle) - 1);
        let part = (middle * self.mantissa) >> self.middle;
        let place = middle - u64::from(self.starts[part as usize & 15]);
        let high = key.value() >> self.low >> self.middle;
        (part << self.low | word & ((1 << self.low) - 1), high << self.place | u128::from(place))
    }

    /// The key of a bucket and what is stored there.
    #[inline(always)]
    pub(in crate::search) fn join(&self, bucket: u64, stored: u128) -> Key {
        let place = stored as u64 & ((1 << self.place) - 1);
        let middle = u64::from(self.starts[(bucket >> self.low) as usize & 15]) + place;
        let high = stored >> self.place << self.middle | u128::from(middle);
        Key::from_value(high << self.low | u128::from(bucket & ((1 << self.low) - 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_bucket_and_what_is_stored_give_the_key_back(bits in 2..=128u32, most in 8..=1u64 << 40, key: u128) {
            let key = Key::from_value(key >> (128 - bits));
            let buckets = Buckets::new(most, bits);
            let (bucket, stored) = buckets.split(key);
            prop_assert!(bucket < buckets.count());
            prop_assert!(buckets.stored_bits(bits) == 128 || stored >> buckets.stored_bits(bits) == 0);
            prop_assert_eq!(buckets.join(bucket, stored), key);
        }

        #[test]
        fn no_more_than_a_ninth_is_wasted(most in 8..=1u64 << 40) {
            let count = Buckets::new(most, 128).count();
            prop_assert!(count <= most && count * 9 > most * 8 - 9);
        }
    }

    // Millions of keys, which an interpreter takes hours for.
    #[test]
    #[cfg_attr(miri, ignore)]
    fn keys_are_spread_evenly() {
        for most in [8, 100, 999, 1 << 10] {
            let buckets = Buckets::new(most, 24);
            let mut found = vec![0u32; buckets.count() as usize];
            (0..1u128 << 24)
                .for_each(|key| found[buckets.split(Key::from_value(key)).0 as usize] += 1);
            let (least, largest) = (found.iter().min().unwrap(), found.iter().max().unwrap());
            assert!(largest - least <= 1 << (24 - 16), "{least} to {largest} of {most}");
        }
    }
}
