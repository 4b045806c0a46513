//! Checks a table entry by entry: a position is won exactly if some move leads to a lost one.
//!
//! The moves come from [`Rules`], by other rules from [`VariantRules`], one position at a time; the
//! values of the positions they lead to are read from the table, one tier up. If all entries pass,
//! they are all right, by induction from the fullest tier, where nobody can move. A tier that is
//! not stored (`--keep odd`) is derived the same way where it is needed; of a tier that is followed
//! by two that are not stored (`--keep first`) no entry is checked. Then what its file and the
//! manifest claim of a tier is held against its entries: how many are won, and their hash.
//!
//! A plane `s` of a table of margins is checked in the same way: won are the positions from which a
//! move leads to a lost one of plane `-s`, and with `s > 0` those that are lost in plane `1 - s`
//! with the other side to move. Planes rest on those nearer to 0 and on tiers with more arrows, so
//! the induction holds. Planes with no files are those where nobody has enough empty squares to
//! win, or to lose.
//!
//! Cost: over one arrow set, the blocks of its children are decoded once. For each placement of the
//! opponent, the free squares are numbered as each child numbers its columns, so that looking up
//! the position after a move takes a few operations an amazon:
//!
//! ```text
//!   child's row     the opponent's amazons, who move there: fixed while the mover's placements
//!                   are gone through
//!   child's column  the mover's amazons after the step, renumbered: the colex rank of
//!                   OR (1 << number[square])
//! ```

use std::ops::Range;

use rand::Rng;
use rand::seq::index::sample;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::game::Outcome;
use crate::game::board::{Bitboard, SquareIndex};
use crate::game::rules::{Bitboards, Rules};
use crate::game::variants::{Arrow, Origin, SingleMove, State, VariantRules};
use crate::machine::buffer;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::ranks::{Division, Master, Ranks, StopFlags, Unfinished, from_bytes, to_bytes};
use crate::tables::counting::{Mask, colex, small_binomial};
use crate::tables::format::{CheckError, Table, TableError, check_tier_until};
use crate::tables::index::{
    Canonical, CanonicalSets, Images, Placement, TierShape, compress, expand, with_mask,
};

/// Entries compared with what their moves say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Entries derived and compared, each as often as it was drawn.
    pub checked: u64,
    /// At least so many of them are different ones.
    pub different: u64,
    /// Tiers whose wins and hash were held against their entries.
    pub tiers: u64,
    /// Entries that are wrong.
    pub mismatches: u64,
    /// A position with a wrong entry, if there is one.
    pub first: Option<Bitboards<u64>>,
}

impl Comparison {
    /// Both; the first wrong position is that of `self`, if it has one.
    pub(super) fn merge(self, other: Self) -> Self {
        Self {
            checked: self.checked + other.checked,
            different: self.different + other.different,
            tiers: self.tiers + other.tiers,
            mismatches: self.mismatches + other.mismatches,
            first: self.first.or(other.first),
        }
    }
}

/// Entries of a sample that lie over one arrow set, at most: more share the cost of decoding the
/// children, fewer spread the sample wider.
const GROUP: u64 = 4096;

/// Bytes with which a table can be verified by one thread, beside what the table holds itself.
pub fn least_memory(table: &Table) -> u64 {
    checked_shapes(table)
        .map(|shape| shape.list_bytes() + verifier_bytes(table, &shape))
        .max()
        .unwrap_or(0)
        .max(table.stored().check_memory())
}

/// Bytes in which is noted how many entries of a tier a sample has drawn over each arrow set.
fn drawn_bytes(shape: &TierShape) -> u64 {
    size_of::<u16>() as u64 * shape.set_count()
}

/// How many of `items` each thread takes at the least, so that no more threads are at work than
/// `memory` bytes let.
fn least_share(items: usize, memory: u64, each: u64) -> usize {
    let threads = (memory / each.max(1)).clamp(1, rayon::current_num_threads() as u64);
    items.div_ceil(threads as usize).max(1)
}

