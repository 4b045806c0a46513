//! The kernel for a mover with one amazon, where vectors over placements would be a few bits long.
//!
//! Here the vector is over the squares of the board, one lane a square, and a lane holds a set of
//! squares:
//!
//! ```text
//! reach[b] = what a queen on b sees past the arrows                     once an arrow set
//! for every O:
//!     shadow(b, O) = squares that the amazons O hide from b              a table of the board
//!     loss[b]: bit c = the opponent loses after our amazon on b burned c     from row O of every child A + c
//!     shot = the squares b with   reach[b] & ~shadow(b, O) & loss[b]  not empty
//!     win  = the squares a with   reach[a] & ~shadow(a, O) & shot     not empty
//! ```
//!
//! A child stored under a symmetry need not be permuted: its rows are mapped as sets of squares.

use super::{BoardTables, Child, TierKernel, Workspace};
use crate::game::board::{Bitboard, Board, Rays};
use crate::machine::isa::Isa;
use crate::tables::build::lines::free_squares;

/// One set of squares for each square of a board.
type Lanes = [u32; 32];

/// What amazons hide: `hidden[o][b]` is the square o and all squares behind it, seen from b.
#[derive(Debug)]
pub(super) struct Shadows {
    hidden: Box<[Lanes]>,
    rays: Rays<u64>,
    squares: usize,
}

impl Shadows {
    pub(super) fn new(board: Board) -> Self {
        let rays = Rays::<u64>::new(board).expect("tables are for boards of at most 32 squares");
        let all = board.all::<u64>();
        let hidden = all.iter().map(|blocker| {
            let mut lanes = [0; 32];
            for from in all {
                let past = rays.reach(from, all.without(Bitboard::of(blocker)));
                lanes[from.index()] = rays.reach(from, all).without(past).word() as u32;
            }
            lanes
        });
        Self { hidden: hidden.collect(), squares: board.squares(), rays }
    }

    /// What a queen sees from every square, past the squares that are not free.
    fn reach(&self, free: u32) -> Lanes {
        let mut lanes = [0; 32];
        for square in Bitboard::<u64>::from_word(free.into()) {
            lanes[square.index()] =
                self.rays.reach(square, Bitboard::from_word(free.into())).word() as u32;
        }
        lanes
    }
}

impl TierKernel {
    /// See the module's pseudo-code.
    ///
    /// # Safety
    /// The arguments are as [`TierKernel::solve`] checks.
    #[inline(always)]
    pub(super) unsafe fn one_body(
        &self,
        isa: impl Isa,
        arrows: u32,
        children: &[Child<'_>],
        out: &mut [u8],
        work: &mut Workspace,
    ) -> u64 {
        let tables = &*self.tables;
        let free = free_squares(tables.board, arrows);
        let reach = tables.shadows.reach(free);
        prepare_rows(tables, free, children, &mut work.rows);
        work.valid.resize(self.movers.width.max(self.opponents.width), 0);
        work.tiles.resize(self.opponents.words * self.movers.words * 64, 0);
        for (index, &placement) in self.opponent_sets.iter().enumerate() {
            let opponent = isa.deposit(placement.into(), free.into()) as u32;
            let mut loss = [0; 32];
            // SAFETY: the children are those of `prepare_rows`; the placements come in colex order.
            unsafe { self.read_losses(isa, opponent, free & !opponent, &mut work.rows, &mut loss) };
            let seen = seen_past(&tables.shadows, &reach, opponent);
            let shot = meeting(&seen, &loss) & free & !opponent;
            let win = meeting(&seen, &[shot; 32]) & free & !opponent;
            let tile = index / 64 * 64 + index % 64;
            work.tiles[tile] = isa.extract(win.into(), free.into());
        }
        // SAFETY: every placement's row is in the tiles now; `out` has the length that was checked.
        unsafe { self.write_rows(isa, out, work) }
    }

    /// `loss[b]` gets bit c for every square c whose arrow wins for our amazon on b.
    ///
    /// # Safety
    /// `children` are those of [`prepare_rows`], which have a row for every placement of the
    /// opponent that avoids their arrow; it is called once for each placement `opponent` on the
    /// free squares, in colex order.
    #[inline(always)]
    unsafe fn read_losses(
        &self,
        isa: impl Isa,
        opponent: u32,
        open: u32,
        children: &mut [ChildRows],
        loss: &mut Lanes,
    ) {
        for child in children {
            if opponent >> child.square & 1 != 0 {
                continue;
            }
            // SAFETY: eight bytes are read from the beginning of a row, of which at most seven lie
            // behind the block, in its slack. A child stored as it is has a row for each placement
            // that avoids its arrow, in the order in which they come. A child stored under a
            // symmetry has a row of every rank that a placement on its free squares has.
            unsafe {
                let lost = if child.symmetry == 0 {
                    let bits = child.at.cast::<u64>().read_unaligned();
                    child.at = child.at.add(self.child_row_bytes);
                    let open = open & !(1 << child.square);
                    isa.deposit(!bits, open.into()) as u32
                } else {
                    let opponent = self.tables.images.image(child.symmetry, opponent);
                    let row = rank(isa.extract(opponent.into(), child.free.into()) as u32);
                    let bits =
                        child.block.add(row * self.child_row_bytes).cast::<u64>().read_unaligned();
                    let open = child.free & !opponent;
                    self.tables.images.image(child.back, isa.deposit(!bits, open.into()) as u32)
                };
                for (b, lane) in loss.iter_mut().enumerate() {
                    *lane |= (lost >> b & 1) << child.square;
                }
            }
        }
    }
}

/// Works out, for every child, its free squares and the order in which its rows are needed.
#[inline(always)]
fn prepare_rows(
    tables: &BoardTables,
    free: u32,
    children: &[Child<'_>],
    rows: &mut Vec<ChildRows>,
) {
    rows.clear();
    for (child, square) in children.iter().zip(Bitboard::<u64>::from_word(free.into())) {
        rows.push(ChildRows {
            at: child.block.as_ptr(),
            block: child.block.as_ptr(),
            free: tables.images.image(child.symmetry, free & !(1 << square.index())),
            symmetry: child.symmetry,
            back: tables.inverse[child.symmetry],
            square: square.index() as u8,
        });
    }
}

/// Where the rows of one child are.
#[derive(Debug)]
pub(super) struct ChildRows {
    /// The next row, for a child stored as it is.
    at: *const u8,
    block: *const u8,
    /// The free squares of the child as stored.
    free: u32,
    symmetry: usize,
    /// The symmetry that undoes it.
    back: usize,
    /// The child's arrow.
    square: u8,
}

/// What every square sees past the arrows and the opponent.
#[inline(always)]
fn seen_past(shadows: &Shadows, reach: &Lanes, opponent: u32) -> Lanes {
    let mut seen = *reach;
    let mut left = opponent;
    while left != 0 {
        let hidden = &shadows.hidden[left.trailing_zeros() as usize % shadows.squares];
        left &= left - 1;
        for (lane, &bits) in seen.iter_mut().zip(hidden) {
            *lane &= !bits;
        }
    }
    seen
}

/// The lanes in which the two sets meet.
#[inline(always)]
fn meeting(a: &Lanes, b: &Lanes) -> u32 {
    let mut lanes = 0;
    for lane in 0..32 {
        lanes |= ((a[lane] & b[lane] != 0) as u32) << lane;
    }
    lanes
}

/// Colex rank of a placement.
#[inline(always)]
fn rank(placement: u32) -> usize {
    crate::tables::counting::colex::rank(placement) as usize
}
