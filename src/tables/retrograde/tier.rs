//! Solving one tier of one kind, on all threads of the pool.
//!
//! Threads take chunks from a counter, solve, encode and hash them, and hand them on in order to
//! one writer. The writer appends, checkpoints now and then, and collects the blocks in memory if
//! they are to stay there. What is solved is the whole tier, or a segment of it.

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::accelerator::{ChunkSolver, SolvedChunk};
use super::chunk::Chunks;
use super::error::BuildError;
use super::in_order::in_order;
use super::kernel::{Child, TierKernel, Workspace};
use super::pack::SLACK;
use super::planes::{NearPlanes, Planes};
use super::store::{Below, Block, FinishedTier, ThreadDecoder};
use crate::game::board::{Bitboard, SquareIndex};
use crate::machine::progress::{Observer, StopFlag};
use crate::tables::counting::Mask;
use crate::tables::format::{
    ContentHash, Encoder, Frames, Piece, Segment, TableError, TierSummary, TierWriter,
};
use crate::tables::index::{CanonicalSets, MAX_SQUARES, MOST_CHILD_KINDS, TierShape};

/// The most children of a block: the pairs of squares that a move can burn, which are more than
/// the squares for each kind that a capture can lead to.
const MOST_CHILDREN: usize = MAX_SQUARES * (MAX_SQUARES - 1) / 2;
const _: () = assert!(MOST_CHILDREN > MOST_CHILD_KINDS * MAX_SQUARES);

/// What a tier is solved with.
#[derive(Clone, Copy)]
pub(super) struct TierJob<'a, M: Mask> {
    pub(super) directory: &'a Path,
    pub(super) shape: TierShape,
    pub(super) sets: &'a CanonicalSets<M>,
    pub(super) below: Option<&'a Below<M>>,
    pub(super) kernel: &'a TierKernel<M>,
    /// What a plane of margins is solved and encoded with besides; nothing of plane 0.
    pub(super) planes: Option<&'a Planes>,
    /// Who solves in place of the kernel.
    pub(super) solver: Option<&'a dyn ChunkSolver>,
    /// Whether the blocks are to stay in memory.
    pub(super) collect: bool,
    /// The shortest time between checkpoints.
    pub(super) interval: Duration,
    pub(super) observer: &'a dyn Observer,
    /// Set when the work is to be given up.
    pub(super) stop: &'a StopFlag,
}

/// A solved tier.
pub(super) struct Solution {
    pub(super) summary: TierSummary,
    /// Its file, which is complete but not yet synced, where it was written.
    pub(super) file: Option<File>,
    /// Its blocks, if they were to stay in memory.
    pub(super) blocks: Option<FinishedTier>,
    /// Positions that were in the file at the last checkpoint of an earlier run.
    pub(super) taken_up: u64,
}

/// A chunk that is solved and encoded.
struct Solved {
    raw: Vec<u8>,
    encoded: Vec<u8>,
    frames: Vec<EncodedFrame>,
    wins: u64,
    /// Positions solved, every arrow set counted with its images.
    positions: u64,
}

/// A frame of a chunk.
struct EncodedFrame {
    /// Where it ends in the encoded bytes.
    end: usize,
    /// Its bytes, hashed by whoever encoded them: the writer has enough to do.
    content: Vec<Piece>,
}

/// The writer that gets the chunks in order.
struct Sink<'a> {
    writer: TierWriter,
    chunks: Chunks,
    collected: Option<Vec<u8>>,
    interval: Duration,
    saved: Instant,
    cost: Duration,
    /// Positions solved, every arrow set counted with its images.
    positions: u64,
    observer: &'a dyn Observer,
}