/// Verifies every entry of every stored tier, on as many threads as `memory` bytes let
/// ([`least_memory`] are those of one), and what is claimed of tiers whose entries are right; stops
/// early, with what it has, if asked to.
///
/// # Errors
/// [`TableError`] if a file is damaged or missing, or a claim is wrong.
#[cfg(any(test, feature = "internals"))]
pub fn verify_all(
    table: &Table,
    memory: u64,
    observer: &impl Observer,
    stop: &StopFlag,
) -> Result<Comparison, TableError> {
    match verify_all_on(&Ranks::alone(), table, memory, observer, stop) {
        Ok(comparison) => Ok(comparison),
        Err(Unfinished::Here(error)) => Err(error),
        Err(Unfinished::Elsewhere(_) | Unfinished::Stopped) => Ok(Comparison::default()),
    }
}

/// The arrow sets of a tier in pieces, and what came of those that were verified.
struct Pieces<'o, O> {
    division: Division,
    sets: usize,
    count: usize,
    verified: Comparison,
    stopped: bool,
    placements: u64,
    observer: &'o O,
}

impl<'o, O> Pieces<'o, O> {
    /// The arrow sets of a tier, of which there are so many.
    fn of(shape: &TierShape, sets: usize, ranks: &Ranks, observer: &'o O) -> Self {
        let count = if ranks.size() == 1 { 1 } else { PIECES * ranks.size() };
        Self {
            division: Division::new(count, ranks.size()),
            sets,
            count,
            verified: Comparison::default(),
            stopped: false,
            placements: shape.placements(),
            observer,
        }
    }
}

impl<O: Observer> Master for Pieces<'_, O> {
    fn next(&mut self, rank: usize) -> Option<Vec<u8>> {
        let piece = if self.stopped { None } else { self.division.next(rank) }?;
        let cut = |piece: usize| (self.sets as u128 * piece as u128 / self.count as u128) as usize;
        Some(to_bytes(&(cut(piece)..cut(piece + 1))))
    }

    fn take(&mut self, rank: usize, result: Vec<u8>) {
        let (verified, stopped, sets): (Verified, bool, u64) = from_bytes(&result);
        self.verified = std::mem::take(&mut self.verified).merge(verified.into());
        self.stopped |= stopped;
        // Rank 0 counts its own while it verifies them.
        if rank > 0 {
            self.observer.add(sets * self.placements);
        }
    }
}

/// A [`Comparison`] as ranks tell it to each other.
#[derive(Serialize, Deserialize)]
struct Verified {
    checked: u64,
    mismatches: u64,
    first: Option<[u64; 3]>,
}

impl From<Comparison> for Verified {
    fn from(Comparison { checked, mismatches, first, .. }: Comparison) -> Self {
        let words = |Bitboards { mover, opponent, arrows }: Bitboards<u64>| {
            [mover, opponent, arrows].map(Bitboard::word)
        };
        Self { checked, mismatches, first: first.map(words) }
    }
}

impl From<Verified> for Comparison {
    fn from(Verified { checked, mismatches, first }: Verified) -> Self {
        let position = |words: [u64; 3]| {
            let [mover, opponent, arrows] = words.map(Bitboard::from_word);
            Bitboards { mover, opponent, arrows }
        };
        // Each entry of a tier is checked once.
        Self { checked, different: checked, mismatches, first: first.map(position), tiers: 0 }
    }
}

/// A tier is cut into so many pieces a rank, if there are several ranks.
const PIECES: usize = 32;

/// As [`verify_all`], together with other ranks that see the table; rank 0 gets the result.
///
/// # Errors
/// [`Unfinished`], if a file is damaged or missing.
pub fn verify_all_on(
    ranks: &Ranks,
    table: &Table,
    memory: u64,
    observer: &impl Observer,
    stop: &StopFlag,
) -> Result<Comparison, Unfinished<TableError>> {
    let width = table.index().width();
    with_mask!(width, M => verify_all_in::<M>(ranks, table, memory, observer, stop))
}

fn verify_all_in<M: Mask>(
    ranks: &Ranks,
    table: &Table,
    memory: u64,
    observer: &impl Observer,
    stop: &StopFlag,
) -> Result<Comparison, Unfinished<TableError>> {
    let mut comparison = Comparison::default();
    for shape in stored_shapes(table) {
        // A file that is missing is found before the sets are listed.
        table.stored().reader(&shape).map_err(Unfinished::Here)?;
        let (tier, stopped) = match can_be_checked(table, &shape) {
            true => verify_tier::<M>(ranks, table, &shape, memory, observer, stop)?,
            false => (Comparison::default(), stop.is_set()),
        };
        comparison = comparison.merge(tier);
        if ranks.is_first() && !stopped && comparison.mismatches == 0 {
            let held = check_claims(table, &shape, observer, stop).map_err(Unfinished::Here)?;
            comparison.tiers += u64::from(held);
        }
        if ranks.tell(|| stopped || stop.is_set()).map_err(Unfinished::Elsewhere)? {
            stop.stop();
            break;
        }
    }
    Ok(comparison)
}

