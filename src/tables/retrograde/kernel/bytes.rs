//! How much memory a kernel takes, as an upper bound.
//!
//! ```text
//!   of a tier     two spaces and their sets; of a mover with several amazons the spaces that an
//!                 opponent leaves, how to go between them, and the permuter, of Killer for each
//!                 kind of children
//!   of a thread   the vectors of one placement of the opponent, a band of rows, and of the
//!                 permuter a rank for each placement and two bands
//! ```
//!
//! A list that grows while it is made doubles its memory, and gives the old one back when all is
//! copied: so it counts three times. Blocks and tiles are the business of
//! [`memory`](crate::tables::retrograde::memory).

use std::mem::size_of;

use super::killer;
use crate::tables::index::{MOST_CHILD_KINDS, TableRules, TierShape, Width};
use crate::tables::retrograde::permute::rank_table_bytes;
use crate::tables::retrograde::space::{Exchange, Size, Spread};

/// A list that grows has at most so many times its own length while it does.
const GROWING: u64 = 3;

/// Bytes of a space.
fn of_space(size: Size) -> u64 {
    (size.squares + 1).saturating_mul(8 * size.width)
}

/// What is solved with vectors, as free squares and amazons of both sides: the tier, with one
/// square less where the square that an amazon leaves burns, and with one amazon less where it can
/// be taken. All are `None` if nothing is.
fn with_vectors(shape: &TierShape) -> [Option<[usize; 3]>; MOST_CHILD_KINDS] {
    let (free, mover, opponent) = (shape.free(), shape.mover(), shape.opponent());
    let burned = shape.rules().burned();
    let (least, left) = match shape.rules() {
        TableRules::Killer if mover > 0 => return killer::sizes_of_spaces(shape),
        TableRules::Killer => return [None; MOST_CHILD_KINDS],
        TableRules::Amazons | TableRules::Cowboys => (2, free),
        TableRules::Pencil => (1, free.saturating_sub(1)),
    };
    let solved = mover >= least && free - opponent - mover >= burned;
    [solved.then_some([left, mover, opponent]), None, None]
}

/// Bytes of what all threads share while they solve a tier, the making of it included.
pub(in crate::tables::retrograde) fn of_tier(shape: &TierShape, width: Width) -> u64 {
    let (free, mover, opponent, mask) =
        (shape.free(), shape.mover(), shape.opponent(), width.bytes());
    // The spaces of both sides, and their sets as masks.
    let spaces = |free| {
        let bytes = |amazons| {
            let size = Size::of(free, amazons);
            of_space(size).saturating_add(size.len.saturating_mul(GROWING * mask))
        };
        bytes(mover).saturating_add(bytes(opponent))
    };
    let solved = with_vectors(shape).into_iter().flatten().map(|sides| of_many(sides, mask));
    // Where the square that is left burns: the placements with each square, by words.
    let placed = Size::of(free - opponent, mover);
    let with = placed.squares.saturating_mul(placed.words * 24 + 48);
    [spaces(free), with].into_iter().chain(solved).fold(0, u64::saturating_add)
}

/// Bytes of the spaces that a fixed opponent leaves, and of how to go between them.
fn of_many([squares, mover, opponent]: [usize; 3], mask: u64) -> u64 {
    let spaces = |amazons: usize| {
        let size = Size::of(squares, amazons);
        of_space(size).saturating_add(size.len.saturating_mul(GROWING * mask))
    };
    let left = squares - opponent;
    let (full, less) = (Size::of(left, mover), Size::of(left, mover - 1));
    let spreads =
        full.squares.saturating_mul(full.words * 2 * GROWING * size_of::<Spread>() as u64);
    // The operations of a square make or read each word of its two vectors, in increasing order of
    // both.
    let operations = full.squares.saturating_mul(full.words + less.words);
    let (operation, word) = (size_of::<Exchange>() as u64, size_of::<(u32, u32)>() as u64);
    let away = GROWING * (operation + word);
    let back =
        operations.saturating_mul(operation).saturating_add(full.width * (GROWING * word + 8));
    let rank_tables = rank_table_bytes(squares, mover) + rank_table_bytes(squares, opponent);
    [of_space(full), of_space(less), spreads, operations.saturating_mul(away), back]
        .into_iter()
        .chain([spaces(mover), spaces(opponent), GROWING * rank_tables])
        .fold(0, u64::saturating_add)
}

