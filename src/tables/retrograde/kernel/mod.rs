//! The backward kernel: every position over one arrow set, from the finished positions with one
//! arrow more.
//!
//! Fix the arrow set A with n free squares and the opponent's placement O. The mover's placements M
//! are the m-subsets of the f = n - |O| squares left; one bit vector holds a truth value for each
//! of them. A move is two half moves, the step and the shot, and both go along pairs of squares
//! that see each other:
//!
//! ```text
//! for every O:
//!     pairs = the lines clear of A and O
//!     loss[c] = for each M without c: the opponent, to move, loses after an arrow on c    (row O of child A + c, complemented)
//!     for every pair (x, y):   shot[x] |= loss[y] & avoid(between)      "an amazon that arrived on x wins by burning y";
//!                              shot[y] |= loss[x] & avoid(between)      the square it came from is not in M, so it is clear
//!     arrived[b] = shot[b] over the M that contain b, b removed         vectors over the (m-1)-subsets now
//!     for every pair (x, y):   step[x] |= arrived[y] & avoid(between)   "an amazon on x wins by going to y"
//!                              step[y] |= arrived[x] & avoid(between)
//!     win = OR over squares a of: step[a] over the M that contain a, a put back
//! transpose: the vectors are rows O; the stored matrix has rows M
//! ```
//!
//! The shots of an amazon do not depend on where it came from, so the work is (steps + shots), not
//! (steps x shots). Nothing invalid is touched, and all vectors of one O stay in the first-level
//! cache. Cost on one Zen 5 core with AVX-512: 9e9 to 11e9 placements/s on 5x5 with four amazons a
//! side (symmetric copies counted).

#![allow(unsafe_code)]

mod board_tables;
pub(super) mod bytes;
mod child;
mod clear_pairs;
pub(super) mod killer;
mod many;
mod one;
mod pairs;
pub(super) mod pencil;
mod shadows;
mod shots;
mod tier_spaces;
mod ways;
mod workspace;

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::pack::SLACK;
use super::space::Space;
use crate::machine::isa::{InstructionSet, Isa, Work};
use crate::tables::counting::colex::subsets;
use crate::tables::counting::{Mask, small_binomial};
use crate::tables::index::{MOST_CHILD_KINDS, TableRules, TierShape};
pub use board_tables::BoardTables;
pub use child::Child;
use killer::Killer;
use many::Many;
use pencil::Pencil;
use tier_spaces::TierSpaces;
use workspace::BlockJob;
pub use workspace::Workspace;

/// The most placements of a mover with several amazons on the squares that the opponent leaves:
/// bits of a vector of 65,536 words.
pub const MOST_PLACEMENTS: u64 = 1 << 22;

/// Whether there are kernels for so many placements of a side: [`MOST_PLACEMENTS`] on the squares
/// that the other side leaves, and what 32 bits number on all.
pub fn has_room(shape: &TierShape) -> bool {
    let (free, mover, opponent) = (shape.free(), shape.mover(), shape.opponent());
    let numbered = |size: usize| small_binomial(free, size) <= u32::MAX.into();
    // Where an amazon of the opponent can be taken, it leaves a square more.
    let left = free - opponent + usize::from(shape.rules().captures() && opponent > 0);
    let vector = mover < 2 || small_binomial(left, mover) <= MOST_PLACEMENTS;
    numbered(mover) && numbered(opponent) && vector
}

/// What the kernel needs to know of a tier: tables shared by all threads.
#[derive(Debug)]
pub struct TierKernel<M: Mask> {
    tier: TierSpaces<M>,
    method: Method<M>,
    /// Bytes of a child's block of each kind that moves lead to.
    child_bytes: ArrayVec<usize, MOST_CHILD_KINDS>,
    /// How many children of a kind a block has: the sets of squares that a move can burn.
    children: usize,
}

/// How the blocks of a tier are solved.
#[derive(Debug)]
enum Method<M> {
    /// No amazon of the mover or too few empty squares: all positions are lost.
    Lost,
    /// One amazon of the mover: sets of squares.
    One,
    /// Several: vectors over placements.
    Many(Box<Many<M>>),
    /// The square that an amazon leaves burns before the shot.
    Pencil(Box<Pencil<M>>),
    /// A step may end on an amazon, which is taken.
    Killer(Box<Killer<M>>),
}