/// Verifies the entries of one tier, together with other ranks; whether somebody asked to stop,
/// rank 0 knows.
fn verify_tier<M: Mask>(
    ranks: &Ranks,
    table: &Table,
    shape: &TierShape,
    memory: u64,
    observer: &impl Observer,
    stop: &StopFlag,
) -> Result<(Comparison, bool), Unfinished<TableError>> {
    let sets = CanonicalSets::<M>::new(shape.board(), shape.arrows());
    let sets = sets.map_err(|error| Unfinished::Here(error.into()))?;
    let verifier = Verifier { table, images: sets.images(), stop };
    let memory = memory.saturating_sub(shape.list_bytes());
    let share = least_share(sets.len(), memory, verifier_bytes(table, shape));
    observer.begin(&shape.to_string(), sets.len() as u64 * shape.placements(), "entries");
    let work = |given: &[u8]| {
        let piece: Range<usize> = from_bytes(given);
        let count = piece.len() as u64;
        let verified = verifier.verify_sets(shape, &sets.as_slice()[piece], share, observer)?;
        Ok(to_bytes(&(Verified::from(verified), stop.is_set(), count)))
    };
    let pieces = || Pieces::of(shape, sets.len(), ranks, observer);
    // What was verified until then is told, so a request to stop fails no job.
    let (stop, halt) = (StopFlag::new(), StopFlag::new());
    let flags = StopFlags { stop: &stop, halt: &halt };
    let done = ranks.hand_out(pieces, flags, work)?;
    Ok(done.map_or_else(Default::default, |done| (done.verified, done.stopped)))
}

/// Holds what its file and the manifest claim of a tier against its entries: the wins and the hash.
/// All else that they claim was compared when the file was opened. Whether there was time for it.
fn check_claims(
    table: &Table,
    shape: &TierShape,
    observer: &impl Observer,
    stop: &StopFlag,
) -> Result<bool, TableError> {
    let Some(tier) = table.stored().reader(shape)? else { return Ok(false) };
    observer.begin(&format!("{shape}, wins and hash"), 0, "frames");
    match check_tier_until(tier, stop) {
        Err(CheckError::Damaged(error)) => Err(table.stored().damaged(shape, error)),
        Ok(_) => Ok(true),
        Err(CheckError::Stopped) => Ok(false),
    }
}

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
    let lists: u64 = shapes.iter().map(|shape| shape.list_bytes() + drawn_bytes(shape)).sum();
    let most = shapes.iter().map(|shape| verifier_bytes(table, shape)).max();
    lists + most.unwrap_or(0) + jobs_bytes(table)
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
    let lists: u64 = shapes.iter().map(|shape| shape.list_bytes() + drawn_bytes(shape)).sum();
    let most = shapes.iter().map(|shape| verifier_bytes(table, shape)).max().unwrap_or(0);
    let memory = memory.saturating_sub(lists + jobs_bytes(table));
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

/// All placements over an arrow set, as (opponent, mover), by opponent.
fn every_entry<M: Mask>(shape: &TierShape, arrows: M) -> impl Iterator<Item = (M, M)> + use<M> {
    let (free, squares) = (free_squares(shape, arrows), shape.free());
    let (mover, opponent) = (shape.mover(), shape.opponent());
    let opponents =
        colex::subsets::<M>(squares, opponent).map(move |numbers| expand(numbers, free));
    opponents.flat_map(move |placed| {
        let movers = colex::subsets(squares - opponent, mover);
        movers.map(move |numbers| (placed, expand(numbers, free & !placed)))
    })
}

fn free_squares<M: Mask>(shape: &TierShape, arrows: M) -> M {
    M::of(shape.board().all::<u64>().word()) & !arrows
}

/// Entries that a table stores, of all its planes: positions over arrow sets of which no other is
/// an image.
pub fn entries(table: &Table) -> u64 {
    let of_tier = |shape: TierShape| shape.set_count().saturating_mul(shape.placements());
    stored_shapes(table).map(of_tier).fold(0, u64::saturating_add)
}

