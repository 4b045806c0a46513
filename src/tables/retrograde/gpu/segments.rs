//! The blocks of a tier on the device, turned, in segments of whole blocks.
//!
//! A buffer of a device has a largest size, so a tier takes several. All have one size: what one
//! tier gives back the next but one takes, and nothing is allocated while a build runs.

use super::adapter::Gpu;
use super::error::GpuError;
use super::sizes::Sizes;
use crate::tables::index::TierShape;

/// Bytes behind the blocks of a buffer that a kernel may read.
pub(super) const SLACK: u64 = 64;

/// A smaller part of the memory than this is lost if the last segment of each tier is nearly empty.
const SHARE: u64 = 32;
/// Segments are at least so large, if that is not more than a buffer can have: the more there are,
/// the more often a batch is divided.
const LEAST: u64 = 64 << 20;

/// The blocks of one kind.
#[derive(Debug)]
pub(super) struct Segments {
    pub(super) buffers: Vec<wgpu::Buffer>,
    /// Blocks in each but the last.
    pub(super) per_segment: usize,
}

/// Where segments come from and go back to.
#[derive(Debug)]
pub(super) struct Pool {
    gpu: Gpu,
    segment: u64,
    /// Segments that may be made.
    left: u64,
    free: Vec<wgpu::Buffer>,
}

impl Pool {
    /// A pool for tiers whose largest has so many bytes, and whose largest block so many.
    pub(super) fn new(gpu: &Gpu, tier: u64, block: u64) -> Self {
        let share = (gpu.memory() / SHARE).max(LEAST).max(block + SLACK);
        let wanted = gpu.segment.map_or(share, |bytes| bytes.max(block + SLACK));
        let segment = wanted.min(tier + SLACK).next_multiple_of(16).min(gpu.buffer & !15);
        let left = gpu.resident / segment.max(1);
        Self { gpu: gpu.clone(), segment, left, free: Vec::new() }
    }

    /// Segments for so many blocks of a kind; `None` if there is no room for them.
    pub(super) fn take(&mut self, shape: &TierShape, blocks: usize) -> Option<Segments> {
        let block = Sizes::of(shape).turned();
        let per_segment = (self.segment.saturating_sub(SLACK) / block) as usize;
        if per_segment == 0 {
            return None;
        }
        let count = blocks.div_ceil(per_segment);
        if (self.free.len() + self.left as usize) < count {
            return None;
        }
        let mut buffers = self.free.split_off(self.free.len() - count.min(self.free.len()));
        while buffers.len() < count {
            let Some(buffer) = self.make() else {
                self.left = 0;
                self.free.append(&mut buffers);
                return None;
            };
            buffers.push(buffer);
        }
        Some(Segments { buffers, per_segment })
    }

    /// A new segment; `None` if the device has no memory for it.
    fn make(&mut self) -> Option<wgpu::Buffer> {
        let scope = self.gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let buffer = self.gpu.buffer(self.segment);
        if pollster::block_on(scope.pop()).is_some() {
            return None;
        }
        self.left = self.left.saturating_sub(1);
        Some(buffer)
    }

    /// Takes segments back.
    pub(super) fn give(&mut self, segments: Segments) {
        self.free.extend(segments.buffers);
    }
}

impl Segments {
    /// Makes all positions lost.
    ///
    /// # Errors
    /// [`GpuError::Failed`].
    pub(super) fn clear(&self, gpu: &Gpu) -> Result<(), GpuError> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for buffer in &self.buffers {
            encoder.clear_buffer(buffer, 0, None);
        }
        gpu.queue.submit([encoder.finish()]);
        gpu.check()
    }
}
