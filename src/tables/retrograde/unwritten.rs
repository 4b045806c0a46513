//! A tier that is solved, counted and hashed, and not written: nobody will read its file.
//!
//! Where the next tier takes its children from the device that has solved this one, and the file
//! would be deleted after that, encoding and writing it would be most of the work. A run that is
//! stopped has then to solve such tiers again.

use std::ops::Range;

use super::BuildError;
use super::accelerator::ChunkSolver;
use super::chunk::Chunks;
use super::in_order::in_order;
use super::tier::{Solution, TierJob};
use crate::tables::counting::Mask;
use crate::tables::format::{ContentHash, Piece, TierSummary, TierWriter};

/// Bytes that one thread hashes at a time, about: the more, the larger are the subtrees.
const RUN: u64 = 1 << 20;

/// What is known of the tier so far.
struct Sum {
    hash: ContentHash,
    wins: u64,
}

/// What is known of a run of chunks.
struct Part {
    pieces: Vec<Piece>,
    wins: u64,
    positions: u64,
}

/// Solves a tier that is not to be written.
///
/// # Errors
/// [`BuildError`].
pub(super) fn solve<M: Mask>(
    job: &TierJob<'_, M>,
    solver: &dyn ChunkSolver,
) -> Result<Solution, BuildError> {
    // An earlier run may have begun to write it.
    TierWriter::clear(job.directory, &job.shape)?;
    let chunks = job.chunks();
    let runs = Runs::of(&chunks);
    let sum = Sum { hash: ContentHash::new(0, chunks.frames().raw_bytes()), wins: 0 };
    let beside = |work: &(dyn Fn() + Sync)| solver.beside(0..chunks.len(), work);
    let worker = || Ok(|number| Ok(hash_run(job, &chunks, runs.chunks(number), solver)));
    let accept = |sum: &mut Sum, _, part: Part| {
        sum.hash.append(part.pieces);
        sum.wins += part.wins;
        job.observer.add(part.positions);
        Ok(())
    };
    let (sum, done) = in_order(0..runs.count, job.stop, sum, beside, worker, accept);
    done?;
    let Sum { hash, wins } = sum;
    let positions = job.shape.count().positions().unwrap_or(0) as u64;
    let summary = TierSummary { positions, wins, bytes: 0, content: hash.finalize() };
    Ok(Solution { summary, file: None, blocks: None, taken_up: 0 })
}

/// The chunks of a tier in runs.
struct Runs {
    length: u64,
    chunks: u64,
    count: u64,
}

impl Runs {
    fn of(chunks: &Chunks) -> Self {
        let length = (RUN / chunks.longest().max(1) as u64).max(1);
        Self { length, chunks: chunks.len(), count: chunks.len().div_ceil(length) }
    }

    fn chunks(&self, number: u64) -> Range<u64> {
        number * self.length..((number + 1) * self.length).min(self.chunks)
    }
}

/// What is to be known of a run of chunks; `None` if they are not solved.
fn hash_run<M: Mask>(
    job: &TierJob<'_, M>,
    chunks: &Chunks,
    run: Range<u64>,
    solver: &dyn ChunkSolver,
) -> Option<Part> {
    let frames = chunks.frames();
    let begin = frames.bytes_before(chunks.frames_before(run.start));
    let mut hash = ContentHash::new(begin, frames.raw_bytes());
    let (mut wins, mut orbits) = (0, 0);
    for number in run {
        let solved = solver.chunk(number)?;
        hash.update(&solved.raw[..chunks.bytes(number)]);
        wins += solved.wins;
        orbits += solved.orbits;
    }
    Some(Part { pieces: hash.into_pieces(), wins, positions: orbits * job.shape.placements() })
}
