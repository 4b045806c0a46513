//! Solving one tier of one kind, on all threads of the pool.
//!
//! Threads take chunks from a counter, solve and encode them, and hand them on in order to one
//! writer. The writer hashes, appends, checkpoints now and then, and collects the blocks in memory
//! if they are to stay there.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::BuildError;
use super::chunk::Chunks;
use super::kernel::{BoardTables, Child, TierKernel, Workspace};
use super::pack::SLACK;
use super::reorder::ReorderBuffer;
use super::store::{Below, Block, FinishedTier, ThreadDecoder};
use crate::game::board::Bitboard;
use crate::machine::isa::InstructionSet;
use crate::machine::progress::{Observer, StopFlag};
use crate::tables::format::{Encoder, Frames, TableError, TierSummary, TierWriter};
use crate::tables::index::{CanonicalSets, TierShape};

/// Chunks that may be finished ahead of the one the writer waits for, for each thread.
pub(super) const WINDOW_PER_THREAD: u64 = 4;

/// What a tier is solved with.
pub(super) struct TierJob<'a> {
    pub(super) directory: &'a Path,
    pub(super) shape: TierShape,
    pub(super) sets: &'a CanonicalSets,
    pub(super) tables: &'a Arc<BoardTables>,
    pub(super) below: Option<&'a Below>,
    pub(super) isa: InstructionSet,
    /// Whether the blocks are to stay in memory.
    pub(super) collect: bool,
    /// The shortest time between checkpoints.
    pub(super) interval: Duration,
    pub(super) observer: &'a dyn Observer,
    pub(super) stop: &'a StopFlag,
}

/// A solved tier.
pub(super) struct Solution {
    pub(super) summary: TierSummary,
    /// Its file, which is complete but not yet synced.
    pub(super) file: File,
    /// Its blocks, if they were to stay in memory.
    pub(super) blocks: Option<FinishedTier>,
}

/// A chunk that is solved and encoded.
struct Solved {
    raw: Vec<u8>,
    encoded: Vec<u8>,
    /// Where each frame ends in `encoded`.
    ends: Vec<usize>,
    wins: u64,
    /// Positions solved, every arrow set counted with its images.
    positions: u64,
}

/// The writer that gets the chunks in order.
struct Sink<'a> {
    writer: TierWriter,
    chunks: Chunks,
    collected: Option<Vec<u8>>,
    interval: Duration,
    saved: Instant,
    cost: Duration,
    observer: &'a dyn Observer,
}

impl Sink<'_> {
    /// A checkpoint may cost one part in this many of the time.
    const COST: u32 = 50;

    fn accept(&mut self, number: u64, solved: &Solved) -> Result<(), TableError> {
        let bytes = self.chunks.bytes(number);
        let (mut raw, mut start, mut wins) = (&solved.raw[..bytes], 0, solved.wins);
        for (frame, &end) in self.chunks.frames_of(number).zip(&solved.ends) {
            let (part, rest) = raw.split_at(self.chunks.frames().bytes(frame));
            // The wins of a block of several frames are booked on the first.
            self.writer.push(part, &solved.encoded[start..end], std::mem::take(&mut wins))?;
            (raw, start) = (rest, end);
        }
        if let Some(collected) = &mut self.collected {
            collected.extend_from_slice(&solved.raw[..bytes]);
        }
        self.observer.add(solved.positions);
        if self.saved.elapsed() > self.interval.max(self.cost * Self::COST) {
            self.checkpoint()?;
        }
        Ok(())
    }

    fn checkpoint(&mut self) -> Result<(), TableError> {
        let begun = Instant::now();
        self.writer.checkpoint()?;
        (self.saved, self.cost) = (Instant::now(), begun.elapsed());
        Ok(())
    }
}

