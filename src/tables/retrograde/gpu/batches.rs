//! How many arrow sets are solved at a time, and what a tier takes of a device.
//!
//! A batch is a run of whole chunks, because chunks are what is encoded and written. The more arrow
//! sets, the longer the device works without waiting for a kernel's last workgroups.

use super::adapter::Gpu;
use super::error::GpuError;
use super::program::divisions;
use super::segments::SLACK;
use super::sizes::{Sizes, WORD};
use crate::tables::format::Frames;
use crate::tables::index::{ShapeError, TableSubject, TierShape};
use crate::tables::retrograde::chunk::Chunks;

/// Where the blocks of the children are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Children {
    /// On the device, turned.
    OnDevice,
    /// With the host: those of a batch are brought and turned for it.
    WithHost,
}

/// The batches of a tier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batches {
    /// Chunks of a batch.
    pub(super) chunks: u64,
    /// Arrow sets of a batch.
    pub(super) sets: usize,
    /// Children that are brought for a batch at the most.
    pub(super) brought: usize,
}

/// Bytes of each vector of one arrow set; of what is brought, be it children or what is spent, as
/// solved and turned.
pub(super) fn vectors(shape: &TierShape, children: Children) -> Vec<u64> {
    let sizes = Sizes::of(shape);
    let mut vectors = vec![sizes.gathered(), sizes.arrived(), sizes.solved()];
    if let (Some(child), Children::WithHost) = (shape.child(), children) {
        let (child, count) = (Sizes::of(&child), sizes.free as u64);
        vectors.extend([count * child.solved(), count * child.turned()]);
    }
    if let Some(spent) = shape.spent() {
        let spent = Sizes::of(&spent);
        vectors.extend([spent.solved(), spent.turned()]);
    }
    vectors
}

impl Batches {
    /// The batches of a tier that fit the device, where at most `stretch` chunks are solved in a
    /// row.
    ///
    /// # Errors
    /// [`GpuError::Limit`] or [`GpuError::Memory`] if not even one chunk does.
    pub(super) fn new(
        gpu: &Gpu,
        shape: &TierShape,
        chunks: &Chunks,
        stretch: u64,
        children: Children,
    ) -> Result<Self, GpuError> {
        let sizes = Sizes::of(shape);
        let vectors = vectors(shape, children);
        let (all, longest) = (vectors.iter().sum::<u64>(), vectors.iter().max().copied());
        let longest = longest.unwrap_or(0);
        let of_chunk = chunks.sets(0).len().max(1) as u64;
        let adapter = || gpu.name().to_string();
        if of_chunk * longest + SLACK > gpu.buffer {
            let (needed, most) = (of_chunk * longest + SLACK, gpu.buffer);
            let what = "bytes in a buffer";
            return Err(GpuError::Limit { shape: *shape, adapter: adapter(), what, needed, most });
        }
        let needed = of_chunk * (all + SLACK);
        if needed > gpu.memory() {
            let given = gpu.memory();
            return Err(GpuError::Memory { shape: *shape, adapter: adapter(), needed, given });
        }
        // All indices of a kernel are below 2^32.
        let by_buffer = (gpu.buffer - SLACK) / longest;
        let sets = (gpu.scratch / all).min(by_buffer).min(MOST_SETS);
        let some = stretch.div_ceil(PARTS).min(chunks.len()).max(1);
        let chunks_each = (sets / of_chunk).clamp(1, some);
        let sets = (chunks_each * of_chunk) as usize;
        let brought = match children {
            Children::OnDevice => 0,
            Children::WithHost => sets * sizes.free,
        };
        Ok(Self { chunks: chunks_each, sets, brought })
    }
}

/// What is solved in a row is divided into so many batches at least: the host is busy with one while
/// the device works on another.
const PARTS: u64 = 4;

/// Enough to keep any device busy; their lists are short.
const MOST_SETS: u64 = 1 << 16;

/// Makes sure that a device can solve all tiers with so many arrows and more, and so many layers of
/// margins, be it with little of its memory.
///
/// # Errors
/// [`GpuError`].
pub(super) fn check_possible(
    gpu: &Gpu,
    subject: TableSubject,
    least_arrows: usize,
    layers: i8,
) -> Result<(), GpuError> {
    let Ok(fullest) = subject.fullest() else { return Ok(()) };
    for arrows in least_arrows..=fullest {
        let shapes = subject.kinds(arrows).unwrap_or_default();
        for shape in
            shapes.iter().filter(|shape| gpu.is_for(shape) && Sizes::of(shape).has_children())
        {
            // All planes above 0 take as much, and more than the others.
            check_tier(gpu, &shape.with_plane(layers.min(1)))?;
        }
    }
    Ok(())
}

fn check_tier(gpu: &Gpu, shape: &TierShape) -> Result<(), GpuError> {
    let sizes = Sizes::of(shape);
    let limit = |what, needed: u64, most: u64| {
        let (shape, adapter) = (*shape, gpu.name().to_string());
        if needed <= most {
            return Ok(());
        }
        Err(GpuError::Limit { shape, adapter, what, needed, most })
    };
    let most = gpu.limits.max_compute_workgroup_storage_size.into();
    for division in divisions(shape) {
        limit("bytes in a workgroup", WORD * division.words as u64, most)?;
    }
    let most = gpu.limits.max_compute_workgroups_per_dimension.into();
    limit("workgroups", sizes.rows.max(sizes.child_rows) as u64, most)?;
    let tables = [
        sizes.rows as u64 * sizes.opponent_words as u64,
        sizes.turned_rows as u64 * sizes.mover_words as u64,
    ];
    let squares = (sizes.free * (sizes.mover_words + sizes.opponent_words)) as u64;
    limit("bytes of tables", WORD * (tables[0] + tables[1] + squares), gpu.buffer)?;
    let chunks = Chunks::new(Frames::of(shape));
    Batches::new(gpu, shape, &chunks, chunks.len(), Children::WithHost).map(|_| ())
}

/// Bytes of the turned blocks of the tiers of a board whose blocks have so many placements, the
/// most that two neighbours have, and the most of one; of their largest block.
///
/// # Errors
/// [`ShapeError`] if there are no such tiers.
pub(super) fn turned_bytes(
    subject: TableSubject,
    least_arrows: usize,
    least_block: u64,
) -> Result<Turned, ShapeError> {
    let fullest = subject.fullest()?;
    let (mut turned, mut below) = (Turned::default(), 0);
    for arrows in (least_arrows..=fullest).rev() {
        let mut bytes = 0u64;
        let kinds = subject.kinds(arrows)?;
        for shape in kinds.iter().filter(|shape| shape.placements() >= least_block) {
            let block = Sizes::of(shape).turned();
            let kind = block.saturating_mul(shape.set_count());
            turned.block = turned.block.max(block);
            turned.kind = turned.kind.max(kind);
            bytes = bytes.saturating_add(kind);
        }
        turned.two = turned.two.max(bytes.saturating_add(below));
        below = bytes;
    }
    Ok(turned)
}

/// See [`turned_bytes`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turned {
    /// The most bytes of two neighbouring tiers.
    pub(super) two: u64,
    /// The most bytes of one kind of a tier.
    pub(super) kind: u64,
    /// Bytes of the largest block.
    pub(super) block: u64,
}