impl<M: Mask> TierKernel<M> {
    /// The kernel for the arrow sets of a tier.
    ///
    /// # Panics
    /// If the tables are those of another board or by other rules, or the tier has more placements
    /// than [`has_room`] says.
    pub fn new(tables: Arc<BoardTables<M>>, shape: &TierShape, isa: InstructionSet) -> Self {
        assert_eq!(tables.board, shape.board(), "tables of another board");
        assert_eq!(tables.rules, shape.rules(), "tables by other rules");
        assert!(has_room(shape), "{shape} has too many placements");
        let (free, mover, opponent) = (shape.free(), shape.mover(), shape.opponent());
        let (left, burned) = (free - opponent, shape.rules().burned());
        let method = match (shape.rules(), mover) {
            (_, 0) => Method::Lost,
            (TableRules::Killer, _) => Method::Killer(Box::new(Killer::new(shape, isa))),
            _ if left - mover < burned => Method::Lost,
            (TableRules::Pencil, _) => {
                Method::Pencil(Box::new(Pencil::new(free, mover, opponent, isa)))
            }
            (_, 1) => Method::One,
            _ => Method::Many(Box::new(Many::new(free, mover, opponent, isa))),
        };
        let count = |squares: usize, size: usize| small_binomial(squares, size) as usize;
        let bytes = |squares: usize, size: usize| count(squares, size).div_ceil(8);
        let kinds = match method {
            Method::Lost => ArrayVec::new(),
            _ => shape.children(),
        };
        let child = shape.child().filter(|_| !matches!(method, Method::Lost));
        let tier = TierSpaces {
            tables,
            isa,
            movers: Space::new(free, mover),
            opponents: Space::new(free, opponent),
            mover_sets: subsets(free, mover).collect(),
            opponent_sets: subsets(free, opponent).collect(),
            row_bytes: bytes(free - mover, opponent),
            child_row_bytes: child.map_or(0, |child| child.row_bytes()),
            spent_row_bytes: bytes(left, mover),
        };
        Self {
            tier,
            method,
            child_bytes: kinds.iter().map(TierShape::block_bytes).collect(),
            children: count(free, burned),
        }
    }

    /// Whether anybody can move; otherwise the mover has lost everywhere, and children are not
    /// looked at.
    pub fn has_moves(&self) -> bool {
        !matches!(self.method, Method::Lost)
    }

    /// Bytes of a block without slack.
    pub fn block_bytes(&self) -> usize {
        self.tier.movers.len * self.tier.row_bytes
    }

    /// Bytes of a child's block without slack, of each kind that
    /// [`TierShape::children`](crate::tables::index::TierShape::children) has.
    #[cfg(any(test, feature = "internals"))]
    pub fn child_bytes(&self) -> &[usize] {
        &self.child_bytes
    }

    /// Bytes of a block with the other side to move, without slack.
    pub fn spent_bytes(&self) -> usize {
        self.tier.opponents.len * self.tier.spent_row_bytes
    }

    /// Bytes of its own tables as they really are.
    #[cfg(test)]
    fn bytes(&self) -> usize {
        use super::space::bytes;
        let of_many = |many: &Many<M>| {
            many.shots.bytes()
                + bytes::of_space(&many.less)
                + bytes::of_exchanges(&many.take_away)
                + bytes::of_exchanges(&many.put_back)
        };
        let method = match &self.method {
            Method::Lost | Method::One => 0,
            Method::Many(many) => of_many(many),
            Method::Pencil(pencil) => pencil.bytes() + of_many(pencil.after()),
            Method::Killer(killer) => killer.bytes() + killer.spaces().map(of_many).sum::<usize>(),
        };
        method
            + bytes::of_space(&self.tier.movers)
            + bytes::of_space(&self.tier.opponents)
            + (self.tier.mover_sets.capacity() + self.tier.opponent_sets.capacity())
                * size_of::<M>()
    }

