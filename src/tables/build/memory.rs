//! How much memory a build needs, beside the blocks it keeps because there is room.

use super::pack::SLACK;
use super::space::Space;
use super::tier::WINDOW_PER_THREAD;
use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::tables::format::Frames;
use crate::tables::index::{ShapeError, TierShape};

/// The program itself, the pages of a mapped file between two givings-back, and what the allocator
/// holds back.
const FIXED: u64 = 96 << 20;

/// The least memory that a build runs in: every thread's workspace and the children of the set it
/// works on.
///
/// # Errors
/// [`ShapeError`] if there are no such tables.
pub(super) fn least(board: Board, amazons: Amazons) -> Result<u64, ShapeError> {
    let fullest = TierShape::fullest(board, amazons)?;
    let tiers = (0..=fullest).map(|arrows| {
        let children = TierShape::kinds(board, arrows + 1, amazons).map_or(0, |kinds| {
            let chunk = |shape: &TierShape| chunk_bytes(shape) * (board.squares() - arrows) as u64;
            kinds.iter().map(chunk).max().unwrap_or(0)
        });
        Ok(overhead(board, amazons, arrows)? + children * rayon::current_num_threads() as u64)
    });
    tiers.max_by_key(|bytes| *bytes.as_ref().unwrap_or(&u64::MAX)).unwrap_or(Ok(0))
}

/// Bytes needed to solve a tier, without any block of the tier below or of this one that is kept.
///
/// # Errors
/// [`ShapeError`] if there is no such tier.
pub(super) fn overhead(board: Board, amazons: Amazons, arrows: usize) -> Result<u64, ShapeError> {
    let threads = rayon::current_num_threads() as u64;
    let shapes = TierShape::kinds(board, arrows, amazons)?;
    let mut most = 0;
    for shape in &shapes {
        let waiting = 2 * chunk_bytes(shape) * (WINDOW_PER_THREAD + 2);
        most = most.max(threads * (workspace(shape) + waiting));
    }
    Ok(FIXED + lists(board, arrows) + lists(board, arrows + 1) + most)
}

/// The list of canonical arrow sets, as a tier and as the tier below, with room to grow.
fn lists(board: Board, arrows: usize) -> u64 {
    let sets = crate::tables::counting::subset_orbits(board, arrows).unwrap_or(0) as u64;
    // The list, its bytes for the file, and the index of the frames.
    sets * 12 + (1 << 16)
}

/// Bytes of a chunk with its slack.
fn chunk_bytes(shape: &TierShape) -> u64 {
    shape.block_bytes().max(Frames::TARGET as usize) as u64 + SLACK as u64
}

/// One thread's tiles, turned children and tables.
fn workspace(shape: &TierShape) -> u64 {
    let words = |size: usize| Space::count(shape.free(), size).div_ceil(64) as u64;
    let tiles = words(shape.mover()) * words(shape.opponent()) * 64 * 8;
    let turned = shape
        .child()
        .map_or(0, |child| child.block_bytes() as u64 * (shape.free() as u64).div_ceil(2));
    tiles + turned + (4 << 20)
}
