//! Tier files and manifests.

use amazons::tables::format::{Manifest, TierReader, check_tier};

/// Bytes that open as a tier can be searched, decoded and checked without a panic; the first byte
/// chooses how. A manifest that is read can be written again, byte for byte.
pub fn tier(bytes: &[u8]) {
    if let Ok(manifest) = Manifest::parse(bytes) {
        assert_eq!(manifest.to_bytes().expect("it was read").len(), bytes.len());
    }
    let Ok(tier) = TierReader::open(bytes) else { return };
    let Ok(mut decoder) = tier.decoder() else { return };
    let (sets, rows, columns) =
        (tier.frames().sets(), tier.shape().rows(), tier.shape().row_bits());
    for rank in [0, sets / 2, sets.saturating_sub(1), sets, u64::MAX] {
        let _ = tier.set(rank).and_then(|set| tier.rank(set));
        let _ = tier.bit(rank, rows - 1, columns.saturating_sub(1), &mut decoder);
        let _ = tier.bit(rank, rows, columns, &mut decoder);
    }
    if tier.frames().raw_bytes() < 1 << 20 {
        let _ = check_tier(&tier);
    }
}