impl TierJob<'_> {
    /// Solves the tier, or what is left of it, and writes its file.
    ///
    /// # Errors
    /// [`BuildError`]; what was finished until then is checkpointed if that is possible at all.
    pub(super) fn solve(&self) -> Result<Solution, BuildError> {
        let resumed = TierWriter::resume(self.directory, &self.shape, self.sets, Frames::TARGET)?;
        let fresh = resumed.is_none();
        if fresh && TierWriter::has_journal(self.directory, &self.shape) {
            self.observer.line(&format!(
                "{}: its journal or the file that it describes is damaged; the tier begins anew",
                self.shape
            ));
        }
        let writer = match resumed {
            Some(writer) => writer,
            None => TierWriter::create(self.directory, &self.shape, self.sets, Frames::TARGET)?,
        };
        let chunks = Chunks::new(*writer.frames());
        let first = chunks.starting_at(writer.written()).ok_or(BuildError::OddCheckpoint)?;
        let done = if first == chunks.len() { self.sets.len() } else { chunks.sets(first).start };
        let orbits = self.sets.as_slice()[..done].par_iter().map(|&set| self.orbit(set));
        self.observer.add(orbits.sum::<u64>() * self.shape.placements());
        let bytes = chunks.frames().raw_bytes() as usize + SLACK;
        let collected = (self.collect && fresh).then(|| Vec::with_capacity(bytes));
        let (interval, observer) = (self.interval, self.observer);
        let (saved, cost) = (Instant::now(), Duration::ZERO);
        let sink = Sink { writer, chunks, collected, interval, saved, cost, observer };
        let mut sink = self.run(&chunks, first, sink)?;
        if let Some(collected) = &mut sink.collected {
            collected.resize(bytes, 0);
        }
        let (summary, file) = sink.writer.finish_unsynced()?;
        let blocks = sink.collected.map(|blocks| FinishedTier::resident(self.shape, blocks));
        Ok(Solution { summary, file, blocks })
    }

    /// How many arrow sets are images of this one, itself counted.
    fn orbit(&self, arrows: u32) -> u64 {
        u64::from(self.sets.images().orbit_size(arrows))
    }

    /// Solves chunks from `first` on; the sink has them all afterwards.
    fn run<'s>(&self, chunks: &Chunks, first: u64, sink: Sink<'s>) -> Result<Sink<'s>, BuildError> {
        let window = WINDOW_PER_THREAD * rayon::current_num_threads() as u64;
        let buffer = ReorderBuffer::new(first, window, sink);
        let (next, failure) = (AtomicU64::new(first), Mutex::new(None));
        let kernel = TierKernel::new(self.tables.clone(), &self.shape, self.isa);
        rayon::broadcast(|_| {
            if let Err(error) = self.work(chunks, &kernel, &next, &buffer) {
                buffer.abandon();
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        });
        let mut sink = buffer.into_sink();
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(sink),
            Some(error) => {
                // The first error is the one to report; without this checkpoint the one before it
                // holds.
                let _ = sink.checkpoint();
                Err(error)
            }
        }
    }

    /// What each thread does.
    fn work(
        &self,
        chunks: &Chunks,
        kernel: &TierKernel,
        next: &AtomicU64,
        buffer: &ReorderBuffer<Solved, Sink<'_>>,
    ) -> Result<(), BuildError> {
        let mut encoder = Encoder::new(*chunks.frames()).map_err(TableError::from)?;
        let (mut work, mut decoder) = (Workspace::default(), ThreadDecoder::default());
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= chunks.len() {
                return Ok(());
            }
            if self.stop.is_set() {
                return Err(BuildError::Stopped);
            }
            let (raw, wins, orbits) =
                self.solve_chunk(chunks, number, kernel, &mut work, &mut decoder)?;
            let (mut encoded, mut ends, mut rest) =
                (Vec::new(), Vec::new(), &raw[..chunks.bytes(number)]);
            for frame in chunks.frames_of(number) {
                let (part, after) = rest.split_at(chunks.frames().bytes(frame));
                encoder.encode(frame, part, &mut encoded).map_err(TableError::from)?;
                ends.push(encoded.len());
                rest = after;
            }
            let positions = orbits * self.shape.placements();
            let solved = Solved { raw, encoded, ends, wins, positions };
            if !buffer.push(number, solved, |sink, number, solved| sink.accept(number, &solved))? {
                return Ok(());
            }
        }
    }

    /// The blocks of a chunk, their wins counted with all images of their arrow sets, and how many
    /// images those are.
    fn solve_chunk(
        &self,
        chunks: &Chunks,
        number: u64,
        kernel: &TierKernel,
        work: &mut Workspace,
        decoder: &mut ThreadDecoder,
    ) -> Result<(Vec<u8>, u64, u64), BuildError> {
        let block = kernel.block_bytes();
        let mut raw = vec![0; chunks.bytes(number) + SLACK];
        let (mut wins, mut orbits) = (0, 0);
        for (i, rank) in chunks.sets(number).enumerate() {
            let arrows = self.sets.get(rank);
            let out = &mut raw[i * block..][..block + SLACK];
            let mut blocks: [Option<Block<'_>>; 32] = [const { None }; 32];
            let mut children = [Child { block: &[], symmetry: 0 }; 32];
            let count = self.fetch(kernel, arrows, &mut blocks, &mut children, decoder)?;
            for (child, block) in children.iter_mut().zip(&blocks) {
                child.block = block.as_deref().unwrap_or(&[]);
            }
            let won = kernel.solve(arrows, &children[..count], out, work);
            let orbit = self.orbit(arrows);
            wins += won * orbit;
            orbits += orbit;
        }
        Ok((raw, wins, orbits))
    }

    /// Fetches the children of an arrow set; returns how many there are.
    #[inline]
    fn fetch<'b>(
        &'b self,
        kernel: &TierKernel,
        arrows: u32,
        blocks: &mut [Option<Block<'b>>; 32],
        children: &mut [Child<'_>; 32],
        decoder: &mut ThreadDecoder,
    ) -> Result<usize, BuildError> {
        let (Some(below), true) = (self.below, kernel.has_children()) else { return Ok(0) };
        let kind = self
            .shape
            .child()
            .and_then(|shape| below.kind(&shape))
            .ok_or(BuildError::NoChildren)?;
        let images = self.sets.images();
        let free = self.shape.board().all::<u64>().without(Bitboard::from_word(arrows.into()));
        let mut count = 0;
        for square in free {
            let child = images.canonical(arrows | 1 << square.index());
            let rank = below.sets.rank(child.arrows).ok_or(BuildError::NoChildren)?;
            blocks[count] = Some(kind.block(rank, decoder)?);
            children[count].symmetry = child.symmetry;
            count += 1;
        }
        Ok(count)
    }
}
