//! What solving one tier takes, before anything is computed.
//!
//! A row costs the kernel its set-up; its word operations are as many as words in a vector times
//! free squares; rows of 64 bits or more are predicted from earlier rows, byte for byte, when they
//! are compressed; compressing shorter ones costs about as much a row, and is in that constant. The
//! constants were fitted to the times of single tiers of 4x4 4v4, 5x5 1v1, 4x5 4v4 and 5x5 2v2 on
//! two cores of an AMD EPYC (Zen 5) with AVX-512 (two threads); other machines scale the seconds.
//! Those of Cowboys and of Pencil & Paper are fitted to whole tables of 4x4 4v4, 4x5 2v2 and 4x5
//! 3v3 on the same machine: wins and losses of Cowboys are mixed more evenly, and Pencil & Paper
//! looks at the children of each pair of free squares. Those of Killer are fitted to 4x5 3v3, 4x5
//! 4v4 and 5x5 2v2 on another machine, after which its times were scaled by that of 4x5 4v4 of
//! Amazons there.

use crate::tables::counting::{TierCount, binomial};
use crate::tables::format::{ENTRY_BYTES, Frames, HEADER_BYTES};
use crate::tables::index::{TableRules, Width};

/// Seconds of one core for one row of a block.
const ROW: f64 = 9.4e-8;
/// Seconds of one core for one word operation.
const OPERATION: f64 = 2.95e-9;
/// How many times as long a mover with one amazon takes where lanes have 64 bits: there are twice
/// as many, twice as wide. Measured with the fullest tiers of 6x6 1v1.
const WIDE_LANES: f64 = 2.2;
/// Seconds of one core to compress one raw byte of predicted rows.
const PREDICTED_BYTE: f64 = 1.3e-8;
/// How many times as long as a row of Amazons a row of Pencil & Paper takes for each free square.
const PENCIL_SQUARE: f64 = 0.6;

/// How many times as long as a row of Amazons a row of Killer takes.
const KILLER: f64 = 2.9;

/// What one tier and kind takes.
#[derive(Clone, Copy, Debug)]
pub struct TierPlan {
    /// The tier.
    pub count: TierCount,
    /// Positions, every placement counted; this and the next are exact.
    pub positions: u128,
    /// Positions that are not images of each other.
    pub canonical_positions: u128,
    /// Bytes of its blocks without compression; exact.
    pub bytes_raw: u128,
    /// Bytes of its file, about.
    pub bytes_expected: u128,
    /// Seconds of one core, about.
    pub core_seconds: f64,
    /// Arrow sets that are stored.
    pub(super) sets: u128,
}

impl TierPlan {
    pub(super) fn new(rules: TableRules, count: TierCount) -> Option<Self> {
        let free = count.board.squares() - count.arrows;
        let columns = binomial(free - count.mover, count.opponent)?;
        let rows = binomial(free, count.mover)?;
        let sets = count.canonical_sets()?;
        let all_rows = sets.checked_mul(rows)?;
        let bytes_raw = all_rows.checked_mul(columns.div_ceil(8))?;
        let operations = all_rows as f64 * columns.div_ceil(64) as f64 * free as f64;
        let width = Width::of(count.board).unwrap_or(Width::Wide);
        let wide_lanes = width == Width::Wide && count.mover == 1;
        let lanes = if wide_lanes { WIDE_LANES } else { 1.0 };
        let moves = match rules {
            TableRules::Amazons | TableRules::Cowboys => 1.0,
            TableRules::Pencil => 1.0 + PENCIL_SQUARE * free as f64,
            TableRules::Killer => KILLER,
        };
        let byte = if columns >= 64 { PREDICTED_BYTE } else { 0.0 };
        let frames = bytes_raw / u128::from(Frames::TARGET) + 1;
        Some(Self {
            count,
            positions: count.positions()?,
            canonical_positions: count.canonical_positions()?,
            bytes_raw,
            bytes_expected: HEADER_BYTES as u128
                + u128::from(width.bytes()) * sets
                + u128::from(ENTRY_BYTES) * frames
                + (bytes_raw as f64 * ratio(rules, &count)) as u128,
            core_seconds: lanes * moves * (ROW * all_rows as f64 + OPERATION * operations)
                + byte * bytes_raw as f64,
            sets,
        })
    }
}

/// Compressed bytes for a raw one. With an even number of arrows wins and losses of Amazons are
/// mixed more evenly.
fn ratio(rules: TableRules, count: &TierCount) -> f64 {
    match (rules, count.mover.min(count.opponent), count.arrows % 2) {
        (TableRules::Cowboys, ..) => 0.64,
        // Who has more amazons nearly always wins.
        (TableRules::Killer, ..) => 0.28,
        (_, 0 | 1, _) => 0.38,
        (_, 2, _) => 0.42,
        (_, 3, _) => 0.40,
        (_, _, 0) => 0.43,
        _ => 0.30,
    }
}
