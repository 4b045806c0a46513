//! The finished tier, as a source of children.
//!
//! Every block of a tier is read about as often as there are squares, so where it comes from
//! decides the speed. There are two ways, chosen by the memory that is given:
//!
//! - [`Blocks::Resident`]: the whole tier uncompressed in memory, collected while it was solved.
//!   Nothing is decoded.
//! - [`Blocks::Cached`]: chunks decoded from the compressed file when they are needed, the recently
//!   used ones kept.
//!
//! Neighbouring arrow sets share many children, so a cache of a few per cent of the tier already
//! serves half of all reads. The cache replaces by the clock: a hand goes round, spares once what
//! was used since it last came by, and drops the rest. Its chunks lie in buffers of a [`Slabs`],
//! which gives the memory back when the tier is done.

use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::chunk::Chunks;
use super::pack::SLACK;
use super::slabs::{Buffer, Slabs};
use crate::tables::counting::Mask;
use crate::tables::format::{
    Decoder, Manifest, TableError, TierBytes, TierError, TierReader, behind,
};
use crate::tables::index::{CanonicalSets, MOST_CHILD_KINDS, TierShape};

/// A finished tier of one kind.
#[derive(Debug)]
pub(super) struct FinishedTier {
    shape: TierShape,
    blocks: Blocks,
}

#[derive(Debug)]
enum Blocks {
    /// All blocks by rank, and [`SLACK`].
    Resident(Vec<u8>),
    Cached(Box<Cache>),
}

/// One block and [`SLACK`] bytes behind it.
#[derive(Debug)]
pub(super) enum Block<'a> {
    Slice(&'a [u8]),
    Shared(Arc<Buffer>, Range<usize>),
}

impl Deref for Block<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Self::Slice(bytes) => bytes,
            Self::Shared(chunk, range) => &chunk[range.clone()],
        }
    }
}

/// How much of a tier is going to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// All of it.
    Whole,
    /// Some of it, because other processes read the rest.
    InParts,
}

/// What one thread decodes with: a decoder for each kind of the tier that it reads.
#[derive(Debug, Default)]
pub(super) struct ThreadDecoder(ArrayVec<(TierShape, Decoder), MOST_CHILD_KINDS>);

impl ThreadDecoder {
    /// The decoder for the tier of a reader.
    ///
    /// # Errors
    /// [`TierError`] if there is no memory for one.
    ///
    /// # Panics
    /// If it is asked for more kinds than a block has children of.
    fn of(&mut self, reader: &TierReader<TierBytes>) -> Result<&mut Decoder, TierError> {
        let known = self.0.iter().position(|(shape, _)| shape == reader.shape());
        let at = match known {
            Some(at) => at,
            None => {
                self.0.push((*reader.shape(), reader.decoder()?));
                self.0.len() - 1
            }
        };
        Ok(&mut self.0[at].1)
    }
}

impl FinishedTier {
    /// A tier whose blocks were collected in memory; `blocks` ends with [`SLACK`] bytes.
    pub(super) fn resident(shape: TierShape, blocks: Vec<u8>) -> Self {
        Self { shape, blocks: Blocks::Resident(blocks) }
    }

    /// A tier in its file, which has so many bytes; at most `memory` bytes of it are kept decoded.
    /// If it is read whole and fits, it is decoded at once.
    ///
    /// # Errors
    /// [`TableError`] if the file is missing or damaged.
    pub(super) fn open(
        directory: &Path,
        shape: TierShape,
        bytes: u64,
        memory: u64,
        reading: Reading,
    ) -> Result<Self, TableError> {
        let path = Manifest::tier_path(directory, &shape);
        let opened = match reading {
            Reading::Whole => TierBytes::open(&path),
            Reading::InParts => TierBytes::shared(&path, bytes),
        };
        let bytes = opened.map_err(TableError::io("read", &path))?;
        let reader = behind(directory, &path, &shape, bytes)?;
        let chunks = Chunks::new(*reader.frames());
        let cache = Cache::new(path, reader, chunks, memory);
        if reading == Reading::InParts || chunks.frames().raw_bytes() + SLACK as u64 > memory {
            return Ok(Self { shape, blocks: Blocks::Cached(Box::new(cache)) });
        }
        Ok(Self { shape, blocks: Blocks::Resident(cache.decode_all()?) })
    }

    /// Bytes that a tier takes whose chunks are decoded when they are needed, beside them.
    pub(super) fn slots_bytes(chunks: &Chunks) -> u64 {
        chunks.len() * size_of::<Slot>() as u64
    }

    /// Bytes held in memory at the most.
    pub(super) fn memory(&self) -> u64 {
        match &self.blocks {
            Blocks::Resident(bytes) => bytes.len() as u64,
            Blocks::Cached(cache) => cache.capacity as u64,
        }
    }

