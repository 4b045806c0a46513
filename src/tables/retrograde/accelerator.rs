//! Somebody who solves blocks in place of the kernels, such as a graphics card.
//!
//! What is solved, in which order, and what becomes of it stays the same: threads take chunks from
//! a counter, encode them and hand them on to the writer. Only the blocks of a chunk come from
//! here.

use std::ops::Range;

use super::error::BuildError;
use super::planes::Planes;
use super::store::Below;
use crate::tables::counting::Mask;
use crate::tables::index::{CanonicalSets, TierShape};

/// The blocks of a chunk.
#[derive(Debug)]
pub(super) struct SolvedChunk {
    /// The blocks, and [`SLACK`](super::pack::SLACK) bytes.
    pub(super) raw: Vec<u8>,
    /// Their wins, each arrow set counted with its images.
    pub(super) wins: u64,
    /// How many images that are.
    pub(super) orbits: u64,
    /// The blocks of the inner plane, of a plane of margins.
    pub(super) inner: Vec<u8>,
}

/// Solves the chunks of a tier: of one range after the other.
pub(super) trait ChunkSolver: Sync {
    /// Calls `work`, which takes all chunks of a range, or gives up; they are solved meanwhile. When
    /// it has ended the next range may come.
    ///
    /// # Errors
    /// [`BuildError`] if they cannot be; then those who wait for one get none.
    fn beside(&self, chunks: Range<u64>, work: &(dyn Fn() + Sync)) -> Result<(), BuildError>;

    /// A chunk of the range, once; waits until it is solved. `None` if it will not be.
    fn chunk(&self, number: u64) -> Option<SolvedChunk>;
}

/// Solves tiers, from the fullest on, and keeps what it has solved for the next one if it can.
pub(super) trait Accelerator<M: Mask> {
    /// Whether it has the blocks of the tier with so many arrows.
    fn holds(&self, arrows: usize) -> bool;

    /// Whether it solves such a tier; if not, the kernels do.
    fn solves(&self, shape: &TierShape) -> bool;

    /// Begins a tier of these kinds. Returns whether it will have the blocks of the tier when that
    /// is done.
    ///
    /// # Errors
    /// [`BuildError`] if it has failed.
    fn begin(&mut self, shapes: &[TierShape], sets: usize) -> Result<bool, BuildError>;

    /// Who solves one kind of the tier, whose children it has or `below` has; a plane
    /// of margins with `planes`. No range of chunks that it is given has more than `stretch` of
    /// them.
    ///
    /// # Errors
    /// [`BuildError`] if there is no room, or it has failed.
    fn solver<'s>(
        &'s self,
        shape: &TierShape,
        sets: &'s CanonicalSets<M>,
        below: &'s Below<M>,
        planes: Option<&'s Planes>,
        stretch: u64,
    ) -> Result<Box<dyn ChunkSolver + 's>, BuildError>;

    /// Ends a tier, and forgets the one below. Its blocks are kept if it was solved `whole`.
    fn end(&mut self, whole: bool);
}