impl Sink<'_> {
    /// A checkpoint may cost one part in this many of the time.
    const COST: u32 = 50;

    fn accept(&mut self, number: u64, solved: Solved) -> Result<(), BuildError> {
        let (mut start, mut wins) = (0, solved.wins);
        for EncodedFrame { end, content } in solved.frames {
            let encoded = &solved.encoded[start..end];
            // The wins of a block of several frames are booked on the first.
            self.writer.push_hashed(content, encoded, std::mem::take(&mut wins))?;
            start = end;
        }
        if let Some(collected) = &mut self.collected {
            collected.extend_from_slice(&solved.raw[..self.chunks.bytes(number)]);
        }
        self.positions += solved.positions;
        self.observer.add(solved.positions);
        if self.saved.elapsed() > self.interval.max(self.cost * Self::COST) {
            self.checkpoint()?;
        }
        Ok(())
    }

    /// Whether all frames of the last chunk have been written, from which another run can go on.
    fn is_between_chunks(&self) -> bool {
        self.chunks.starting_at(self.writer.written()).is_some()
    }

    fn checkpoint(&mut self) -> Result<(), TableError> {
        let begun = Instant::now();
        self.writer.checkpoint()?;
        (self.saved, self.cost) = (Instant::now(), begun.elapsed());
        Ok(())
    }
}

