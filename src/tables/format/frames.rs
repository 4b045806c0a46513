//! How a tier's blocks are cut into frames.
//!
//! A frame is what is compressed alone, so what one lookup must decode. Its size is about `target`
//! bytes:
//!
//! ```text
//!   small blocks:   | block | block | block |   | block | block | ...       a frame is several whole blocks
//!   large blocks:   | rows   | rows   | rows |   | rows   | rows   | ...     a block is several frames of whole rows
//! ```
//!
//! All frames have the same size, except the last of the tier or, with large blocks, the last of
//! each block. So the place of frame `i` is arithmetic.

use crate::tables::index::TierShape;

/// The frames of one tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frames {
    shape: TierShape,
    sets: u64,
    cut: Cut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// Whole blocks in a frame.
    Blocks { per_frame: u64 },
    /// Whole rows in a frame, and frames in a block.
    Rows { per_frame: usize, per_block: u64 },
}

/// What one frame holds: rows of one block, or several whole blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Rank of the arrow set of its first block.
    pub first_set: u64,
    /// Blocks it touches.
    pub sets: usize,
    /// Row of the first block that it begins with.
    pub first_row: usize,
    /// Rows of each block that it holds.
    pub rows: usize,
}

impl Frames {
    /// Uncompressed bytes of a frame, about, where nothing else is asked for.
    pub const TARGET: u32 = 32 << 10;
    /// The largest target that a file may have, so that no header asks for more memory than the
    /// board does: a frame has at most so many bytes, or those of one row.
    pub const MOST_TARGET: u32 = 1 << 20;

    /// The frames of a tier with `sets` canonical arrow sets, of about `target` bytes each; a
    /// target of 0 means one row or one block.
    pub fn new(shape: TierShape, sets: u64, target: u32) -> Self {
        let (block, row, target) = (shape.block_bytes(), shape.row_bytes().max(1), target as usize);
        let cut = if block <= target {
            Cut::Blocks { per_frame: (target / block.max(1)).max(1) as u64 }
        } else {
            let per_frame = (target / row).clamp(1, shape.rows());
            Cut::Rows { per_frame, per_block: shape.rows().div_ceil(per_frame) as u64 }
        };
        Self { shape, sets, cut }
    }

    /// The frames of a tier whose file has them of the usual size.
    pub fn of(shape: &TierShape) -> Self {
        Self::new(*shape, shape.set_count(), Self::TARGET)
    }

    /// The tier.
    pub fn shape(&self) -> &TierShape {
        &self.shape
    }

    /// Canonical arrow sets of the tier.
    pub fn sets(&self) -> u64 {
        self.sets
    }

    /// Number of frames.
    pub fn len(&self) -> u64 {
        match self.cut {
            Cut::Blocks { per_frame } => self.sets.div_ceil(per_frame),
            Cut::Rows { per_block, .. } => self.sets * per_block,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Uncompressed bytes of the tier.
    pub fn raw_bytes(&self) -> u64 {
        self.sets * self.shape.block_bytes() as u64
    }

    /// Uncompressed bytes of the frames before one.
    pub fn bytes_before(&self, frame: u64) -> u64 {
        if frame >= self.len() {
            return self.raw_bytes();
        }
        let span = self.span(frame);
        let rows = span.first_set * self.shape.rows() as u64 + span.first_row as u64;
        rows * self.shape.row_bytes() as u64
    }

    /// Uncompressed bytes of the longest frame.
    pub fn longest(&self) -> usize {
        if self.is_empty() { 0 } else { self.bytes(0) }
    }

    /// What a frame holds.
    pub fn span(&self, frame: u64) -> Span {
        match self.cut {
            Cut::Blocks { per_frame } => {
                let first_set = frame * per_frame;
                let sets = per_frame.min(self.sets.saturating_sub(first_set)) as usize;
                Span { first_set, sets, first_row: 0, rows: self.shape.rows() }
            }
            Cut::Rows { per_frame, per_block } => {
                let first_row = (frame % per_block) as usize * per_frame;
                let rows = per_frame.min(self.shape.rows() - first_row);
                Span { first_set: frame / per_block, sets: 1, first_row, rows }
            }
        }
    }

    /// Uncompressed bytes of a frame.
    pub fn bytes(&self, frame: u64) -> usize {
        let span = self.span(frame);
        span.sets * span.rows * self.shape.row_bytes()
    }

    /// The frame that holds a row, and the byte in it where the row begins.
    #[inline]
    pub fn find(&self, set: u64, row: usize) -> (u64, usize) {
        let row_bytes = self.shape.row_bytes();
        match self.cut {
            Cut::Blocks { per_frame } => {
                let within = (set % per_frame) as usize * self.shape.block_bytes();
                (set / per_frame, within + row * row_bytes)
            }
            Cut::Rows { per_frame, per_block } => {
                (set * per_block + (row / per_frame) as u64, row % per_frame * row_bytes)
            }
        }
    }

    /// The frames that hold a block: several when blocks are large, else one that holds others too.
    pub fn of_block(&self, set: u64) -> std::ops::Range<u64> {
        let (first, _) = self.find(set, 0);
        match self.cut {
            Cut::Blocks { .. } => first..first + 1,
            Cut::Rows { per_block, .. } => first..first + per_block,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_cover_every_row_once_in_order() {
        for (board, arrows, mover, opponent) in
            [("3x3", 2, 1, 1), ("3x4", 1, 2, 1), ("4x4", 3, 2, 0), ("4x4", 8, 4, 4)]
        {
            let shape = TierShape::new(board.parse().unwrap(), arrows, mover, opponent).unwrap();
            for sets in [0, 1, 7, 33] {
                for target in [0, 1, 5, 64, 1000, 1 << 20] {
                    covers(&Frames::new(shape, sets, target));
                }
            }
        }
    }

    fn covers(frames: &Frames) {
        let (shape, mut next, mut bytes) = (frames.shape(), (0, 0), 0);
        for frame in 0..frames.len() {
            let span = frames.span(frame);
            assert_eq!(frames.bytes_before(frame), bytes);
            assert_eq!((span.first_set, span.first_row), next);
            assert!(frames.bytes(frame) <= frames.longest());
            let mut offset = 0;
            for set in span.first_set..span.first_set + span.sets as u64 {
                assert!(frames.of_block(set).contains(&frame));
                for row in span.first_row..span.first_row + span.rows {
                    assert_eq!(frames.find(set, row), (frame, offset));
                    offset += shape.row_bytes();
                }
            }
            assert_eq!(offset, frames.bytes(frame));
            bytes += offset as u64;
            let row = span.first_row + span.rows;
            let done = row == shape.rows();
            next =
                if done { (span.first_set + span.sets as u64, 0) } else { (span.first_set, row) };
        }
        assert_eq!((next, bytes), ((frames.sets(), 0), frames.raw_bytes()));
        assert_eq!(frames.bytes_before(frames.len()), frames.raw_bytes());
    }
}