    /// The block of an arrow set by rank.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if the file turns out to be.
    #[inline]
    pub(super) fn block(
        &self,
        rank: usize,
        decoder: &mut ThreadDecoder,
    ) -> Result<Block<'_>, TableError> {
        let bytes = self.shape.block_bytes();
        match &self.blocks {
            Blocks::Resident(blocks) => Ok(Block::Slice(&blocks[rank * bytes..][..bytes + SLACK])),
            Blocks::Cached(cache) => {
                let number = cache.chunks.of_set(rank);
                let chunk = cache.get(number, decoder)?;
                let start = (rank - cache.chunks.sets(number).start) * bytes;
                Ok(Block::Shared(chunk, start..start + bytes + SLACK))
            }
        }
    }
}

/// Decoded chunks of a tier file.
#[derive(Debug)]
struct Cache {
    path: PathBuf,
    reader: TierReader<TierBytes>,
    chunks: Chunks,
    slots: Box<[Slot]>,
    slabs: Arc<Slabs>,
    capacity: usize,
    used: AtomicUsize,
    hand: AtomicUsize,
}

#[derive(Debug, Default)]
struct Slot {
    chunk: Mutex<Option<Arc<Buffer>>>,
    recent: AtomicBool,
}

impl Cache {
    fn new(path: PathBuf, reader: TierReader<TierBytes>, chunks: Chunks, memory: u64) -> Self {
        let slots: Box<[Slot]> = (0..chunks.len()).map(|_| Slot::default()).collect();
        // What the reader holds is counted with the lists of the tier.
        let overhead = (slots.len() * size_of::<Slot>()) as u64;
        let capacity = memory.saturating_sub(overhead) as usize;
        let (zero, slabs) = (|| AtomicUsize::new(0), Slabs::new(chunks.longest() + SLACK));
        Self { path, reader, chunks, slots, slabs, capacity, used: zero(), hand: zero() }
    }

    fn get(&self, number: u64, decoder: &mut ThreadDecoder) -> Result<Arc<Buffer>, TableError> {
        let slot = &self.slots[number as usize];
        let mut held = slot.chunk.lock().unwrap_or_else(PoisonError::into_inner);
        slot.recent.store(true, Ordering::Relaxed);
        if let Some(chunk) = &*held {
            return Ok(chunk.clone());
        }
        let mut bytes = self.slabs.take();
        self.decode(number, decoder, &mut bytes.bytes_mut()[..self.chunks.bytes(number)])?;
        self.used.fetch_add(bytes.len(), Ordering::Relaxed);
        let chunk = Arc::new(bytes);
        *held = Some(chunk.clone());
        drop(held);
        self.make_room(number);
        Ok(chunk)
    }

    fn decode(
        &self,
        number: u64,
        decoder: &mut ThreadDecoder,
        bytes: &mut [u8],
    ) -> Result<(), TableError> {
        let damaged = |source| TableError::damaged(&self.path, self.reader.shape(), source);
        let decoder = decoder.of(&self.reader).map_err(damaged)?;
        let mut rest = bytes;
        for frame in self.chunks.frames_of(number) {
            let (part, after) = rest.split_at_mut(self.chunks.frames().bytes(frame));
            self.reader.read_frame(frame, decoder, part).map_err(damaged)?;
            rest = after;
        }
        Ok(())
    }

    /// Drops chunks until the rest fits; never the one just read.
    fn make_room(&self, newest: u64) {
        let mut steps = 0;
        while self.used.load(Ordering::Relaxed) > self.capacity && steps < 3 * self.slots.len() {
            steps += 1;
            let hand = self.hand.fetch_add(1, Ordering::Relaxed) % self.slots.len();
            let slot = &self.slots[hand];
            let Ok(mut held) = slot.chunk.try_lock() else { continue };
            if hand as u64 == newest || held.is_none() || slot.recent.swap(false, Ordering::Relaxed)
            {
                continue;
            }
            if let Some(chunk) = held.take() {
                self.used.fetch_sub(chunk.len(), Ordering::Relaxed);
            }
        }
    }

    fn decode_all(&self) -> Result<Vec<u8>, TableError> {
        let bytes = self.chunks.frames().raw_bytes() as usize;
        let mut all = vec![0; bytes + SLACK];
        all[..bytes]
            .par_chunks_mut(self.chunks.longest().max(1))
            .enumerate()
            .try_for_each_init(ThreadDecoder::default, |decoder, (number, chunk)| {
                self.decode(number as u64, decoder, chunk)
            })?;
        Ok(all)
    }
}

/// A finished tier and its arrow sets.
#[derive(Debug)]
pub(super) struct Below<M> {
    pub(super) sets: CanonicalSets<M>,
    /// One for each kind.
    pub(super) kinds: Vec<FinishedTier>,
}

impl<M: Mask> Below<M> {
    /// The blocks of one kind.
    pub(super) fn kind(&self, shape: &TierShape) -> Option<&FinishedTier> {
        self.kinds.iter().find(|tier| tier.shape == *shape)
    }

    /// Bytes held in memory at the most.
    pub(super) fn memory(&self) -> u64 {
        self.kinds.iter().map(FinishedTier::memory).sum()
    }
}
