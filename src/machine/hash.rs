//! The hasher of the crate's in-memory tables.
//!
//! Of each word it takes the exclusive or with what it has, rotated, and multiplies, as FxHash of
//! Firefox and the first rustc-hash do; the multiplier is that of rustc-hash 2. The product is
//! mixed once more at the end, because `DashMap` takes the shard from other bits of a hash than
//! the slot.

use std::hash::Hasher;

/// The multiplier of rustc-hash 2, for 64 bits.
const MULTIPLIER: u64 = 0xF135_7AEA_2E62_A9C5;

/// A multiplicative hasher: keys are a few machine words made by this crate, never by an adversary.
#[derive(Default, Clone, Debug)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        let x = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        x ^ (x >> 29)
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(MULTIPLIER);
    }
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
