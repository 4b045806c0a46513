//! The kernel for a mover with one amazon, where vectors over placements would be a few bits long.
//!
//! Here the vector is over the squares of the board, one lane a square, and a lane holds a set of
//! squares:
//!
//! ```text
//! reach[b] = what an amazon on b sees past the arrows                    once an arrow set
//! for every O:
//!     shadow(b, O) = squares that the amazons O hide from b              a table of the board
//!     loss[b]: bit c = the opponent loses after our amazon on b burned c     from row O of every child A + c
//!     shot = the squares b with   reach[b] & ~shadow(b, O) & loss[b]  not empty
//!     win  = the squares a with   reach[a] & ~shadow(a, O) & shot     not empty
//! ```
//!
//! A child stored under a symmetry need not be permuted: its rows are mapped as sets of squares.

use super::board_tables::BoardTables;
use super::child::{Child, ChildRows};
use super::tier_spaces::TierSpaces;
use super::workspace::BlockJob;
use crate::game::board::Bitboard;
use crate::machine::isa::Isa;
use crate::tables::counting::{Mask, colex};
use crate::tables::retrograde::lines::free_squares;

/// See the module's pseudo-code.
///
/// # Safety
/// The job is as [`TierKernel::solve`](super::TierKernel::solve) checks it, for this tier.
#[inline(always)]
pub(super) unsafe fn solve<M: Mask>(
    tier: &TierSpaces<M>,
    isa: impl Isa,
    job: BlockJob<'_, M>,
) -> u64 {
    let BlockJob { arrows, children, spent, out, work } = job;
    let tables = &*tier.tables;
    let free = free_squares(tables.board, arrows);
    let reach = tables.shadows.reach(free);
    prepare_rows(tables, free, children, &mut work.rows);
    tier.make_room(work);
    for (index, &placement) in tier.opponent_sets.iter().enumerate() {
        let opponent = M::of(isa.deposit(placement.word(), free.word()));
        let mut loss = M::EMPTY_LANES;
        // SAFETY: the children are those of `prepare_rows`; the placements come in colex order.
        unsafe { read_losses(tier, isa, opponent, free & !opponent, &mut work.rows, &mut loss) };
        let seen = tables.shadows.seen_past(&reach, opponent);
        let shot = meeting::<M>(&seen, |lane| loss.as_ref()[lane]) & free & !opponent;
        let win = meeting::<M>(&seen, |_| shot) & free & !opponent;
        // With one amazon the mover's placements fill one word.
        let tile = index / 64 * 64 + index % 64;
        work.tiles[tile] = isa.extract(win.word(), free.word());
    }
    // SAFETY: every placement's row is in the tiles now; `out` and `spent` have the lengths that
    // were checked.
    unsafe { tier.write_rows(isa, out, spent, work) }
}

/// `loss[b]` gets bit c for every square c whose arrow wins for our amazon on b.
///
/// # Safety
/// `children` are those of [`prepare_rows`], which have a row for every placement of the
/// opponent that avoids their arrow; it is called once for each placement `opponent` on the
/// free squares, in colex order.
#[inline(always)]
unsafe fn read_losses<M: Mask>(
    tier: &TierSpaces<M>,
    isa: impl Isa,
    opponent: M,
    open: M,
    children: &mut [ChildRows<M>],
    loss: &mut M::Lanes,
) {
    for child in children {
        if opponent.has(child.square.into()) {
            continue;
        }
        // SAFETY: eight bytes are read from the beginning of a row, of which at most seven lie
        // behind the block, in its slack. A child stored as it is has a row for each placement
        // that avoids its arrow, in the order in which they come. A child stored under a
        // symmetry has a row of every rank that a placement on its free squares has.
        unsafe {
            let lost = if child.symmetry == 0 {
                let bits = child.at.cast::<u64>().read_unaligned();
                child.at = child.at.add(tier.child_row_bytes);
                let open = open & !M::single(child.square.into());
                M::of(isa.deposit(!bits, open.word()))
            } else {
                let opponent = tier.tables.images.image(child.symmetry, opponent);
                let placed = isa.extract(opponent.word(), child.free.word());
                let row = colex::rank(M::of(placed)).word() as usize;
                let bits =
                    child.block.add(row * tier.child_row_bytes).cast::<u64>().read_unaligned();
                let open = child.free & !opponent;
                let lost = M::of(isa.deposit(!bits, open.word()));
                tier.tables.images.image(child.back, lost)
            };
            for (b, lane) in loss.as_mut().iter_mut().enumerate() {
                *lane |= (lost >> b as u32 & M::single(0)) << child.square.into();
            }
        }
    }
}

/// Works out, for every child, its free squares and the order in which its rows are needed.
#[inline(always)]
fn prepare_rows<M: Mask>(
    tables: &BoardTables<M>,
    free: M,
    children: &[Child<'_>],
    rows: &mut Vec<ChildRows<M>>,
) {
    rows.clear();
    for (child, square) in children.iter().zip(Bitboard::<u64>::from_word(free.word())) {
        rows.push(ChildRows {
            at: child.block.as_ptr(),
            block: child.block.as_ptr(),
            free: tables.images.image(child.symmetry, free & !M::single(square.index())),
            symmetry: child.symmetry,
            back: tables.inverse[child.symmetry],
            square: square.index() as u8,
        });
    }
}

/// The lanes whose set meets that of the same lane in `other`.
#[inline(always)]
fn meeting<M: Mask>(lanes: &M::Lanes, other: impl Fn(usize) -> M) -> M {
    let mut met = M::default();
    for (lane, &set) in lanes.as_ref().iter().enumerate() {
        met |= M::of((set & other(lane) != M::default()).into()) << lane as u32;
    }
    met
}