impl<M: Mask> TierJob<'_, M> {
    /// Solves the tier, or what is left of it, and writes its file.
    ///
    /// # Errors
    /// [`BuildError`]; what was finished until then is checkpointed if that is possible at all.
    pub(super) fn solve(&self) -> Result<Solution, BuildError> {
        let (writer, fresh) = self.writer()?;
        let collect = self.collect && fresh;
        let (mut sink, taken_up) = self.write(writer, collect)?;
        let chunks = sink.chunks;
        if let Some(collected) = &mut sink.collected {
            collected.resize(chunks.frames().raw_bytes() as usize + SLACK, 0);
        }
        let (summary, file) = sink.writer.finish_unsynced()?;
        let blocks = sink.collected.map(|blocks| FinishedTier::resident(self.shape, blocks));
        Ok(Solution { summary, file: Some(file), blocks, taken_up })
    }

    /// The writer of the tier, at the last checkpoint or at the beginning, and whether it is that.
    ///
    /// # Errors
    /// [`BuildError`].
    pub(super) fn writer(&self) -> Result<(TierWriter, bool), BuildError> {
        let (directory, shape) = (self.directory, &self.shape);
        let resumed = TierWriter::resume(directory, shape, self.sets, Frames::TARGET)?;
        if let Some(writer) = resumed {
            return Ok((writer, false));
        }
        if TierWriter::has_journal(directory, shape) {
            self.observer.line(&format!(
                "{shape}: its journal or the file that it describes is damaged; the tier begins anew"
            ));
        }
        Ok((TierWriter::create(directory, shape, self.sets, Frames::TARGET)?, true))
    }

    /// Solves these frames, or what is left of them, into a file of their own. Also returns how
    /// many positions they hold.
    ///
    /// # Errors
    /// As [`Self::solve`].
    pub(super) fn solve_segment(&self, frames: Range<u64>) -> Result<(Segment, u64), BuildError> {
        let (directory, shape) = (self.directory, &self.shape);
        let resumed = TierWriter::resume_segment(directory, shape, Frames::TARGET, frames.clone())?;
        let writer = match resumed {
            Some(writer) => writer,
            None => TierWriter::create_segment(directory, shape, Frames::TARGET, frames)?,
        };
        let (sink, _) = self.write(writer, false)?;
        Ok((sink.writer.finish_segment()?, sink.positions))
    }

    /// Solves and writes what a writer has not yet written. Also returns how many positions it has
    /// written before.
    fn write(&self, writer: TierWriter, collect: bool) -> Result<(Sink<'_>, u64), BuildError> {
        let chunks = Chunks::new(*writer.frames());
        let chunk = |frame| chunks.starting_at(frame).ok_or(BuildError::OddCheckpoint);
        let range = writer.range();
        let (begin, first, end) =
            (chunk(range.start)?, chunk(writer.written())?, chunk(range.end)?);
        let positions = self.positions(&chunks, begin..first);
        self.observer.add(positions);
        let bytes = chunks.frames().raw_bytes() as usize + SLACK;
        let collected = collect.then(|| Vec::with_capacity(bytes));
        let (interval, observer) = (self.interval, self.observer);
        let (saved, cost) = (Instant::now(), Duration::ZERO);
        let sink = Sink { writer, chunks, collected, interval, saved, cost, positions, observer };
        let sink = if first == end { sink } else { self.run(&chunks, first..end, sink)? };
        Ok((sink, positions))
    }

    /// The chunks of the tier.
    pub(super) fn chunks(&self) -> Chunks {
        Chunks::of(&self.shape, self.sets.len())
    }

    /// The positions of some chunks, every arrow set counted with its images.
    pub(super) fn positions(&self, chunks: &Chunks, range: Range<u64>) -> u64 {
        let set = |chunk| {
            if chunk == chunks.len() { self.sets.len() } else { chunks.sets(chunk).start }
        };
        let sets = &self.sets.as_slice()[set(range.start)..set(range.end)];
        let orbits: u64 = sets.par_iter().map(|&set| self.orbit(set)).sum();
        orbits * self.shape.placements()
    }

    /// How many arrow sets are images of this one, itself counted.
    fn orbit(&self, arrows: M) -> u64 {
        u64::from(self.sets.images().orbit_size(arrows))
    }

    /// Solves the chunks of a range; the sink has them all afterwards.
    fn run<'s>(
        &self,
        chunks: &Chunks,
        range: Range<u64>,
        sink: Sink<'s>,
    ) -> Result<Sink<'s>, BuildError> {
        let beside = |work: &(dyn Fn() + Sync)| match self.solver {
            Some(solver) => solver.beside(range.clone(), work),
            None => {
                work();
                Ok(())
            }
        };
        let (worker, accept) = (|| self.worker(chunks), Sink::accept);
        let (mut sink, done) = in_order(range.clone(), self.stop, sink, beside, worker, accept);
        // Without this checkpoint the one before it holds. So it does if a write has failed within
        // a chunk, since nothing goes on from there.
        if done.is_err() && sink.is_between_chunks() {
            let _ = sink.checkpoint();
        }
        done.map(|()| sink)
    }

    /// What a thread does with the number of each chunk that it takes; nothing comes of one that
    /// another solver does not solve.
    fn worker(
        &self,
        chunks: &Chunks,
    ) -> Result<impl FnMut(u64) -> Result<Option<Solved>, BuildError>, BuildError> {
        let mut encoder = Encoder::new(*chunks.frames()).map_err(TableError::from)?;
        let (mut work, mut decoder) = (Workspace::default(), ThreadDecoder::default());
        let mut near = NearPlanes::default();
        Ok(move |number| {
            let solved = match self.solver {
                Some(solver) => solver.chunk(number),
                None => {
                    Some(self.solve_chunk(chunks, number, &mut work, &mut decoder, &mut near)?)
                }
            };
            let Some(SolvedChunk { raw, wins, orbits, inner }) = solved else { return Ok(None) };
            let inner = self.planes.is_some().then_some(&inner[..]);
            let (encoded, frames) = encode(chunks, number, inner, &raw, &mut encoder)?;
            let positions = orbits * self.shape.placements();
            Ok(Some(Solved { raw, encoded, frames, wins, positions }))
        })
    }

    /// The blocks of a chunk.
    fn solve_chunk(
        &self,
        chunks: &Chunks,
        number: u64,
        work: &mut Workspace<M>,
        decoder: &mut ThreadDecoder,
        near: &mut NearPlanes,
    ) -> Result<SolvedChunk, BuildError> {
        let kernel = self.kernel;
        let block = kernel.block_bytes();
        let mut raw = vec![0; chunks.bytes(number) + SLACK];
        let (mut wins, mut orbits, mut fetched) = (0, 0, Vec::new());
        for (i, rank) in chunks.sets(number).enumerate() {
            let arrows = self.sets.get(rank);
            let out = &mut raw[i * block..][..block + SLACK];
            let near = match self.planes {
                Some(planes) => Some(planes.at(rank, near)?),
                None => None,
            };
            let orbit = self.orbit(arrows);
            if let Some(known) = near.as_ref().and_then(|near| near.decided(&self.shape)) {
                out[..block].copy_from_slice(known.block);
                wins += known.wins * orbit;
                orbits += orbit;
                continue;
            }
            self.fetch(arrows, &mut fetched, decoder)?;
            let mut children = ArrayVec::<_, MOST_CHILDREN>::new();
            for (block, symmetry) in &fetched {
                children.push(Child { block, symmetry: *symmetry });
            }
            let spent = near.as_ref().and_then(|near| near.spent.as_deref());
            let won = kernel.solve_plane(arrows, &children, spent, out, work);
            wins += won * orbit;
            orbits += orbit;
        }
        let inner = std::mem::take(&mut near.inner);
        Ok(SolvedChunk { raw, wins, orbits, inner })
    }

    /// Fetches the blocks of the children of an arrow set, with the symmetries that lead to them.
    #[inline]
    fn fetch<'b>(
        &'b self,
        arrows: M,
        fetched: &mut Vec<(Block<'b>, usize)>,
        decoder: &mut ThreadDecoder,
    ) -> Result<(), BuildError> {
        fetched.clear();
        if !self.kernel.has_moves() {
            return Ok(());
        }
        if let Some(lost) = self.planes.and_then(Planes::lost_child) {
            let free = self.shape.free();
            fetched.extend((0..free).map(|_| (Block::Slice(lost), 0)));
            return Ok(());
        }
        let Some(below) = self.below else { return Ok(()) };
        for shape in self.shape.children() {
            let kind = below.kind(&shape).ok_or(BuildError::NoChildren)?;
            self.fetch_kind(below, kind, arrows, fetched, decoder)?;
        }
        Ok(())
    }

    /// Fetches the children of one kind.
    #[inline]
    fn fetch_kind<'b>(
        &self,
        below: &'b Below<M>,
        kind: &'b FinishedTier,
        arrows: M,
        fetched: &mut Vec<(Block<'b>, usize)>,
        decoder: &mut ThreadDecoder,
    ) -> Result<(), BuildError> {
        let images = self.sets.images();
        let free = self.shape.board().all::<u64>().without(Bitboard::from_word(arrows.word()));
        let mut fetch = |burned: M| {
            let child = images.canonical(arrows | burned);
            let rank = below.sets.rank(child.arrows).ok_or(BuildError::NoChildren)?;
            fetched.push((kind.block(rank, decoder)?, child.symmetry));
            Ok::<_, BuildError>(())
        };
        let single = |square: SquareIndex| M::single(square.index());
        for square in free {
            match self.shape.rules().burned() {
                1 => fetch(single(square))?,
                _ => {
                    let below = free.iter().take_while(|&other| other < square);
                    below.map(single).try_for_each(|other| fetch(single(square) | other))?;
                }
            }
        }
        Ok(())
    }
}

