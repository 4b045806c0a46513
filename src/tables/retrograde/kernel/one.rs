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

use super::{BoardTables, Child, TierKernel, Workspace};
use crate::game::board::{Bitboard, Board, Leaps, Rays, SquareIndex};
use crate::machine::isa::Isa;
use crate::tables::counting::{Mask, colex};
use crate::tables::index::TableRules;
use crate::tables::retrograde::lines::free_squares;

/// What amazons hide: `hidden[o][b]` is the square o and all squares behind it, seen from b.
#[derive(Debug)]
pub(super) struct Shadows<M: Mask> {
    hidden: Box<[M::Lanes]>,
    sight: Sight,
    squares: usize,
}

/// What an amazon sees, and so where it steps and shoots.
#[derive(Debug)]
enum Sight {
    Queen(Rays<u64>),
    Knight(Leaps<u64>),
}

impl Sight {
    fn new(rules: TableRules, board: Board) -> Self {
        let fits = "tables are for boards of at most 64 squares";
        match rules {
            TableRules::Amazons | TableRules::Pencil => Self::Queen(Rays::new(board).expect(fits)),
            TableRules::Cowboys => Self::Knight(Leaps::new(board).expect(fits)),
        }
    }

    fn reach(&self, from: SquareIndex, free: Bitboard<u64>) -> Bitboard<u64> {
        match self {
            Self::Queen(rays) => rays.reach(from, free),
            Self::Knight(leaps) => leaps.from(from) & free,
        }
    }
}

impl<M: Mask> Shadows<M> {
    pub(super) fn new(rules: TableRules, board: Board) -> Self {
        let sight = Sight::new(rules, board);
        let all = board.all::<u64>();
        let hidden = all.iter().map(|blocker| {
            let mut lanes = M::EMPTY_LANES;
            for from in all {
                let past = sight.reach(from, all.without(Bitboard::of(blocker)));
                let hidden = sight.reach(from, all).without(past);
                lanes.as_mut()[from.index()] = M::of(hidden.word());
            }
            lanes
        });
        Self { hidden: hidden.collect(), squares: board.squares(), sight }
    }

    /// What an amazon sees from every square, past the squares that are not free.
    fn reach(&self, free: M) -> M::Lanes {
        let mut lanes = M::EMPTY_LANES;
        let free = Bitboard::<u64>::from_word(free.word());
        for square in free {
            lanes.as_mut()[square.index()] = M::of(self.sight.reach(square, free).word());
        }
        lanes
    }
}

impl<M: Mask> TierKernel<M> {
    /// See the module's pseudo-code.
    ///
    /// # Safety
    /// The arguments are as [`TierKernel::solve`] checks.
    #[inline(always)]
    pub(super) unsafe fn one_body(
        &self,
        isa: impl Isa,
        arrows: M,
        children: &[Child<'_>],
        out: &mut [u8],
        work: &mut Workspace<M>,
    ) -> u64 {
        let tables = &*self.tables;
        let free = free_squares(tables.board, arrows);
        let reach = tables.shadows.reach(free);
        prepare_rows(tables, free, children, &mut work.rows);
        work.valid.resize(self.movers.width.max(self.opponents.width), 0);
        work.tiles.resize(self.opponents.words * self.movers.words * 64, 0);
        for (index, &placement) in self.opponent_sets.iter().enumerate() {
            let opponent = M::of(isa.deposit(placement.word(), free.word()));
            let mut loss = M::EMPTY_LANES;
            // SAFETY: the children are those of `prepare_rows`; the placements come in colex order.
            unsafe { self.read_losses(isa, opponent, free & !opponent, &mut work.rows, &mut loss) };
            let seen = seen_past(&tables.shadows, &reach, opponent);
            let shot = meeting::<M>(&seen, |lane| loss.as_ref()[lane]) & free & !opponent;
            let win = meeting::<M>(&seen, |_| shot) & free & !opponent;
            let tile = index / 64 * 64 + index % 64;
            work.tiles[tile] = isa.extract(win.word(), free.word());
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
                    child.at = child.at.add(self.child_row_bytes);
                    let open = open & !M::single(child.square.into());
                    M::of(isa.deposit(!bits, open.word()))
                } else {
                    let opponent = self.tables.images.image(child.symmetry, opponent);
                    let placed = isa.extract(opponent.word(), child.free.word());
                    let row = colex::rank(M::of(placed)).word() as usize;
                    let bits =
                        child.block.add(row * self.child_row_bytes).cast::<u64>().read_unaligned();
                    let open = child.free & !opponent;
                    let lost = M::of(isa.deposit(!bits, open.word()));
                    self.tables.images.image(child.back, lost)
                };
                for (b, lane) in loss.as_mut().iter_mut().enumerate() {
                    *lane |= (lost >> b as u32 & M::single(0)) << child.square.into();
                }
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

/// Where the rows of one child are.
#[derive(Debug)]
pub(super) struct ChildRows<M> {
    /// The next row, for a child stored as it is.
    at: *const u8,
    block: *const u8,
    /// The free squares of the child as stored.
    free: M,
    symmetry: usize,
    /// The symmetry that undoes it.
    back: usize,
    /// The child's arrow.
    square: u8,
}

/// What every square sees past the arrows and the opponent.
#[inline(always)]
fn seen_past<M: Mask>(shadows: &Shadows<M>, reach: &M::Lanes, opponent: M) -> M::Lanes {
    let mut seen = *reach;
    let mut left = opponent;
    while !left.is_empty() {
        let hidden = &shadows.hidden[left.lowest() % shadows.squares];
        left = left.without_lowest();
        for (lane, &bits) in seen.as_mut().iter_mut().zip(hidden.as_ref()) {
            *lane &= !bits;
        }
    }
    seen
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