/// Bytes that a thread solves in, beside the tiles and the children that it permutes.
pub(in crate::tables::retrograde) fn of_thread(shape: &TierShape, width: Width) -> u64 {
    let (free, mover, opponent) = (shape.free(), shape.mover(), shape.opponent());
    let (movers, opponents) = (Size::of(free, mover), Size::of(free, opponent));
    let band = movers
        .width
        .max(opponents.width)
        .saturating_mul(8)
        .saturating_add(opponents.words.saturating_mul(64 * 8));
    let solved = with_vectors(shape).into_iter().flatten();
    solved.map(|sides| of_vectors(sides, width)).fold(band, u64::saturating_add)
}

/// Bytes of a thread's vectors, and of what it permutes in.
fn of_vectors([squares, mover, opponent]: [usize; 3], width: Width) -> u64 {
    let left = squares - opponent;
    let (full, less) = (Size::of(left, mover), Size::of(left, mover - 1));
    let vectors = full
        .width
        .saturating_add(less.width)
        .saturating_mul(2 * full.squares)
        .saturating_add(full.width + 16)
        .saturating_mul(8);
    let (rows, columns) = (Size::of(squares, opponent), Size::of(squares, mover));
    let ranks = rows.len.saturating_add(columns.len).saturating_mul(4);
    let bands = columns.width.saturating_mul(8 + 2 * 64 * 8);
    let images = 8 * 256 * width.bytes();
    // Each of these is made once for a tier, in its full length.
    [vectors, ranks, bands, images].into_iter().fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Board;
    use crate::game::rules::Amazons;
    use crate::machine::isa::InstructionSet;
    use crate::tables::counting::Mask;
    use crate::tables::index::{Images, TableSubject};
    use crate::tables::retrograde::kernel::{BoardTables, TierKernel, has_room};
    use std::sync::Arc;

    /// Holds the bound of every tier against what its kernel has.
    fn bounded<M: Mask>(rules: TableRules, board: &str, amazons: &str, width: Width) -> usize {
        let (board, amazons): (Board, Amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
        let tables = Arc::new(BoardTables::<M>::new(rules, Images::new(board).unwrap()));
        let mut solved = 0;
        let subject = TableSubject { rules, board, amazons };
        for arrows in 0..=subject.fullest().unwrap() {
            for shape in subject.kinds(arrows).unwrap() {
                if !has_room(&shape) {
                    continue;
                }
                let kernel = TierKernel::new(tables.clone(), &shape, InstructionSet::detect());
                let (has, bound) = (kernel.bytes() as u64, of_tier(&shape, width));
                assert!(has <= bound, "{shape}: {has} bytes, at most {bound}");
                // A bound is worth little if it is far off.
                assert!(bound <= 8 * has + (1 << 16), "{shape}: {has} bytes, at most {bound}");
                solved += usize::from(kernel.has_moves());
            }
        }
        solved
    }

    #[test]
    fn tables_of_kernels_are_within_their_bounds() {
        let mut solved = 0;
        for (board, amazons) in [("4x4", "4v4"), ("4x5", "2v5"), ("4x5", "12v1"), ("3x4", "1v2")] {
            for rules in TableRules::ALL {
                solved += bounded::<u32>(rules, board, amazons, Width::Narrow);
            }
        }
        solved += bounded::<u64>(TableRules::Amazons, "6x6", "33v1", Width::Wide);
        assert!(solved > 50, "{solved}");
    }
}
