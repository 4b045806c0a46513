//! A tier that is solved, counted and hashed, and not written: nobody will read its file.
//!
//! Where the next tier takes its children from the device that has solved this one, and the file
//! would be deleted after that, encoding and writing it would be most of the work. A run that is
//! stopped has then to solve such tiers again.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::BuildError;
use super::accelerator::ChunkSolver;
use super::chunk::Chunks;
use super::reorder::ReorderBuffer;
use super::tier::{Solution, TierJob, WINDOW_PER_THREAD};
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
    let window = WINDOW_PER_THREAD * rayon::current_num_threads() as u64;
    let sum = Sum { hash: ContentHash::new(0, chunks.frames().raw_bytes()), wins: 0 };
    let buffer = ReorderBuffer::new(0, window, sum);
    let (next, failure) = (AtomicU64::new(0), Mutex::new(None));
    let accept = |sum: &mut Sum, _, part: Part| {
        sum.hash.append(part.pieces);
        sum.wins += part.wins;
        job.observer.add(part.positions);
        Ok::<_, BuildError>(())
    };
    let work = || -> Result<(), BuildError> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= runs.count {
                return Ok(());
            }
            if job.stop.is_set() {
                return Err(BuildError::Stopped);
            }
            let Some(part) = hash_run(job, &chunks, runs.chunks(number), solver) else {
                // Whoever solves has failed, and says why.
                buffer.abandon();
                return Ok(());
            };
            if !buffer.push(number, part, accept)? {
                return Ok(());
            }
        }
    };
    let all = || {
        rayon::broadcast(|_| {
            let _guard = buffer.abandon_on_panic();
            if let Err(error) = work() {
                buffer.abandon();
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        });
    };
    let solved = solver.beside(0..chunks.len(), &all);
    let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = failure.or(solved.err()) {
        return Err(error);
    }
    let Sum { hash, wins } = buffer.into_sink();
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