fn stored_shapes(table: &Table) -> impl Iterator<Item = TierShape> + '_ {
    table.stored().stored_shapes()
}

/// The tiers whose entries are checked.
fn checked_shapes(table: &Table) -> impl Iterator<Item = TierShape> + '_ {
    stored_shapes(table).filter(|shape| can_be_checked(table, shape))
}

/// Whether the entries of a tier can be held against those that their moves lead to: all of these
/// are stored, or follow by one ply from what is.
pub fn can_be_checked(table: &Table, shape: &TierShape) -> bool {
    // A plane that is not there is an error.
    let children = shape.children();
    children.iter().all(|child| child.plane() != 0 || table.stored().answers(child))
}

/// Bytes of a child beside its block.
const CHILD_BYTES: u64 = 1 << 10;

/// Bytes that one thread needs for the entries over one arrow set: its block and those of its
/// children, and of a plane that of the other side to move; if these are not stored, one of them is
/// derived at a time, in the same way.
fn verifier_bytes(table: &Table, shape: &TierShape) -> u64 {
    let block = shape.block_bytes() as u64;
    let spent = shape.spent().map_or(0, |spent| spent.block_bytes() as u64);
    let count = small_binomial(shape.free(), shape.rules().burned());
    let (mut children, mut deriving) = (0u64, 0);
    for child in shape.children() {
        let stored = table.stored().record(&child).is_some_and(|tier| tier.stored);
        if !stored && child.plane() == 0 {
            deriving = verifier_bytes(table, &child).max(deriving);
        }
        let bytes = count.saturating_mul(child.block_bytes() as u64 + CHILD_BYTES);
        children = children.saturating_add(bytes);
    }
    [block, children, spent, deriving].into_iter().fold(0, u64::saturating_add)
}

struct Verifier<'t, M> {
    table: &'t Table,
    images: &'t Images<M>,
    stop: &'t StopFlag,
}

