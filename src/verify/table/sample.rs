//! Verifying a sample of a table's entries.

use rand::Rng;
use rand::seq::index::sample;
use rayon::prelude::*;

use super::checked::checked_shapes;
use super::comparison::Comparison;
use super::derive::{Verifier, free_squares, least_share, verifier_bytes};
use crate::machine::progress::{Observer, StopFlag};
use crate::tables::counting::Mask;
use crate::tables::format::{Table, TableError};
use crate::tables::index::{CanonicalSets, Images, Placement, TierShape, with_mask};

/// Entries of a sample that lie over one arrow set, at most: more share the cost of decoding the
/// children, fewer spread the sample wider.
const GROUP: u64 = 4096;

/// Verifies `count` random entries: groups of up to 4096 over random arrow sets, each stored entry
/// as likely as any other (entries may repeat between groups).
///
/// # Errors
/// [`TableError`] if a file is damaged or missing.
pub fn verify_sample(
    table: &Table,
    count: u64,
    memory: u64,
    random: &mut impl Rng,
    observer: &impl Observer,
    stop: &StopFlag,
) -> Result<Comparison, TableError> {
    observer.begin("sample", count, "entries");
    let shapes: Vec<TierShape> = checked_shapes(table).collect();
    verify_sample_of(&SampleJob { table, shapes: &shapes, count, memory }, random, observer, stop)
}

/// Entries to be drawn from some tiers of a table, which must be stored.
#[derive(Clone, Copy, Debug)]
pub struct SampleJob<'a> {
    /// The table.
    pub table: &'a Table,
    /// The tiers.
    pub shapes: &'a [TierShape],
    /// How many entries.
    pub count: u64,
    /// Bytes that may be used, beside those of the table.
    pub memory: u64,
}

/// Bytes with which a sample of some tiers can be verified by one thread, beside what the table
/// holds itself.
pub fn least_sample_memory(table: &Table, shapes: Option<&[TierShape]>) -> u64 {
    let all: Vec<TierShape> = checked_shapes(table).collect();
    let shapes = shapes.unwrap_or(&all);
    let most = shapes.iter().map(|shape| verifier_bytes(table, shape)).max();
    lists_bytes(shapes) + most.unwrap_or(0) + jobs_bytes(table)
}

/// Bytes of the lists of arrow sets of some tiers, and of how many entries were drawn over each of
/// them.
fn lists_bytes(shapes: &[TierShape]) -> u64 {
    let of_tier =
        |shape: &TierShape| shape.list_bytes() + size_of::<u16>() as u64 * shape.set_count();
    shapes.iter().map(of_tier).sum()
}

/// Sets of entries that are drawn before they are verified.
const JOBS: usize = 64;

/// Bytes that their entries take.
fn jobs_bytes(table: &Table) -> u64 {
    JOBS as u64 * 2 * GROUP * 2 * table.index().width().bytes()
}

/// As [`verify_sample`], from some tiers only.
///
/// # Errors
/// [`TableError`] if a file is damaged or missing.
pub fn verify_sample_of(
    job: &SampleJob<'_>,
    random: &mut impl Rng,
    observer: &impl Observer,
    stop: &StopFlag,
) -> Result<Comparison, TableError> {
    with_mask!(job.table.index().width(), M => verify_sample_in::<M>(job, random, observer, stop))
}

fn verify_sample_in<M: Mask>(
    job: &SampleJob<'_>,
    random: &mut impl Rng,
    observer: &impl Observer,
    stop: &StopFlag,
) -> Result<Comparison, TableError> {
    let SampleJob { table, shapes, count, memory } = *job;
    let images = Images::<M>::new(table.board())?;
    let verify = |(shape, arrows, entries): &Group<M>| {
        if stop.is_set() {
            return Ok(Comparison::default());
        }
        let verifier = Verifier { table, images: &images, stop };
        let comparison = verifier.verify_block(shape, *arrows, entries.iter().copied());
        observer.add(entries.len() as u64);
        comparison
    };
    // Files that are missing are found before the sets are listed.
    shapes.iter().try_for_each(|shape| table.stored().reader(shape).map(|_| ()))?;
    let most = shapes.iter().map(|shape| verifier_bytes(table, shape)).max().unwrap_or(0);
    let memory = memory.saturating_sub(lists_bytes(shapes) + jobs_bytes(table));
    let mut sampler = Sampler::new(shapes, count);
    let mut comparison = Comparison::default();
    loop {
        let jobs = sampler.jobs(JOBS, random)?;
        if jobs.is_empty() || stop.is_set() {
            // What was drawn last may not have been compared.
            comparison.different = sampler.different.min(comparison.checked);
            return Ok(comparison);
        }
        let share = least_share(jobs.len(), memory, most);
        let verified = jobs.par_iter().with_min_len(share).map(verify);
        let verified = verified.try_reduce(Comparison::default, |a, b| Ok(a.merge(b)))?;
        comparison = comparison.merge(verified);
    }
}

