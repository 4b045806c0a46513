//! What a plane of margins is solved with besides its children: planes of the same tier that are
//! nearer to 0.
//!
//! ```text
//!   inner   the plane one nearer to 0: what it decides needs no solving, and no bytes
//!   spent   of a plane s > 0 the plane 1 - s with the other side to move: where the mover wins by
//!           spending a spare move
//! ```
//!
//! Both are read from their files in the order in which blocks are solved, so a few decoded chunks
//! for each thread are all that is kept.

use std::path::Path;

use super::chunk::Chunks;
use super::pack::SLACK;
use super::store::{Block, FinishedTier, Reading, ThreadDecoder};
use crate::game::Outcome;
use crate::tables::format::{Frames, TableError};
use crate::tables::index::TierShape;

/// The planes of a tier that one of its planes is solved with.
#[derive(Debug)]
pub(super) struct Planes {
    inner: FinishedTier,
    spent: Option<FinishedTier>,
    /// A child that is lost everywhere, and [`SLACK`], if the children have no files.
    lost: Option<Box<[u8]>>,
}

/// Decoded chunks that are kept for each thread and plane.
const CHUNKS_PER_THREAD: u64 = 3;

/// Bytes of decoded chunks that a plane of these blocks keeps for each thread.
pub(super) fn kept_bytes(shape: &TierShape) -> u64 {
    let chunk = shape.block_bytes().max(Frames::TARGET as usize) + SLACK;
    // A buffer is a whole number of pages.
    (chunk as u64 + 4096).saturating_mul(CHUNKS_PER_THREAD)
}

/// What one thread holds of the near planes.
#[derive(Debug, Default)]
pub(super) struct NearPlanes {
    /// The blocks of the inner plane of a chunk, one after another.
    pub(super) inner: Vec<u8>,
    inner_decoder: ThreadDecoder,
    spent_decoder: ThreadDecoder,
}

/// The blocks of the near planes over one arrow set.
pub(super) struct Near<'a> {
    /// The block of the inner plane.
    inner: &'a [u8],
    /// The block with the other side to move, and [`SLACK`].
    pub(super) spent: Option<Block<'a>>,
}

/// A block that the inner plane decides.
pub(super) struct Decided<'a> {
    pub(super) block: &'a [u8],
    pub(super) wins: u64,
}

impl Planes {
    /// Opens the planes that a plane is solved with; `None` of plane 0. `sets` are the arrow sets
    /// of the tier.
    ///
    /// # Errors
    /// [`TableError`] if their files are missing or damaged.
    pub(super) fn open(
        directory: &Path,
        shape: &TierShape,
        sets: u64,
    ) -> Result<Option<Self>, TableError> {
        let Some(inner) = shape.inner() else { return Ok(None) };
        let open = |shape: TierShape| {
            let threads = rayon::current_num_threads() as u64;
            let slots =
                FinishedTier::slots_bytes(&Chunks::new(Frames::new(shape, sets, Frames::TARGET)));
            let memory = slots + threads * kept_bytes(&shape);
            FinishedTier::open(directory, shape, 0, memory, Reading::Whole)
        };
        let lost = shape.child().filter(|child| child.constant() == Some(Outcome::Loss));
        Ok(Some(Self {
            inner: open(inner)?,
            spent: shape.spent().map(open).transpose()?,
            lost: lost.map(|child| vec![0; child.block_bytes() + SLACK].into()),
        }))
    }

    /// The block of every child, if the children are lost everywhere and have no files.
    pub(super) fn lost_child(&self) -> Option<&[u8]> {
        self.lost.as_deref()
    }

    /// The blocks over an arrow set, by rank. That of the inner plane is appended to those of its
    /// chunk.
    ///
    /// # Errors
    /// [`TableError`] if a file turns out to be damaged.
    pub(super) fn at<'a>(
        &'a self,
        rank: usize,
        near: &'a mut NearPlanes,
    ) -> Result<Near<'a>, TableError> {
        let NearPlanes { inner, inner_decoder, spent_decoder } = near;
        let start = inner.len();
        let block = self.inner.block(rank, inner_decoder)?;
        inner.extend_from_slice(&block[..block.len() - SLACK]);
        let spent = match &self.spent {
            Some(spent) => Some(spent.block(rank, spent_decoder)?),
            None => None,
        };
        Ok(Near { inner: &inner[start..], spent })
    }
}

impl Near<'_> {
    /// The block of a plane, if the inner plane decides all of it.
    pub(super) fn decided(&self, shape: &TierShape) -> Option<Decided<'_>> {
        let wins = self.inner.iter().map(|byte| u64::from(byte.count_ones())).sum();
        let decided = if shape.plane() > 0 { wins == shape.placements() } else { wins == 0 };
        decided.then_some(Decided { block: self.inner, wins })
    }
}
