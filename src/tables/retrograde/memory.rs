//! How much memory a build takes.
//!
//! ```text
//!   overhead   reserve + two lists + tables of the kernel
//!              + threads x (workspace + chunks that wait for the writer)
//!   least      the most of: overhead + threads x the chunks of all children of an arrow set
//!   expected   the most of: program + two lists + the blocks of two tiers
//! ```
//!
//! A layer of margins has in its overhead what its planes read of those nearer to 0, and its tiers
//! have two planes.
//!
//! The lists and blocks are those of a tier and of the tier below it. A build refuses to begin with
//! less than the least, and keeps the blocks of a tier if overhead and blocks fit the memory that
//! it is given. So these two are upper bounds. What is expected is a model of what a build really
//! uses that has memory to spare: most of the reserve and of the waiting chunks is never used.

use super::chunk::Chunks;
use super::in_order::WINDOW_PER_THREAD;
use super::kernel::bytes;
use super::kernel::killer::taken_bytes;
use super::kernel::pencil::collected_bytes;
use super::pack::SLACK;
use super::planes::kept_bytes;
use super::store::FinishedTier;
use super::tier_plan::TierPlan;
use crate::tables::counting::small_binomial;
use crate::tables::format::{ENTRY_BYTES, Frames, decoder_bytes};
use crate::tables::index::{ShapeError, TableRules, TableSubject, TierShape, Width, set_count};

/// Bytes of the program itself.
const PROGRAM: u128 = 12 << 20;
/// The program itself, and what the allocator holds back.
const RESERVE: u64 = 96 << 20;
/// Bytes for an arrow set of a tier: in the list, in the list as it stands in the file, and in the
/// index of the frames.
const fn list_entry(width: Width) -> u64 {
    2 * width.bytes() + 4
}

/// The least memory that a build of the tiers with so many arrows and more runs in: every thread's
/// workspace and the children of the set it works on.
///
/// # Errors
/// [`ShapeError`] if there are no such tables.
pub(super) fn least(
    subject: TableSubject,
    layer: i8,
    least_arrows: usize,
) -> Result<u64, ShapeError> {
    let TableSubject { rules, board, .. } = subject;
    let threads = rayon::current_num_threads() as u64;
    let needed = |arrows: usize| {
        let count = small_binomial(board.squares() - arrows, rules.burned());
        let chunks = |shape: &TierShape| {
            let children = shape.children();
            let bytes = children.iter().map(chunk_bytes).fold(0, u64::saturating_add);
            bytes.saturating_mul(count)
        };
        let children = subject.kinds(arrows)?.iter().map(chunks).max().unwrap_or(0);
        let children = children.saturating_mul(threads);
        Ok(overhead(subject, layer, arrows)?.saturating_add(children))
    };
    (least_arrows..=subject.fullest()?).map(needed).try_fold(0, |most, bytes| Ok(most.max(bytes?)))
}

/// Bytes needed to solve a tier, of a layer of margins if it is not 0, without any block of the
/// tier below or of this one that is kept.
///
/// # Errors
/// [`ShapeError`] if there is no such tier.
pub(super) fn overhead(subject: TableSubject, layer: i8, arrows: usize) -> Result<u64, ShapeError> {
    let TableSubject { rules, board, .. } = subject;
    let threads = rayon::current_num_threads() as u64;
    let width = Width::of(board)?;
    let entry = list_entry(width);
    let lists = |arrows: usize| {
        // With room to grow.
        entry.saturating_mul(set_count(board, arrows)).saturating_add(1 << 16)
    };
    let of_kind = |shape: &TierShape| {
        let waiting = chunk_bytes(shape).saturating_mul(2 * (WINDOW_PER_THREAD + 2));
        let of_thread = workspace(shape, width).saturating_add(waiting);
        bytes::of_tier(shape, width).saturating_add(of_thread.saturating_mul(threads))
    };
    let shapes = subject.kinds(arrows)?;
    let most = shapes.iter().map(of_kind).max().unwrap_or(0);
    let near = shapes.iter().map(|shape| near_planes(shape, layer, threads)).max().unwrap_or(0);
    let below = shapes.iter().filter_map(TierShape::child);
    let heads = below.map(|below| near_heads(&below, layer)).max().unwrap_or(0);
    let lists = [RESERVE, lists(arrows), lists(arrows + rules.burned())];
    Ok(lists.into_iter().chain([most, near, heads]).fold(0, u64::saturating_add))
}

