//! Chunks: the pieces of a tier that one thread solves, encodes and hands on whole.
//!
//! A chunk is the smallest stretch of whole blocks that is also one of whole frames: one frame of
//! many small blocks, or one large block of many frames.

use std::ops::Range;

use crate::tables::format::Frames;
use crate::tables::index::TierShape;

/// The chunks of one tier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunks {
    frames: Frames,
    frames_each: u64,
}

impl Chunks {
    pub(super) fn new(frames: Frames) -> Self {
        let first_block = frames.of_block(0);
        Self { frames, frames_each: first_block.end - first_block.start }
    }

    /// The chunks of a tier with so many arrow sets, as files have them.
    pub(super) fn of(shape: &TierShape, sets: usize) -> Self {
        Self::new(Frames::new(*shape, sets as u64, Frames::TARGET))
    }

    pub(super) fn frames(&self) -> &Frames {
        &self.frames
    }

    /// Number of chunks.
    pub(super) fn len(&self) -> u64 {
        self.frames.len() / self.frames_each
    }

    /// The frames of a chunk.
    pub(super) fn frames_of(&self, chunk: u64) -> Range<u64> {
        chunk * self.frames_each..(chunk + 1) * self.frames_each
    }

    /// How many frames the chunks before one have.
    pub(super) fn frames_before(&self, chunk: u64) -> u64 {
        chunk * self.frames_each
    }

    /// The chunk that a frame belongs to; `None` for a frame in the middle of one.
    pub(super) fn starting_at(&self, frame: u64) -> Option<u64> {
        frame.is_multiple_of(self.frames_each).then_some(frame / self.frames_each)
    }

    /// The ranks of a chunk's arrow sets.
    pub(super) fn sets(&self, chunk: u64) -> Range<usize> {
        let span = self.frames.span(chunk * self.frames_each);
        span.first_set as usize..span.first_set as usize + span.sets
    }

    /// The chunk of an arrow set.
    #[inline]
    pub(super) fn of_set(&self, rank: usize) -> u64 {
        self.frames.find(rank as u64, 0).0 / self.frames_each
    }

    /// Uncompressed bytes of a chunk.
    pub(super) fn bytes(&self, chunk: u64) -> usize {
        self.sets(chunk).len() * self.frames.shape().block_bytes()
    }

    /// Uncompressed bytes of the longest chunk.
    pub(super) fn longest(&self) -> usize {
        if self.len() == 0 { 0 } else { self.bytes(0) }
    }
}