impl<M: Mask> Verifier<'_, M> {
    /// Verifies every entry over some arrow sets, of which a thread takes `share` at the least.
    fn verify_sets(
        &self,
        shape: &TierShape,
        sets: &[M],
        share: usize,
        observer: &impl Observer,
    ) -> Result<Comparison, TableError> {
        let verify = |&arrows: &M| {
            if self.stop.is_set() {
                return Ok(Comparison::default());
            }
            let comparison = self.verify_block(shape, arrows, every_entry(shape, arrows));
            observer.add(shape.placements());
            comparison
        };
        let verified = sets.par_iter().with_min_len(share).map(verify);
        verified.try_reduce(Comparison::default, |a, b| Ok(a.merge(b)))
    }

    /// Compares entries over one canonical arrow set with what their moves say.
    fn verify_block(
        &self,
        shape: &TierShape,
        arrows: M,
        entries: impl Iterator<Item = (M, M)>,
    ) -> Result<Comparison, TableError> {
        let block = self.block(shape, arrows)?;
        let mut comparison = Comparison::default();
        self.derive(shape, arrows, entries, |position, row, column, derived| {
            comparison.checked += 1;
            comparison.different += 1;
            if outcome_at(&block, row * shape.row_bytes(), column) != derived {
                comparison.mismatches += 1;
                comparison.first.get_or_insert(*position);
            }
        })?;
        Ok(comparison)
    }

    /// The block over a canonical arrow set: read if its tier is stored, else derived. A plane that
    /// has no file is the same everywhere.
    fn block(&self, shape: &TierShape, arrows: M) -> Result<Vec<u8>, TableError> {
        let (mut block, directory) = (Vec::new(), self.table.directory());
        buffer::resize(&mut block, shape.block_bytes())
            .map_err(TableError::io("read", directory))?;
        if let Some(outcome) = shape.constant() {
            block.fill(if outcome.is_win() { u8::MAX } else { 0 });
            return Ok(block);
        }
        if self.table.stored().read_block(shape, arrows.word(), &mut block)? {
            return Ok(block);
        }
        if shape.plane() != 0 {
            return Err(self.table.stored().not_stored(shape));
        }
        let row_bytes = shape.row_bytes();
        self.derive(shape, arrows, every_entry(shape, arrows), |_, row, column, outcome| {
            block[row * row_bytes + column / 8] |= u8::from(outcome.is_win()) << (column % 8);
        })?;
        Ok(block)
    }

    /// Derives the values of entries from their moves and hands each over with its row and column;
    /// fewer if asked to stop.
    fn derive(
        &self,
        shape: &TierShape,
        arrows: M,
        entries: impl Iterator<Item = (M, M)>,
        mut found: impl FnMut(&Bitboards<u64>, usize, usize, Outcome),
    ) -> Result<(), TableError> {
        let free = free_squares(shape, arrows);
        let mut kinds = self.children(shape, arrows)?;
        let spent = self.spent(shape, arrows)?;
        let mut last = None;
        for (opponent, mover) in entries {
            if last != Some(opponent) {
                if self.stop.is_set() {
                    return Ok(());
                }
                last = Some(opponent);
                for kind in kinds.iter_mut().filter(|kind| kind.shape.mover() == opponent.len()) {
                    kind.blocks.iter_mut().flatten().for_each(|child| child.turn(free, opponent));
                }
            }
            let set = |mask: M| Bitboard::from_word(mask.word());
            let position =
                Bitboards { mover: set(mover), opponent: set(opponent), arrows: set(arrows) };
            let wins_by_spending = spent.as_ref().is_some_and(|spent| {
                spent.outcome(Placement::rank(free, opponent, mover)) == Outcome::Loss
            });
            let outcome = match self.table.variant_rules() {
                _ if wins_by_spending => Outcome::Win,
                None => {
                    outcome(self.table.rules(), &position, kinds.first().map(|kind| &kind.blocks))
                }
                Some(rules) => variant_outcome(rules, &position, &kinds),
            };
            let Placement { row, column } = Placement::rank(free, mover, opponent);
            found(&position, row, column, outcome);
        }
        Ok(())
    }

    /// The block with the other side to move, if the mover has a spare move to spend.
    fn spent(&self, shape: &TierShape, arrows: M) -> Result<Option<Spent>, TableError> {
        let Some(spent) = shape.spent() else { return Ok(None) };
        let (block, row_bytes) = (self.block(&spent, arrows)?, spent.row_bytes());
        Ok(Some(Spent { block, row_bytes }))
    }

    /// The blocks of all kinds that moves lead to; none on the fullest tiers.
    fn children(&self, shape: &TierShape, arrows: M) -> Result<Vec<Children<M>>, TableError> {
        let children = |child| {
            let blocks = self.children_of(shape, arrows, &child)?;
            Ok(Children { shape: child, blocks })
        };
        shape.children().into_iter().map(children).collect()
    }

    /// The blocks of one kind after each set of free squares that a move can burn, at the
    /// [`place`] of the set.
    fn children_of(
        &self,
        shape: &TierShape,
        arrows: M,
        child: &TierShape,
    ) -> Result<Vec<Option<Child<M>>>, TableError> {
        let burned = shape.rules().burned();
        let places = small_binomial(M::SQUARES, burned);
        let mut children: Vec<Option<Child<M>>> = (0..places).map(|_| None).collect();
        let free = free_squares(shape, arrows);
        for numbers in colex::subsets::<M>(free.len(), burned) {
            let set = expand(numbers, free);
            let canonical: Canonical<M> = self.images.canonical(arrows | set);
            let symmetry = &self.images.symmetries()[canonical.symmetry];
            let image = |square: u8| symmetry.square(SquareIndex::new(square.into())).index() as u8;
            let squares = shape.board().squares() as u8;
            if self.stop.is_set() {
                break;
            }
            children[place(set)] = Some(Child {
                image: (0..squares).map(image).collect(),
                free: free_squares(child, canonical.arrows),
                block: self.block(child, canonical.arrows)?,
                row_bytes: child.row_bytes(),
                row_at: 0,
                number: M::EMPTY_LANES,
            });
        }
        Ok(children)
    }
}

/// The blocks of a kind that moves lead to, at the [`place`] of what they burn.
struct Children<M: Mask> {
    shape: TierShape,
    blocks: Vec<Option<Child<M>>>,
}

/// The block after a spare move.
struct Spent {
    block: Vec<u8>,
    row_bytes: usize,
}

impl Spent {
    /// What the other side, to move, reaches.
    fn outcome(&self, Placement { row, column }: Placement) -> Outcome {
        outcome_at(&self.block, row * self.row_bytes, column)
    }
}

