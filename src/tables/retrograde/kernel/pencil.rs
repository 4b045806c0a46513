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

use super::many::Vectors;
use super::{Child, Many, TierKernel, Workspace};
use crate::machine::isa::{InstructionSet, Isa};
use crate::tables::counting::colex::subsets;
use crate::tables::counting::{Mask, small_binomial};
use crate::tables::index::MAX_SQUARES;
use crate::tables::retrograde::lines::{Lines, MOST_BETWEEN, free_squares};
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

/// A step from the square that is left: where to, past which squares, and all of these as a set;
/// numbered without the square that is left.
struct Way<M> {
    to: u8,
    between: ArrayVec<u8, MOST_BETWEEN>,
    all: M,
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

impl<M: Mask> TierKernel<M> {
    /// See the module's pseudo-code.
    ///
    /// # Safety
    /// The arguments are as [`TierKernel::solve`] checks.
    #[inline(always)]
    pub(super) unsafe fn pencil_body(
        &self,
        isa: impl Isa,
        pencil: &Pencil<M>,
        arrows: M,
        children: &[Child<'_>],
        out: &mut [u8],
        work: &mut Workspace<M>,
    ) -> u64 {
        let (tables, after) = (&*self.tables, &pencil.after);
        let free = free_squares(tables.board, arrows);
        let mut lines = std::mem::take(&mut work.lines);
        lines.clear_of(&tables.pairs, arrows, free);
        let ways: Vec<Vec<Way<M>>> =
            (0..free.len()).map(|origin| ways_from(&lines, origin as u8)).collect();
        let mut pairs = std::mem::take(&mut work.pairs);
        pairs.make_room(tables.pairs.len(), after.full.squares);
        let numbers = !M::default() >> (M::SQUARES + 1 - self.movers.squares) as u32;
        let mut wins = std::mem::take(&mut work.wins);
        wins.clear();
        wins.resize(self.opponent_sets.len() * pencil.stride, 0);
        let (mut left, mut won) = ([0u8; MAX_SQUARES], vec![0; after.less.width + 1]);
        let mut squares = free;
        for (origin, ways) in ways.iter().enumerate() {
            let burned = M::single(squares.lowest());
            squares = squares.without_lowest();
            lines.clear_of(&tables.pairs, arrows | burned, free & !burned);
            let mut below = ArrayVec::<_, MAX_SQUARES>::new();
            below.extend((0..free.len()).filter(|&other| other != origin).map(|other| {
                let (low, high) = (origin.min(other), origin.max(other));
                children[high * (high - 1) / 2 + low]
            }));
            let mut rows = self.permuted_rows(after, free & !burned, &below, work);
            let vectors = Vectors::in_buffer(after, &mut work.vectors);
            for (index, &placement) in self.opponent_sets.iter().enumerate() {
                if placement.has(origin) {
                    continue;
                }
                // Numbered without the square that is left.
                let low = placement & M::below(origin);
                let opponent = low | ((placement & !low) >> 1);
                let mut rest = numbers & !opponent;
                for slot in left.iter_mut().take(after.full.squares) {
                    *slot = rest.lowest() as u8;
                    rest = rest.without_lowest();
                }
                pairs.of(&lines, opponent, after.full.squares, &left);
                // SAFETY: a child has a row for each placement that avoids both of its arrows, in
                // the order in which they come, so `row` goes through the block once. The vectors
                // are those of `after`; `lines` are clear of the arrows and of the square that is
                // left, and `pairs` of this placement. `arrived` has a vector for each square.
                let arrived = unsafe {
                    for (number, &square) in left.iter().enumerate().take(after.full.squares) {
                        let row = &mut rows[square as usize];
                        after.read_losses(isa, *row, number, vectors.loss);
                        *row = row.add(self.child_row_bytes);
                    }
                    after.arrive(isa, self.isa, &vectors, &lines, &pairs);
                    let words = after.full.squares * after.less.width;
                    std::slice::from_raw_parts(vectors.arrived, words)
                };
                won.fill(0);
                for way in ways.iter().filter(|way| (way.all & opponent).is_empty()) {
                    let number = |square: u8| usize::from(pairs.number[usize::from(square)]);
                    let from = &arrived[number(way.to) * after.less.width..][..after.less.width];
                    for (word, won) in won.iter_mut().take(after.less.words).enumerate() {
                        let clear = |bits, &square| bits & after.less.avoid(number(square))[word];
                        *won |= way.between.iter().fold(from[word], clear);
                    }
                }
                let origin = origin - low.len();
                let collected = &mut wins[index * pencil.stride..];
                for (word, &(mask, first)) in pencil.with[origin].iter().enumerate() {
                    let (at, shift) = (first / 64, first as u32 % 64);
                    let above = won.get(at + 1).copied().unwrap_or(0);
                    // The second shift is by 64 in two steps where the first is by none.
                    let bits = won[at] >> shift | above << 1 << (63 - shift);
                    collected[word] |= isa.deposit(bits, mask);
                }
            }
        }
        work.valid.resize(self.movers.width.max(self.opponents.width), 0);
        work.tiles.resize(self.opponents.words * self.movers.words * 64, 0);
        for (index, &opponent) in self.opponent_sets.iter().enumerate() {
            self.movers.disjoint(opponent, &mut work.valid);
            // SAFETY: there are words behind these wins that serve as slack, and the tiles have
            // `64 * movers.words` words for every 64 placements of the opponent.
            unsafe {
                let tile =
                    work.tiles.as_mut_ptr().add(index / 64 * self.movers.words * 64 + index % 64);
                let won = wins[index * pencil.stride..][..pencil.stride].as_ptr();
                unpack_row(isa, won.cast(), &work.valid[..self.movers.words], tile);
            }
        }
        (work.lines, work.pairs, work.wins) = (lines, pairs, wins);
        // SAFETY: every placement's row is in the tiles now; `out` has the length that was checked.
        unsafe { self.write_rows(isa, out, work) }
    }
}

/// The steps from one of the free squares.
fn ways_from<M: Mask>(lines: &Lines, origin: u8) -> Vec<Way<M>> {
    let renumbered = |square: u8| square - u8::from(square > origin);
    let pairs = lines.ends.iter().zip(&lines.between);
    let from = pairs.filter(|(ends, _)| ends.contains(&origin));
    from.map(|(&[x, y], between)| {
        let to = renumbered(if x == origin { y } else { x });
        let between = between.iter().filter(|&&square| square != Lines::NONE);
        let between: ArrayVec<u8, _> = between.map(|&square| renumbered(square)).collect();
        let single = |set, &square: &u8| set | M::single(square.into());
        let all = between.iter().fold(M::single(to.into()), single);
        Way { to, between, all }
    })
    .collect()
}
