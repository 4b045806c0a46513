//! The kernel of Pencil & Paper, where the square that an amazon leaves burns before the shot.
//!
//! Fix the arrow set A and the square a that is left. After the step the arrows are B = A + a, so
//! arriving and shooting are what they are in Amazons over B; what is left is the step from a to
//! where it arrives, past A:
//!
//! ```text
//! for every a:
//!     for every O without a:
//!         arrived[b] as in the module's pseudo-code, over B; the children are A + a + c
//!         win_a = OR over the squares b that a sees past A and O:  arrived[b] & avoid(between)
//!                                              vectors over the placements of the other amazons
//!         win[O] |= win_a, a put back
//! ```
//!
//! So a block costs as much as one of Amazons for each of its free squares, and reads a child for
//! each two of them, twice.

use arrayvec::ArrayVec;

use super::child::Child;
use super::clear_pairs::ClearPairs;
use super::many::{Many, Vectors, list_squares};
use super::tier_spaces::TierSpaces;
use super::ways::Way;
use super::workspace::{BlockJob, Workspace};
use crate::machine::isa::{InstructionSet, Isa};
use crate::tables::counting::colex::subsets;
use crate::tables::counting::{Mask, small_binomial};
use crate::tables::index::MAX_SQUARES;
use crate::tables::retrograde::lines::Lines;
use crate::tables::retrograde::pack::unpack_row;

/// Words behind the wins of one placement of the opponent, which are read and mean nothing.
const SLACK_WORDS: usize = 2;

/// The spaces of a tier.
#[derive(Debug)]
pub(super) struct Pencil<M> {
    /// Those of Amazons with one square less, the one that is left.
    after: Many<M>,
    /// For each square that the opponent leaves, the placements with it: by word of their vector
    /// which bits, and how many stand before them.
    with: Vec<Vec<(u64, usize)>>,
    /// Words of the wins of one placement of the opponent.
    stride: usize,
}

impl<M: Mask> Pencil<M> {
    pub(super) fn new(free: usize, mover: usize, opponent: usize, isa: InstructionSet) -> Self {
        let left = free - opponent;
        let words = (small_binomial(left, mover) as usize).div_ceil(64).max(1);
        let with = |square: usize| {
            let mut masks = vec![0; words];
            for (rank, subset) in subsets::<u64>(left, mover).enumerate() {
                masks[rank / 64] |= (subset >> square & 1) << (rank % 64);
            }
            let mut before = 0;
            let count = |mask: u64| {
                let first = before;
                before += mask.count_ones() as usize;
                (mask, first)
            };
            masks.into_iter().map(count).collect()
        };
        Self {
            after: Many::new(free - 1, mover, opponent, isa),
            with: (0..left).map(with).collect(),
            stride: words + SLACK_WORDS,
        }
    }
}

#[cfg(test)]
impl<M> Pencil<M> {
    /// Bytes that it really has beside the spaces of Amazons.
    pub(super) fn bytes(&self) -> usize {
        self.with.iter().map(|bits| bits.capacity() * 16 + 24).sum()
    }

    pub(super) fn after(&self) -> &Many<M> {
        &self.after
    }
}

/// Bytes of the wins that one thread collects for a block.
pub(in crate::tables::retrograde) fn collected_bytes(
    free: usize,
    mover: usize,
    opponent: usize,
) -> u64 {
    let words = small_binomial(free - opponent, mover).div_ceil(64) + SLACK_WORDS as u64;
    small_binomial(free, opponent).saturating_mul(8 * words)
}

/// The square that is left, and what burning it leaves.
struct Origin<'a, M> {
    /// Its number among the free squares.
    number: usize,
    /// The steps from it.
    ways: &'a [Way<M>],
    /// The free squares but for it.
    free: M,
    /// The lines that it and the arrows leave clear.
    lines: &'a Lines,
}

impl<M: Mask> Pencil<M> {
    /// See the module's pseudo-code.
    ///
    /// # Safety
    /// The job is as [`TierKernel::solve`](super::TierKernel::solve) checks it, for this tier.
    #[inline(always)]
    pub(super) unsafe fn solve(
        &self,
        tier: &TierSpaces<M>,
        isa: impl Isa,
        job: BlockJob<'_, M>,
    ) -> u64 {
        let BlockJob { arrows, children, spent, out, work } = job;
        let tables = &*tier.tables;
        let (free, mut lines) = work.take_lines(tables, arrows);
        let ways: Vec<Vec<Way<M>>> =
            (0..free.len()).map(|number| steps_from(&lines, number as u8)).collect();
        work.pairs.make_room(tables.pairs.len(), self.after.shots.space.squares);
        work.wins.clear();
        work.wins.resize(tier.opponent_sets.len() * self.stride, 0);
        work.won.resize(self.after.less.width + 1, 0);
        let mut squares = free;
        for (number, ways) in ways.iter().enumerate() {
            let burned = M::single(squares.lowest());
            squares = squares.without_lowest();
            lines.clear_of(&tables.pairs, arrows | burned, free & !burned);
            let origin = Origin { number, ways, free: free & !burned, lines: &lines };
            // SAFETY: the children are those of the job, and `work` has room for the tier.
            unsafe { self.leave(tier, isa, &origin, children, work) };
        }
        work.lines = lines;
        // SAFETY: the wins of all squares that are left are there; `out` has the length that was
        // checked.
        unsafe {
            self.fill_tiles(tier, isa, work);
            tier.write_rows(isa, out, spent, work)
        }
    }

