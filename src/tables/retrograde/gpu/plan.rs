//! What a table takes of a graphics card, before anything is computed.

use super::batches::{Children, turned_bytes, vectors};
use super::sizes::Sizes;
use crate::tables::index::{ShapeError, TableSubject};

/// What a table takes of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuPlan {
    /// Bytes of device memory with which all blocks that are needed stay on the device: two
    /// neighbouring tiers and a batch.
    pub bytes_whole: u64,
    /// Bytes of device memory that each of several processes needs: a batch and its children, which
    /// come from the host.
    pub bytes_batch: u64,
    /// Bytes of the blocks that come back.
    pub bytes_back: u64,
    /// The fewest arrows of a tier whose blocks are so small that the processor solves it.
    pub processor_arrows: Option<usize>,
}

/// Bytes of the vectors of a batch, as a rule.
const BATCH: u64 = 1 << 30;

impl GpuPlan {
    /// The plan of all tiers with so many arrows and more, with so many layers of margins, of which
    /// the device solves those whose blocks have `least_block` placements or more. A layer has two
    /// planes for each kind of a tier; what comes back is said of the ordinary table.
    ///
    /// # Errors
    /// [`ShapeError`] if there are no such tiers.
    pub fn new(
        subject: TableSubject,
        least_arrows: usize,
        layers: i8,
        least_block: u64,
    ) -> Result<Self, ShapeError> {
        let turned = turned_bytes(subject, least_arrows, least_block)?;
        let planes = if layers == 0 { 1 } else { 2 };
        let (mut back, mut batch, mut brought, mut processor_arrows) = (0u64, 0, 0, None);
        for arrows in least_arrows..=subject.fullest()? {
            for shape in subject.kinds(arrows)? {
                if shape.placements() < least_block {
                    processor_arrows.get_or_insert(arrows);
                    continue;
                }
                let sets = shape.set_count();
                let sizes = Sizes::of(&shape);
                back = back.saturating_add(sets.saturating_mul(sizes.solved()));
                let of = |children| {
                    let one =
                        vectors(&shape.with_plane(layers.min(1)), children).iter().sum::<u64>();
                    one.saturating_mul(sets).min(BATCH.max(one))
                };
                batch = batch.max(of(Children::OnDevice));
                brought = brought.max(of(Children::WithHost));
            }
        }
        Ok(Self {
            bytes_whole: turned.two.saturating_mul(planes).saturating_add(batch),
            bytes_batch: brought,
            bytes_back: back,
            processor_arrows,
        })
    }
}
