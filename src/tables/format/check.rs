//! The full check of a tier file: everything that can be told without knowing the rules of the
//! game.

use super::{ByteSource, TierError, TierReader};
use crate::machine::progress::StopFlag;
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

/// Why a full check did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The file is damaged.
    #[error(transparent)]
    Damaged(#[from] TierError),
    /// Somebody asked to stop.
    #[error("the check was interrupted")]
    Stopped,
}

/// Decodes a whole tier, on all threads, and compares its list with the canonical arrow sets, its
/// content with its hash, its wins with their count, and its padding with zero.
///
/// # Errors
/// The first [`TierError`] found.
#[cfg(any(test, feature = "internals"))]
pub fn check_tier<B: ByteSource + Sync + Send>(
    tier: &TierReader<B>,
) -> Result<TierCheck, TierError> {
    check_tier_until(tier, &StopFlag::new()).map_err(|error| match error {
        CheckError::Damaged(error) => error,
        CheckError::Stopped => unreachable!("nobody asks to stop"),
    })
}

/// As [`check_tier`], until somebody asks to stop.
///
/// # Errors
/// The first [`TierError`] found, or that somebody asked.
pub fn check_tier_until<B: ByteSource + Sync + Send>(
    tier: &TierReader<B>,
    stop: &StopFlag,
) -> Result<TierCheck, CheckError> {
    with_mask!(tier.shape().width(), M => check_in::<M, B>(tier, stop))
}

fn check_in<M: Mask, B: ByteSource + Sync + Send>(
    tier: &TierReader<B>,
    stop: &StopFlag,
) -> Result<TierCheck, CheckError> {
    let (board, arrows) = (tier.shape().board(), tier.shape().arrows());
    let sets = CanonicalSets::<M>::new(board, arrows).map_err(|_| TierError::NotCanonical)?;
    check_tier_of(tier, &sets, stop)
}

/// As [`check_tier_until`], for a caller that has the canonical arrow sets of the tier.
pub(super) fn check_tier_of<M: Mask, B: ByteSource + Sync + Send>(
    tier: &TierReader<B>,
    sets: &CanonicalSets<M>,
    stop: &StopFlag,
) -> Result<TierCheck, CheckError> {
    let same = |(rank, set): (usize, &M)| tier.set(rank as u64) == Some(set.word());
    if sets.len() as u64 != tier.frames().sets() || !sets.as_slice().iter().enumerate().all(same) {
        return Err(TierError::NotCanonical.into());
    }
    let mut hasher = blake3::Hasher::new();
    let (mut wins, mut bytes) = (0, 0);
    tier.encoded().visit(
        tier.frames().len(),
        |frame, raw| match stop.is_set() {
            true => Err(CheckError::Stopped),
            false => Ok(frame_wins(tier, sets, frame, raw)?),
        },
        |_, raw, won| {
            hasher.update(raw);
            bytes += raw.len() as u64;
            wins += won;
        },
    )?;
    if *hasher.finalize().as_bytes() != tier.content() {
        return Err(TierError::Content.into());
    }
    if wins != tier.wins() {
        return Err(TierError::Wins { expected: tier.wins(), found: wins }.into());
    }
    Ok(TierCheck { frames: tier.frames().len(), bytes })
}

/// The wins of one frame, each arrow set counted with its images.
fn frame_wins<M: Mask, B: ByteSource + Sync + Send>(
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