    /// Adds the wins of all steps from one square.
    ///
    /// # Safety
    /// The children are those of a job that was checked, `origin` is one of its free squares, and
    /// `work` has room for pairs and wins of this tier.
    #[inline(always)]
    unsafe fn leave(
        &self,
        tier: &TierSpaces<M>,
        isa: impl Isa,
        origin: &Origin<'_, M>,
        children: &[Child<'_>],
        work: &mut Workspace<M>,
    ) {
        let after = &self.after;
        let below = children_without(children, origin.number, tier.movers.squares);
        work.make_room_to_permute(below.len());
        let Workspace { permuted, permute, .. } = work;
        let images = &tier.tables.images;
        let mut rows = after.shots.permuted_rows(images, origin.free, &below, permuted, permute);
        let vectors = Vectors::in_buffer(after, &mut work.vectors);
        let numbers = !M::default() >> (M::SQUARES + 1 - tier.movers.squares) as u32;
        let mut left = [0u8; MAX_SQUARES];
        for (index, &placement) in tier.opponent_sets.iter().enumerate() {
            if placement.has(origin.number) {
                continue;
            }
            // Numbered without the square that is left.
            let low = placement & M::below(origin.number);
            let opponent = low | ((placement & !low) >> 1);
            list_squares(numbers & !opponent, &mut left[..after.shots.space.squares]);
            work.pairs.of(origin.lines, opponent, after.shots.space.squares, &left);
            // SAFETY: a child has a row for each placement that avoids both of its arrows, and
            // these placements come in the order of their ranks. The vectors are those of `after`;
            // the lines are clear of the arrows and of the square that is left, and the pairs of
            // this placement. `arrived` has a vector for each square.
            let arrived = unsafe {
                let left = &left[..after.shots.space.squares];
                after.shots.read_losses(isa, &mut rows, left, vectors.loss);
                after.arrive(isa, tier.isa, &vectors, origin.lines, &work.pairs);
                let words = after.shots.space.squares * after.less.width;
                std::slice::from_raw_parts(vectors.arrived, words)
            };
            self.step(origin.ways, opponent, &work.pairs, arrived, &mut work.won);
            let collected = &mut work.wins[index * self.stride..];
            self.put_back(isa, origin.number - low.len(), &work.won, collected);
        }
    }

    /// Collects in `won` where it is won to arrive by one of these steps, past the opponent.
    #[inline(always)]
    fn step(
        &self,
        ways: &[Way<M>],
        opponent: M,
        pairs: &ClearPairs,
        arrived: &[u64],
        won: &mut [u64],
    ) {
        let less = &self.after.less;
        won.fill(0);
        for way in ways.iter().filter(|way| way.is_clear_of(opponent)) {
            let from = &arrived[pairs.number(way.to) * less.width..][..less.width];
            way.pass(less, pairs, from, won);
        }
    }

    /// Adds to the wins of one placement of the opponent those of the placements with the square
    /// that is left, by its number among the squares that the opponent leaves.
    #[inline(always)]
    fn put_back(&self, isa: impl Isa, number: usize, won: &[u64], collected: &mut [u64]) {
        for (word, &(mask, first)) in self.with[number].iter().enumerate() {
            let (at, shift) = (first / 64, first as u32 % 64);
            let above = won.get(at + 1).copied().unwrap_or(0);
            // The second shift is by 64 in two steps where the first is by none.
            let bits = won[at] >> shift | above << 1 << (63 - shift);
            collected[word] |= isa.deposit(bits, mask);
        }
    }

    /// Spreads the wins over the tiles, a row for each placement of the opponent.
    ///
    /// # Safety
    /// `work` has the wins of all placements of the opponent.
    #[inline(always)]
    unsafe fn fill_tiles(&self, tier: &TierSpaces<M>, isa: impl Isa, work: &mut Workspace<M>) {
        tier.make_room(work);
        for (index, &opponent) in tier.opponent_sets.iter().enumerate() {
            tier.movers.disjoint(opponent, &mut work.valid);
            // SAFETY: there are words behind these wins that serve as slack, and the tiles have
            // `64 * movers.words` words for every 64 placements of the opponent.
            unsafe {
                let tile = work.tiles.as_mut_ptr().add(tier.tile_of(index));
                let won = work.wins[index * self.stride..][..self.stride].as_ptr();
                unpack_row(isa, won.cast(), &work.valid[..tier.movers.words], tile);
            }
        }
    }
}

/// The children over the arrows and one square of `free`, by the other square that burned.
fn children_without<'a>(
    children: &[Child<'a>],
    number: usize,
    free: usize,
) -> ArrayVec<Child<'a>, MAX_SQUARES> {
    let others = (0..free).filter(|&other| other != number);
    let child = |other: usize| {
        let (low, high) = (number.min(other), number.max(other));
        children[high * (high - 1) / 2 + low]
    };
    others.map(child).collect()
}

/// The steps from one of the free squares, numbered without it.
fn steps_from<M: Mask>(lines: &Lines, origin: u8) -> Vec<Way<M>> {
    Way::all_from(lines, origin, |square| square - u8::from(square > origin))
}
