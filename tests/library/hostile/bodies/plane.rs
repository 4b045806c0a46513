//! Planes of a table of margins, behind the tier that they are read behind.

use std::sync::Arc;

use amazons::tables::format::{TierReader, check_tier};

use super::sums;

/// The tier with two arrows of 3x3 with one amazon a side, to which the seeds belong.
const INNER: &[u8] = include_bytes!("../../../../fuzz/inner.amz");

/// Bytes that open as a plane of the tier can be decoded and checked without a panic, with the sums
/// that they have and with repaired ones.
pub fn plane(bytes: &[u8]) {
    read(bytes);
    let mut mended = bytes.to_vec();
    sums::tier(&mut mended);
    read(&mended);
}

fn read(bytes: &[u8]) {
    let inner = Arc::new(TierReader::open(INNER).expect("it is a tier"));
    let Ok(plane) = TierReader::open_plane(bytes, inner) else { return };
    let Ok(mut decoder) = plane.decoder() else { return };
    let (sets, rows, columns) =
        (plane.frames().sets(), plane.shape().rows(), plane.shape().row_bits());
    for rank in [0, sets / 2, sets.saturating_sub(1), sets, u64::MAX] {
        let _ = plane.set(rank).and_then(|set| plane.rank(set));
        let _ = plane.outcome(rank, rows - 1, columns.saturating_sub(1), &mut decoder);
    }
    let _ = check_tier(&plane);
}