    /// Solves all positions over `arrows` and writes the block to `out`, which has [`SLACK`] bytes
    /// more than the block. `children[i]` is the block of `arrows` and the i-th free square, or the
    /// i-th pair of free squares in colex order if a move burns two. Where moves lead to several
    /// [kinds](crate::tables::index::TierShape::children), all children of the first stand before
    /// those of the second, and so on. Returns the number of wins.
    ///
    /// # Panics
    /// If `arrows` are not as many squares of the board as the tier has, if `out` or the block of a
    /// child is too short, or if there is not a child with a symmetry of the board for each set of
    /// squares that a move can burn. A tier without children takes none and looks at none.
    #[cfg(any(test, feature = "internals"))]
    pub fn solve(
        &self,
        arrows: M,
        children: &[Child<'_>],
        out: &mut [u8],
        work: &mut Workspace<M>,
    ) -> u64 {
        self.solve_plane(arrows, children, None, out, work)
    }

    /// As [`Self::solve`], of a plane of margins: `children` are of the plane where the spare moves
    /// are those of the other side. Of a plane above 0 `spent` is the block of `arrows` with the
    /// other side to move, after the mover has spent a spare move, and [`SLACK`] bytes: who loses
    /// there lets the mover win.
    ///
    /// # Panics
    /// As [`Self::solve`], or if `spent` is too short.
    pub fn solve_plane(
        &self,
        arrows: M,
        children: &[Child<'_>],
        spent: Option<&[u8]>,
        out: &mut [u8],
        work: &mut Workspace<M>,
    ) -> u64 {
        let board = self.tier.tables.board;
        assert!(arrows.word() & !board.all::<u64>().word() == 0, "arrows beside {board}");
        let free = board.squares() - arrows.len();
        assert_eq!(
            free,
            self.tier.movers.squares,
            "free squares of {:#x} on {board}",
            arrows.word()
        );
        assert!(out.len() >= self.block_bytes() + SLACK, "no room for the block");
        let spent_bytes = self.spent_bytes() + SLACK;
        assert!(spent.is_none_or(|spent| spent.len() >= spent_bytes), "a spent block is too short");
        if !self.has_moves() {
            if spent.is_none() {
                out.fill(0);
                return 0;
            }
            let job = BlockJob { arrows, children: &[], spent, out, work };
            return self.tier.isa.run(Solve { kernel: self, job });
        }
        let each = "one child of each kind for each set of squares that a move can burn";
        assert_eq!(children.len(), self.children * self.child_bytes.len(), "{each}");
        let symmetries = self.tier.tables.images.symmetries().len();
        for (kind, &bytes) in children.chunks(self.children.max(1)).zip(&self.child_bytes) {
            for child in kind {
                assert!(child.block.len() >= bytes + SLACK, "a child's block is too short");
                assert!(child.symmetry < symmetries, "{board} has {symmetries} symmetries");
            }
        }
        let job = BlockJob { arrows, children, spent, out, work };
        self.tier.isa.run(Solve { kernel: self, job })
    }

    /// # Safety
    /// The job is as [`TierKernel::solve`] checks it.
    #[inline(always)]
    unsafe fn body(&self, isa: impl Isa, job: BlockJob<'_, M>) -> u64 {
        // SAFETY: all methods ask for what the caller promises.
        unsafe {
            match &self.method {
                Method::Lost => self.solve_without_moves(isa, job),
                Method::One => one::solve(&self.tier, isa, job),
                Method::Many(many) => many.solve(&self.tier, isa, job),
                Method::Pencil(pencil) => pencil.solve(&self.tier, isa, job),
                Method::Killer(killer) => killer.solve(&self.tier, isa, job),
            }
        }
    }

    /// Nobody moves: spare moves alone decide.
    ///
    /// # Safety
    /// As [`Self::body`].
    #[inline(always)]
    unsafe fn solve_without_moves(&self, isa: impl Isa, job: BlockJob<'_, M>) -> u64 {
        let BlockJob { spent, out, work, .. } = job;
        self.tier.make_room(work);
        work.tiles.fill(0);
        // SAFETY: the tiles have a row for each placement; `out` and `spent` have the lengths that
        // were checked.
        unsafe { self.tier.write_rows(isa, out, spent, work) }
    }
}

/// A call of [`TierKernel::solve`], whose arguments are checked.
struct Solve<'a, M: Mask> {
    kernel: &'a TierKernel<M>,
    job: BlockJob<'a, M>,
}

impl<M: Mask> Work for Solve<'_, M> {
    type Output = u64;

    #[inline(always)]
    fn run(self, isa: impl Isa) -> u64 {
        // SAFETY: only `TierKernel::solve` makes one, of arguments that it has checked.
        unsafe { self.kernel.body(isa, self.job) }
    }
}