/// Encodes and hashes the frames of a chunk, of a plane behind its inner plane.
fn encode(
    chunks: &Chunks,
    number: u64,
    inner: Option<&[u8]>,
    raw: &[u8],
    encoder: &mut Encoder,
) -> Result<(Vec<u8>, Vec<EncodedFrame>), TableError> {
    let all = chunks.frames();
    let (mut encoded, mut frames, mut rest) = (Vec::new(), Vec::new(), raw);
    let first = all.bytes_before(chunks.frames_before(number));
    for frame in chunks.frames_of(number) {
        let (part, after) = rest.split_at(all.bytes(frame));
        let at = (all.bytes_before(frame) - first) as usize;
        match inner {
            Some(inner) => {
                encoder.encode_plane(frame, &inner[at..at + part.len()], part, &mut encoded)?;
            }
            None => encoder.encode(frame, part, &mut encoded)?,
        }
        let mut hash = ContentHash::new(all.bytes_before(frame), all.raw_bytes());
        hash.update(part);
        frames.push(EncodedFrame { end: encoded.len(), content: hash.into_pieces() });
        rest = after;
    }
    Ok((encoded, frames))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of several frames is one chunk; a write may fail after some of them.
    #[test]
    fn a_part_of_a_chunk_is_told_from_whole_ones() {
        let directory = tempfile::tempdir().unwrap();
        let shape = TierShape::new("3x4".parse().unwrap(), 2, 2, 2).unwrap();
        let writer = TierWriter::create_segment(directory.path(), &shape, 1, 0..1000).unwrap();
        let chunks = Chunks::new(*writer.frames());
        let (interval, saved, cost) = (Duration::MAX, Instant::now(), Duration::ZERO);
        let collected = None;
        let mut sink =
            Sink { writer, chunks, collected, interval, saved, cost, positions: 0, observer: &() };
        assert!(sink.is_between_chunks() && chunks.frames_of(0).count() > 1);
        for frame in chunks.frames_of(0) {
            sink.writer.push(&vec![0; chunks.frames().bytes(frame)], &[], 0).unwrap();
            assert_eq!(sink.is_between_chunks(), frame + 1 == chunks.frames_of(0).end);
        }
    }
}
