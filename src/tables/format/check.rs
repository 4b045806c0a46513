//! The full check of a tier file: everything that can be told without knowing the rules of the
//! game.

use super::{Source, TierError, TierReader};
use crate::tables::counting::Mask;
use crate::tables::index::{CanonicalSets, with_mask};

/// What a full check went through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TierCheck {
    /// Frames decoded.
    pub frames: u64,
    /// Uncompressed bytes hashed.
    pub bytes: u64,
}

/// Decodes a whole tier, on all threads, and compares its list with the canonical arrow sets, its
/// content with its hash, its wins with their count, and its padding with zero.
///
/// # Errors
/// The first [`TierError`] found.
pub fn check_tier<B: Source + Sync + Send>(tier: &TierReader<B>) -> Result<TierCheck, TierError> {
    with_mask!(tier.shape().width(), M => check_in::<M, B>(tier))
}

fn check_in<M: Mask, B: Source + Sync + Send>(
    tier: &TierReader<B>,
) -> Result<TierCheck, TierError> {
    let (board, arrows) = (tier.shape().board(), tier.shape().arrows());
    let sets = CanonicalSets::<M>::new(board, arrows).map_err(|_| TierError::NotCanonical)?;
    check_tier_of(tier, &sets)
}

/// As [`check_tier`], for a caller that has the canonical arrow sets of the tier.
pub(super) fn check_tier_of<M: Mask, B: Source + Sync + Send>(
    tier: &TierReader<B>,
    sets: &CanonicalSets<M>,
) -> Result<TierCheck, TierError> {
    let same = |(rank, set): (usize, &M)| tier.set(rank as u64) == Some(set.word());
    if sets.len() as u64 != tier.frames().sets() || !sets.as_slice().iter().enumerate().all(same) {
        return Err(TierError::NotCanonical);
    }
    let mut hasher = blake3::Hasher::new();
    let (mut wins, mut bytes) = (0, 0);
    tier.encoded().visit(
        tier.frames().len(),
        |frame, raw| frame_wins(tier, sets, frame, raw),
        |_, raw, won| {
            hasher.update(raw);
            bytes += raw.len() as u64;
            wins += won;
        },
    )?;
    if *hasher.finalize().as_bytes() != tier.content() {
        return Err(TierError::Content);
    }
    if wins != tier.wins() {
        return Err(TierError::Wins { expected: tier.wins(), found: wins });
    }
    Ok(TierCheck { frames: tier.frames().len(), bytes })
}

/// The wins of one frame, each arrow set counted with its images.
fn frame_wins<M: Mask, B: Source + Sync + Send>(
    tier: &TierReader<B>,
    sets: &CanonicalSets<M>,
    frame: u64,
    raw: &[u8],
) -> Result<u64, TierError> {
    let (shape, span) = (tier.shape(), tier.frames().span(frame));
    let padding = match shape.row_bits() % 8 {
        0 => 0,
        used => 0xff << used,
    };
    let row_bytes = shape.row_bytes();
    let mut wins = 0;
    for (block, set) in raw.chunks_exact((span.rows * row_bytes).max(1)).zip(span.first_set..) {
        if block.chunks_exact(row_bytes.max(1)).any(|row| row[row_bytes - 1] & padding != 0) {
            return Err(TierError::Padding { frame });
        }
        let ones: u64 = block.iter().map(|byte| u64::from(byte.count_ones())).sum();
        wins += ones * u64::from(sets.orbit_size(set as usize));
    }
    Ok(wins)
}
