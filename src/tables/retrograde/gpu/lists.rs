//! What the device must be told of a batch: its arrow sets, and where each of their children is.

use std::ops::Range;

use super::segments::Segments;
use crate::game::board::Bitboard;
use crate::tables::counting::Mask;
use crate::tables::index::{CanonicalSets, TierShape, Width};
use crate::tables::retrograde::error::BuildError;
use crate::tables::retrograde::lines::free_squares;
use crate::tables::retrograde::planes::{NearPlanes, Planes};
use crate::tables::retrograde::store::{FinishedTier, ThreadDecoder};

/// Where children come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'a> {
    /// Turned blocks on the device.
    Device(&'a Segments),
    /// Blocks of the host.
    Host(&'a FinishedTier),
}

/// Items of one kind of work with one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Which segment, 0 where children are brought.
    pub(super) segment: usize,
    /// Whether the children are stored under another symmetry than the identity.
    pub(super) moved: bool,
    pub(super) first: usize,
    pub(super) count: usize,
}

/// The lists of a batch.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The ranks of its arrow sets.
    pub(super) ranks: Range<usize>,
    /// The arrow sets as the kernels read them.
    pub(super) sets: Vec<u32>,
    /// For each child: its place in the batch, its block in the segment, the symmetry, and the
    /// square of the arrow.
    pub(super) items: Vec<[u32; 4]>,
    /// The items by segment.
    pub(super) runs: Vec<Run>,
    /// Blocks of children that are brought, in whole words, as the host has them.
    pub(super) brought: Vec<u32>,
    /// How many these are.
    pub(super) brought_blocks: usize,
    /// Of a plane of margins, the blocks of the inner plane as the file has them.
    pub(super) inner: Vec<u8>,
    /// Of a plane above 0, the blocks with the other side to move after a spare move, in whole
    /// words.
    pub(super) spent: Vec<u32>,
}

/// A child before it has a place: its rank and symmetry, its place in the batch and its square.
#[derive(Clone, Copy)]
struct Item {
    rank: usize,
    symmetry: usize,
    place: usize,
    square: usize,
}

impl Lists {
    /// The lists of these arrow sets of a tier, whose children are among `below`.
    ///
    /// # Errors
    /// [`BuildError::NoChildren`] if one is not, [`BuildError::Table`] if its block cannot be read.
    pub(super) fn new<M: Mask>(
        shape: &TierShape,
        sets: &CanonicalSets<M>,
        below: &CanonicalSets<M>,
        ranks: Range<usize>,
        source: Source<'_>,
        decoder: &mut ThreadDecoder,
    ) -> Result<Self, BuildError> {
        let images = sets.images();
        let mut items = Vec::with_capacity(ranks.len() * shape.free());
        for &arrows in &sets.as_slice()[ranks.clone()] {
            let free = free_squares(shape.board(), arrows).word();
            for square in Bitboard::<u64>::from_word(free) {
                let child = images.canonical(arrows | M::single(square.index()));
                let rank = below.rank(child.arrows).ok_or(BuildError::NoChildren)?;
                let (symmetry, square) = (child.symmetry, square.index());
                items.push(Item { rank, symmetry, place: items.len(), square });
            }
        }
        let words = sets.as_slice()[ranks.clone()].iter().map(|set| set.word());
        let words = match shape.width() {
            Width::Narrow => words.map(|set| set as u32).collect(),
            Width::Wide => words.flat_map(|set| [set as u32, (set >> 32) as u32]).collect(),
        };
        let mut lists = Self { ranks, sets: words, ..Self::default() };
        match source {
            Source::Device(segments) => lists.fill(&items, segments.per_segment),
            Source::Host(tier) => {
                let mut wanted: Vec<usize> = items.iter().map(|item| item.rank).collect();
                wanted.sort_unstable();
                wanted.dedup();
                for item in &mut items {
                    item.rank = wanted.partition_point(|&rank| rank < item.rank);
                }
                lists.fill(&items, wanted.len());
                lists.bring(shape, &wanted, tier, decoder)?;
            }
        }
        Ok(lists)
    }

    /// Puts items in order by segment, those that are copied before those that are moved.
    fn fill(&mut self, items: &[Item], per_segment: usize) {
        let key = |item: &Item| 2 * (item.rank / per_segment) + usize::from(item.symmetry != 0);
        let mut counts = Vec::new();
        for key in items.iter().map(key) {
            counts.resize(counts.len().max(key + 1), 0);
            counts[key] += 1;
        }
        let mut first = 0;
        for (key, count) in counts.iter_mut().enumerate() {
            let run = Run { segment: key / 2, moved: key % 2 == 1, first, count: *count };
            self.runs.extend((run.count > 0).then_some(run));
            // From here on the place of the next item of the run.
            first += std::mem::replace(count, first);
        }
        self.items = vec![[0; 4]; items.len()];
        for item in items {
            let place = &mut counts[key(item)];
            let block = item.rank % per_segment;
            self.items[*place] =
                [item.place, block, item.symmetry, item.square].map(|number| number as u32);
            *place += 1;
        }
    }

    /// Reads blocks of children, row by row into whole words.
    fn bring(
        &mut self,
        shape: &TierShape,
        ranks: &[usize],
        tier: &FinishedTier,
        decoder: &mut ThreadDecoder,
    ) -> Result<(), BuildError> {
        let child = shape.child().ok_or(BuildError::NoChildren)?;
        self.brought_blocks = ranks.len();
        self.brought.reserve_exact(ranks.len() * child.rows() * row_words(&child));
        for &rank in ranks {
            put_rows(&child, &tier.block(rank, decoder)?, &mut self.brought);
        }
        Ok(())
    }

    /// Reads what a plane of margins is solved with besides its children.
    ///
    /// # Errors
    /// [`BuildError::Table`] if it cannot be read.
    pub(super) fn add_planes(
        &mut self,
        shape: &TierShape,
        planes: &Planes,
        near: &mut NearPlanes,
    ) -> Result<(), BuildError> {
        near.inner.clear();
        for rank in self.ranks.clone() {
            let block = planes.at(rank, near)?;
            if let (Some(spent), Some(of)) = (block.spent, shape.spent()) {
                put_rows(&of, &spent, &mut self.spent);
            }
        }
        self.inner = std::mem::take(&mut near.inner);
        Ok(())
    }
}

/// Words of a row on a device.
fn row_words(shape: &TierShape) -> usize {
    shape.row_bits().div_ceil(32).max(1)
}

/// Puts the rows of a block behind what is there, in whole words.
fn put_rows(shape: &TierShape, block: &[u8], to: &mut Vec<u32>) {
    let words = row_words(shape);
    for row in block[..shape.block_bytes()].chunks_exact(shape.row_bytes().max(1)) {
        let end = to.len() + words;
        to.extend(row.chunks(4).map(|four| {
            let mut padded = [0; 4];
            padded[..four.len()].copy_from_slice(four);
            u32::from_le_bytes(padded)
        }));
        to.resize(end, 0);
    }
}
