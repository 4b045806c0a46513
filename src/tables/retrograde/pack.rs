//! Packed rows and bit matrices in 64x64 tiles.
//!
//! A stored row holds only the columns that do not overlap the row's placement. A matrix in tiles
//! holds all columns: tile (row band, column word) is 64 words, one a row, so that a row's words
//! lie 64 apart:
//!
//! ```text
//!   band of 64 rows, columns 0-63     columns 64-127          ...
//!   [row 0][row 1]...[row 63]         [row 0]...[row 63]      ...
//! ```

#![allow(unsafe_code)]

use crate::machine::isa::Isa;

/// Bytes that may be read past the end of a packed row; buffers of rows end with as many.
pub const SLACK: usize = 16;

/// Spreads a packed row over the columns set in `valid`, into every 64th word of `tiles`.
///
/// # Safety
/// `row` has the bits of all columns in `valid` and [`SLACK`] bytes more; `tiles` has `64 *
/// valid.len()` words.
#[inline(always)]
pub(super) unsafe fn unpack_row(isa: impl Isa, row: *const u8, valid: &[u64], tiles: *mut u64) {
    let mut bit = 0;
    for (word, &mask) in valid.iter().enumerate() {
        // SAFETY: `bit` counts the columns read so far, so `at` is at most the byte behind the row,
        // and the 9 bytes from there on are the row's or its slack. `word` is below `valid.len()`.
        unsafe {
            let at = row.add(bit / 8);
            let low = at.cast::<u64>().read_unaligned() >> (bit % 8);
            let high = ((*at.add(8) as u64) << 1) << (63 - bit % 8);
            *tiles.add(64 * word) = isa.deposit(low | high, mask);
        }
        bit += mask.count_ones() as usize;
    }
}

/// Packs the columns set in `valid` from every 64th word of `tiles`; returns how many bits are set.
///
/// # Safety
/// `tiles` has `64 * valid.len()` words; `row` has room for the packed bits rounded up to whole
/// words, and one word more.
#[inline(always)]
pub(super) unsafe fn pack_row(
    isa: impl Isa,
    tiles: *const u64,
    valid: &[u64],
    row: *mut u8,
) -> u64 {
    let out = row.cast::<u64>();
    let (mut bit, mut pending, mut ones) = (0, 0, 0);
    for (word, &mask) in valid.iter().enumerate() {
        // SAFETY: `word` is below `valid.len()`. `bit` counts the columns packed so far, so
        // `bit / 64` is a word of the packed row or the one behind it.
        unsafe {
            let bits = isa.extract(*tiles.add(64 * word), mask);
            ones += bits.count_ones() as u64;
            pending |= bits << (bit % 64);
            out.add(bit / 64).write_unaligned(pending);
            let next = bit + mask.count_ones() as usize;
            let spilled = (bits >> 1) >> (63 - bit % 64);
            if next / 64 != bit / 64 {
                pending = spilled;
            }
            bit = next;
        }
    }
    // SAFETY: all columns are packed now, so this is the last word of the packed row, not yet full,
    // or the one behind it.
    unsafe { out.add(bit / 64).write_unaligned(pending) };
    ones
}
