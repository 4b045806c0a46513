//! Tier files.

use super::sums;
use amazons::tables::format::{TierReader, check_tier};

/// Bytes that open as a tier can be searched, decoded and checked without a panic, with the sums
/// that they have and with repaired ones.
pub fn tier(bytes: &[u8]) {
    read(bytes);
    let mut mended = bytes.to_vec();
    sums::tier(&mut mended);
    read(&mended);
}

fn read(bytes: &[u8]) {
    let Ok(tier) = TierReader::open(bytes) else { return };
    let Ok(mut decoder) = tier.decoder() else { return };
    let (sets, rows, columns) =
        (tier.frames().sets(), tier.shape().rows(), tier.shape().row_bits());
    for rank in [0, sets / 2, sets.saturating_sub(1), sets, u64::MAX] {
        let _ = tier.set(rank).and_then(|set| tier.rank(set));
        let _ = tier.outcome(rank, rows - 1, columns.saturating_sub(1), &mut decoder);
        let _ = tier.outcome(rank, rows, columns, &mut decoder);
    }
    if tier.frames().raw_bytes() < 1 << 20 {
        let _ = check_tier(&tier);
    }
}
