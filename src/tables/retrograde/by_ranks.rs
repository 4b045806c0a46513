//! Solving one tier of one kind by several processes that share the directory.
//!
//! The tier is cut into segments, the same whatever the number of ranks, so that any number can go
//! on with it. Rank 0 hands them out; each is solved into a file of its own. When all are there,
//! rank 0 makes one index of theirs, the ranks copy the frames to their places in the tier's file,
//! and rank 0 completes it. Behind a part of the tier that one process alone has solved, the
//! segments begin where that ends.

#[cfg(test)]
pub(super) mod tests;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::chunk::Chunks;
use super::error::BuildError;
use super::tier::{Solution, TierJob};
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::ranks::{Division, Master, Ranks, StopFlags, from_bytes, to_bytes};
use crate::tables::counting::Mask;
use crate::tables::format::{Segment, TierWriter};

/// A tier of more chunks has segments of more than one.
const FEW: u64 = 64;
/// A tier has at most so many segments.
const MOST: u64 = 4096;
/// Smaller segments are made of tiers with few chunks only.
const LEAST_BYTES: u64 = 4 << 20;

/// The segments of a tier behind its first `done` chunks, as stretches of chunks: cut at places
/// that depend on the tier alone.
pub(super) fn segments(chunks: &Chunks, done: u64) -> Vec<Range<u64>> {
    let (count, length) = (chunks.len(), longest(chunks));
    let cuts = (done / length..count.div_ceil(length)).map(|number| number * length);
    cuts.map(|start| start.max(done)..(start + length).min(count))
        .filter(|segment| !segment.is_empty())
        .collect()
}

/// The most chunks of a segment.
pub(super) fn longest(chunks: &Chunks) -> u64 {
    let count = chunks.len();
    let least = LEAST_BYTES / chunks.longest().max(1) as u64;
    count.div_ceil(FEW).min(least).max(count.div_ceil(MOST)).max(1)
}

/// What came of a segment.
#[derive(Serialize, Deserialize)]
struct Solved {
    number: usize,
    segment: Segment,
    positions: u64,
}

/// Hands out segments to be solved.
struct Solving<'a> {
    division: Division,
    /// The frames of each segment.
    frames: &'a [Range<u64>],
    solved: Vec<Option<Segment>>,
    observer: &'a dyn Observer,
}

impl Master for Solving<'_> {
    fn next(&mut self, rank: usize) -> Option<Vec<u8>> {
        let number = self.division.next(rank)?;
        Some(to_bytes(&(number, &self.frames[number])))
    }

    fn take(&mut self, rank: usize, result: Vec<u8>) {
        let Solved { number, segment, positions } = from_bytes(&result);
        self.solved[number] = Some(segment);
        // Rank 0 counts its own while it solves them.
        if rank > 0 {
            self.observer.add(positions);
        }
    }
}

/// Hands out segments to be copied, each with the byte where it goes.
struct Copying {
    division: Division,
    places: Vec<(Segment, u64)>,
}

impl Master for Copying {
    fn next(&mut self, rank: usize) -> Option<Vec<u8>> {
        self.division.next(rank).map(|number| to_bytes(&self.places[number]))
    }

    fn take(&mut self, _rank: usize, _result: Vec<u8>) {}
}

/// Solves a tier together: every rank calls this. Only rank 0 has the file.
///
/// # Errors
/// [`BuildError`]; what was finished until then is kept, and may be gone on with by any number of
/// ranks.
pub(super) fn solve<M: Mask>(ranks: &Ranks, job: &TierJob<'_, M>) -> Result<Solution, BuildError> {
    let (directory, shape) = (job.directory, &job.shape);
    let mut writer = if ranks.is_first() { Some(job.writer()?.0) } else { None };
    let written = writer.as_ref().map(TierWriter::written);
    let written: u64 = ranks.tell(|| written.unwrap_or(0))?;
    let chunks = job.chunks();
    let done = chunks.starting_at(written).ok_or(BuildError::OddCheckpoint)?;
    let segments = segments(&chunks, done);
    let frames_of =
        |chunk: &Range<u64>| chunks.frames_before(chunk.start)..chunks.frames_before(chunk.end);
    let frames: Vec<_> = segments.iter().map(frames_of).collect();
    let taken_up = job.positions(&chunks, 0..done);
    if ranks.is_first() {
        job.observer.add(taken_up);
    }
    let solving = || Solving {
        division: Division::new(frames.len(), ranks.size()),
        frames: &frames,
        solved: vec![None; frames.len()],
        observer: job.observer,
    };
    let halt = StopFlag::new();
    let solve = |given: &[u8]| {
        let (number, frames) = from_bytes(given);
        let job = TierJob { stop: &halt, ..*job };
        let (segment, positions) = job.solve_segment(frames)?;
        Ok::<_, BuildError>(to_bytes(&Solved { number, segment, positions }))
    };
    let flags = StopFlags { stop: job.stop, halt: &halt };
    let solved = ranks.hand_out(solving, flags, solve)?;
    let mut places = Vec::new();
    if let (Some(writer), Some(solved)) = (&mut writer, solved) {
        for segment in solved.solved.into_iter().flatten() {
            let copied = segment.without_hash();
            places.push((copied, writer.adopt(segment)?));
        }
        writer.flush()?;
    }
    let copying = || Copying { division: Division::new(places.len(), ranks.size()), places };
    let copy = |given: &[u8]| {
        let (segment, at): (Segment, u64) = from_bytes(given);
        segment.copy(directory, shape, at)?;
        Ok::<_, BuildError>(Vec::new())
    };
    ranks.hand_out(copying, flags, copy)?;
    if !ranks.is_first() {
        Segment::sync(directory, shape)?;
    }
    ranks.meet()?;
    let finished = writer.map(TierWriter::finish_unsynced).transpose()?;
    let (summary, file) = finished.unzip();
    let summary: Option<_> = ranks.tell(|| summary)?;
    let summary = summary.expect("rank 0 has completed the file");
    Ok(Solution { summary, file, blocks: None, taken_up })
}
