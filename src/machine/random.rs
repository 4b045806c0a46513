//! Random numbers that are the same everywhere and always: SplitMix64 (Steele, Lea and Flood, *Fast
//! splittable pseudorandom number generators*, 2014).
//!
//! This is for streams that are promised: a seed gives the same positions, games or keys in every
//! version. `rand` is for chance of which nobody keeps the stream, as in checks of a sample and in
//! tests.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is at least 1.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        let mut random = Random::new(1234567);
        let first = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        assert_eq!([random.next(), random.next(), random.next()], first);
        let counts = (0..3000).fold([0; 3], |mut counts, _| {
            counts[random.below(3)] += 1;
            counts
        });
        assert!(counts.iter().all(|&count| count > 900), "{counts:?}");
    }
}