/// The block after a shot at one square, and how it is addressed while the opponent's placement is
/// fixed.
struct Child<M: Mask> {
    /// The symmetry that makes the arrow set canonical.
    image: Box<[u8]>,
    free: M,
    block: Vec<u8>,
    row_bytes: usize,
    row_at: usize,
    /// The bit of each square of this board among the child's columns.
    number: M::Lanes,
}

impl<M: Mask> Child<M> {
    /// The image of some squares.
    fn images(&self, squares: Bitboard) -> M {
        let image = |square: SquareIndex| M::single(self.image[square.index()].into());
        squares.iter().fold(M::default(), |images, square| images | image(square))
    }

    /// Fixes the placement of the opponent, who moves in the child.
    fn turn(&mut self, free: M, opponent: M) {
        let mover = self.images(Bitboard::from_word(opponent.word())) & self.free;
        self.row_at = colex::rank(compress(mover, self.free)).word() as usize * self.row_bytes;
        let rest = self.free & !mover;
        for square in Bitboard::<u64>::from_word((free & !opponent).word()) {
            let below = M::below(self.image[square.index()].into());
            self.number.as_mut()[square.index()] = M::single((rest & below).len());
        }
    }

    /// What the opponent reaches after the mover's amazons have come to these squares.
    #[inline]
    fn outcome(&self, others: Bitboard, to: SquareIndex) -> Outcome {
        let number = self.number.as_ref();
        let start = number[to.index()];
        let numbers = others.iter().fold(start, |numbers, square| numbers | number[square.index()]);
        outcome_at(&self.block, self.row_at, colex::rank(numbers).word() as usize)
    }

    /// What is reached with these amazons of the side to move and of the other side.
    fn outcome_of(&self, mover: Bitboard, opponent: Bitboard) -> Outcome {
        let (mover, opponent) = (self.images(mover), self.images(opponent));
        let Placement { row, column } = Placement::rank(self.free, mover, opponent);
        outcome_at(&self.block, row * self.row_bytes, column)
    }
}

/// A win if some move leads to a position that is lost for the opponent.
fn outcome<M: Mask>(
    rules: &Rules<u64>,
    position: &Bitboards<u64>,
    children: Option<&Vec<Option<Child<M>>>>,
) -> Outcome {
    // Without children there is no empty square, and no step.
    let Some(children) = children else { return Outcome::Loss };
    let mut wins = false;
    rules.for_each_step(position, |from, to, shots| {
        let others = position.mover.without(Bitboard::of(from));
        let loses = |shot: SquareIndex| {
            let child = children[shot.index()].as_ref();
            child.is_some_and(|child| child.outcome(others, to) == Outcome::Loss)
        };
        wins = wins || shots.iter().any(loses);
    });
    Outcome::win_if(wins)
}

/// The number of a set of burned squares among those of its size; of one square its number.
#[inline]
fn place<M: Mask>(burned: M) -> usize {
    colex::rank(burned).word() as usize
}

/// As [`outcome`], by other rules than those of Amazons.
fn variant_outcome<M: Mask>(
    rules: &VariantRules<u64>,
    position: &Bitboards<u64>,
    kinds: &[Children<M>],
) -> Outcome {
    let wins = |SingleMove { from, to, arrow }: SingleMove| {
        let Arrow::Square(shot) = arrow else { return false };
        // Whoever stood where the amazon steps to was taken.
        let others = position.mover.without(Bitboard::of(from).with(to));
        let opponent = position.opponent.without(Bitboard::of(to));
        let burned = match rules.rules().origin {
            Origin::Empty => Bitboard::of(shot),
            Origin::Burns => Bitboard::of(shot).with(from),
        };
        if opponent.is_empty() && !position.opponent.is_empty() {
            return true;
        }
        let sides = (opponent.len(), others.len() + 1);
        let kind = kinds.iter().find(|kind| (kind.shape.mover(), kind.shape.opponent()) == sides);
        let child = kind.and_then(|kind| kind.blocks[place(M::of(burned.word()))].as_ref());
        child.is_some_and(|child| {
            let reached = match opponent == position.opponent {
                true => child.outcome(others, to),
                false => child.outcome_of(opponent, others.with(to)),
            };
            reached == Outcome::Loss
        })
    };
    Outcome::win_if(!rules.for_each_move(&State::new(*position, 1), |played| !wins(played)))
}

#[inline]
fn outcome_at(block: &[u8], row_at: usize, column: usize) -> Outcome {
    Outcome::win_if(block[row_at + column / 8] >> (column % 8) & 1 != 0)
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
