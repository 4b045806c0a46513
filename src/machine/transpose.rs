//! The transpose of a 64x64 matrix of bits.
//!
//! ```text
//! delta_swaps:  for j in 32, 16, 8, 4, 2, 1:                     swap the off-diagonal quarters of every 2j x 2j square
//!                   for rows r without bit j:  exchange  tile[r] >> j  with  tile[r + j]  under the mask of columns without bit j
//! avx512:       8 registers of 8 rows; byte (row, column block) goes to (column block, row) so that each 64-bit lane
//!               holds one 8x8 block, and one GFNI instruction transposes the eight blocks of a register.
//! ```
//!
//! Warren, *Hacker's Delight*, section 7-3, for the first.

#![allow(unsafe_code)]

/// Transposes by six rounds of masked exchanges.
#[inline(always)]
pub(super) fn delta_swaps(tile: &mut [u64; 64]) {
    let mut mask = 0x0000_0000_ffff_ffff_u64;
    let mut j = 32;
    while j != 0 {
        let mut base = 0;
        while base < 64 {
            for r in base..base + j {
                let swap = ((tile[r] >> j) ^ tile[r + j]) & mask;
                tile[r] ^= swap << j;
                tile[r + j] ^= swap;
            }
            base += 2 * j;
        }
        j >>= 1;
        mask ^= mask << j;
    }
}

/// Transposes by byte shuffles and the affine instruction.
///
/// # Safety
/// The machine has AVX-512 F, BW, DQ, VL and GFNI.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
pub(super) unsafe fn avx512(tile: &mut [u64; 64]) {
    use std::arch::x86_64::*;
    // Round 1, in each register of rows 8i..8i+8: byte (row a, block b) to (block b, row a), an 8x8
    // byte transpose; lane b then holds the 8x8 bits of block b, rows ascending by byte.
    let pairs =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
    // SAFETY: 64 bytes are read, which are all of the 32 words of 16 bits.
    let words = unsafe { _mm512_loadu_si512(WORD_ORDER.as_ptr().cast()) };
    let identity = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
    let mut rows = [_mm512_setzero_si512(); 8];
    for (i, row) in rows.iter_mut().enumerate() {
        // SAFETY: eight words are read from word `8 * i` on, and `i` is below 8.
        let loaded = unsafe { _mm512_loadu_si512(tile.as_ptr().add(8 * i).cast()) };
        let blocks = _mm512_permutexvar_epi16(words, _mm512_shuffle_epi8(loaded, pairs));
        // Transposes the bits of each lane: the affine map of the identity by the block as matrix.
        *row = _mm512_gf2p8affine_epi64_epi8::<0>(identity, flip_bytes(blocks));
    }
    // Round 2: an 8x8 transpose of lanes, so that register b holds block column b for all eight row
    // groups.
    let columns = transpose_lanes(rows);
    // Round 3: in register b, lane i holds column bits of rows 8i..8i+8, a byte for each column;
    // gather the eight bytes of a column into one lane: the byte transpose again.
    for (b, column) in columns.iter().enumerate() {
        let out = _mm512_permutexvar_epi16(words, _mm512_shuffle_epi8(*column, pairs));
        // SAFETY: eight words are written from word `8 * b` on, and `b` is below 8.
        unsafe { _mm512_storeu_si512(tile.as_mut_ptr().add(8 * b).cast(), out) };
    }
}

/// After bytes were paired inside 128-bit lanes, 16-bit word `q * 8 + j` (lane q, byte column j)
/// moves to `j * 4 + q`.
#[cfg(target_arch = "x86_64")]
static WORD_ORDER: [u16; 32] = {
    let mut order = [0; 32];
    let mut j = 0;
    while j < 8 {
        let mut q = 0;
        while q < 4 {
            order[j * 4 + q] = (q * 8 + j) as u16;
            q += 1;
        }
        j += 1;
    }
    order
};

/// Reverses the bytes of every lane: the affine instruction numbers the rows of its matrix from the
/// top.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn flip_bytes(lanes: std::arch::x86_64::__m512i) -> std::arch::x86_64::__m512i {
    use std::arch::x86_64::*;
    let order = _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    _mm512_shuffle_epi8(lanes, _mm512_broadcast_i32x4(order))
}

/// Transposes an 8x8 matrix of 64-bit lanes held in eight registers.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_lanes(rows: [std::arch::x86_64::__m512i; 8]) -> [std::arch::x86_64::__m512i; 8] {
    use std::arch::x86_64::*;
    let mut pairs = rows;
    for i in 0..4 {
        pairs[2 * i] = _mm512_unpacklo_epi64(rows[2 * i], rows[2 * i + 1]);
        pairs[2 * i + 1] = _mm512_unpackhi_epi64(rows[2 * i], rows[2 * i + 1]);
    }
    let mut out = pairs;
    for h in 0..2 {
        let (a, b, c, d) = (pairs[h], pairs[2 + h], pairs[4 + h], pairs[6 + h]);
        let (low0, low1) = (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0x88>(c, d));
        let (high0, high1) =
            (_mm512_shuffle_i64x2::<0xdd>(a, b), _mm512_shuffle_i64x2::<0xdd>(c, d));
        out[h] = _mm512_shuffle_i64x2::<0x88>(low0, low1);
        out[4 + h] = _mm512_shuffle_i64x2::<0xdd>(low0, low1);
        out[2 + h] = _mm512_shuffle_i64x2::<0x88>(high0, high1);
        out[6 + h] = _mm512_shuffle_i64x2::<0xdd>(high0, high1);
    }
    out
}