/// Bytes of what stands before the frames of two planes of a layer, each read behind all those
/// before it, which share the list of arrow sets.
fn near_heads(shape: &TierShape, layer: i8) -> u64 {
    let frames = Frames::of(shape);
    let index = frames.len().saturating_mul(ENTRY_BYTES * layer.unsigned_abs() as u64);
    let slots = FinishedTier::slots_bytes(&Chunks::new(frames));
    if layer == 0 {
        0
    } else {
        2 * (index.saturating_add(shape.list_bytes()).saturating_add(slots))
    }
}

/// Bytes of the planes nearer to 0 that a plane of a layer is solved with: two of them, and of each
/// thread a decoder, decoded chunks, and a copy of one.
fn near_planes(shape: &TierShape, layer: i8, threads: u64) -> u64 {
    if layer == 0 {
        return 0;
    }
    let of_thread = kept_bytes(shape)
        .saturating_add(decoder_bytes(&shape.with_plane(1)))
        .saturating_add(chunk_bytes(shape));
    near_heads(shape, layer).saturating_add(of_thread.saturating_mul(2 * threads))
}

/// Bytes that a build of these tiers uses if it may use as many as it likes; of a layer of margins
/// both planes of two tiers.
pub(super) fn expected(rules: TableRules, tiers: &[TierPlan], layer: i8) -> u128 {
    let planes = if layer == 0 { 1 } else { 2 };
    let held = |arrows: usize| {
        let kinds = tiers.iter().filter(move |tier| tier.count.arrows == arrows);
        let lists = kinds.clone().next().map_or(0, |tier| {
            let width = Width::of(tier.count.board).unwrap_or(Width::Wide);
            tier.sets.saturating_mul(list_entry(width).into())
        });
        kinds.fold(lists, |bytes, tier| bytes.saturating_add(planes * tier.bytes_raw))
    };
    let fullest = tiers.last().map_or(0, |tier| tier.count.arrows);
    let peak = (0..=fullest)
        .map(|arrows| held(arrows).saturating_add(held(arrows + rules.burned())))
        .max();
    PROGRAM.saturating_add(peak.unwrap_or(0))
}

/// Bytes of a chunk with its slack.
fn chunk_bytes(shape: &TierShape) -> u64 {
    shape.block_bytes().max(Frames::TARGET as usize) as u64 + SLACK as u64
}

/// One thread's tiles, permuted children and what its kernel works in.
fn workspace(shape: &TierShape, width: Width) -> u64 {
    let words = |size: usize| small_binomial(shape.free(), size).div_ceil(64);
    let tiles = words(shape.mover()).saturating_mul(words(shape.opponent())).saturating_mul(64 * 8);
    let (free, mover, opponent) = (shape.free(), shape.mover(), shape.opponent());
    // Where a move burns two squares, the children are those of a set that is seldom canonical.
    let (permuted, collected) = match shape.rules() {
        TableRules::Pencil => (free as u64, collected_bytes(free, mover, opponent)),
        TableRules::Amazons | TableRules::Cowboys => ((free as u64).div_ceil(2), 0),
        TableRules::Killer => ((free as u64).div_ceil(2), taken_bytes(shape)),
    };
    let children = shape.children();
    let blocks = children.iter().map(|child| child.block_bytes() as u64);
    let permuted = blocks.fold(0, u64::saturating_add).saturating_mul(permuted);
    let kernel = bytes::of_thread(shape, width);
    [tiles, permuted, collected, kernel].into_iter().fold(4 << 20, u64::saturating_add)
}