/// A tier, a canonical arrow set, and the entries over it as (opponent, mover).
type Group<M> = (TierShape, M, Vec<(M, M)>);

/// Draws the entries of a sample, some at a time.
struct Sampler<'s, M> {
    shapes: &'s [TierShape],
    /// Entries that are still to be drawn.
    left: u64,
    /// Of each tier, by its number of arrows, as far as they are needed.
    sets: Vec<Option<CanonicalSets<M>>>,
    /// Of each shape, the size of the largest group that was drawn over each of its arrow sets; no
    /// entry is twice in a group.
    drawn: Vec<Vec<u16>>,
    /// The sum of these sizes: at least so many entries that were drawn are different ones.
    different: u64,
}

impl<'s, M: Mask> Sampler<'s, M> {
    fn new(shapes: &'s [TierShape], count: u64) -> Self {
        let empty = shapes.iter().all(|shape| weight(shape) == 0);
        let left = if empty { 0 } else { count };
        let drawn = vec![Vec::new(); shapes.len()];
        Self { shapes, left, sets: vec![None; M::SQUARES + 1], drawn, different: 0 }
    }

    /// The next jobs, at most `most`; none when all entries were drawn.
    fn jobs(&mut self, most: usize, random: &mut impl Rng) -> Result<Vec<Group<M>>, TableError> {
        let total: u128 = self.shapes.iter().map(weight).sum();
        let mut jobs = Vec::new();
        while self.left > 0 && jobs.len() < most {
            let mut at = random.random_range(0..total);
            let chosen = self.shapes.iter().position(|shape| {
                let weight = weight(shape);
                let here = at < weight;
                at = at.saturating_sub(weight);
                here
            });
            let Some(chosen) = chosen else { break };
            let shape = self.shapes[chosen];
            let sets = match &mut self.sets[shape.arrows()] {
                Some(sets) => sets,
                none => none.insert(CanonicalSets::new(shape.board(), shape.arrows())?),
            };
            let rank = random.random_range(0..sets.len());
            let arrows = sets.get(rank);
            let group = GROUP.min(shape.placements());
            let entries = random_entries(&shape, arrows, self.left.min(group) as usize, random);
            self.left -= entries.len() as u64;
            let drawn = &mut self.drawn[chosen];
            drawn.resize(sets.len(), 0);
            // A group has at most 4096.
            let more = (entries.len() as u16).saturating_sub(drawn[rank]);
            (drawn[rank], self.different) = (drawn[rank] + more, self.different + u64::from(more));
            jobs.push((shape, arrows, entries));
        }
        Ok(jobs)
    }
}

/// How likely an entry of a sample is to be of this tier.
fn weight(shape: &TierShape) -> u128 {
    shape.count().stored_positions().unwrap_or(0)
}

fn random_entries<M: Mask>(
    shape: &TierShape,
    arrows: M,
    count: usize,
    random: &mut impl Rng,
) -> Vec<(M, M)> {
    let free = free_squares(shape, arrows);
    let places = usize::try_from(shape.placements()).unwrap_or(usize::MAX);
    let placement = |place: usize| {
        let placement =
            Placement { row: place / shape.row_bits(), column: place % shape.row_bits() };
        placement.unrank(free, shape.mover(), shape.opponent())
    };
    let placements = sample(random, places, count).into_iter().filter_map(placement);
    let mut entries: Vec<(M, M)> = placements.map(|(mover, opponent)| (opponent, mover)).collect();
    entries.sort_unstable();
    entries
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    #[test]
    fn no_more_entries_count_as_different_than_are() {
        let shape = |arrows| TierShape::new("3x4".parse().unwrap(), arrows, 2, 1).unwrap();
        let shapes = [shape(1), shape(5), shape(8)];
        let mut random = StdRng::seed_from_u64(3);
        for count in [1, 700, 60_000] {
            let mut sampler = Sampler::<u32>::new(&shapes, count);
            let mut drawn = HashSet::new();
            loop {
                let jobs = sampler.jobs(5, &mut random).unwrap();
                if jobs.is_empty() {
                    break;
                }
                for (shape, arrows, entries) in jobs {
                    drawn.extend(entries.iter().map(|entry| (shape.arrows(), arrows, *entry)));
                }
            }
            let different = sampler.different as usize;
            assert!((1..=drawn.len()).contains(&different), "{different} of {}", drawn.len());
            assert!(2 * different > drawn.len(), "{different} of {}", drawn.len());
        }
    }
}
