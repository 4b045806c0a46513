//! The kernel for a mover with several amazons: the loop over the opponent's placements of the
//! module's pseudo-code.

use super::clear_pairs::ClearPairs;
use super::pairs::PairKernel;
use super::shots::Shots;
use super::tier_spaces::TierSpaces;
use super::workspace::{BlockJob, Workspace};
use crate::machine::isa::{InstructionSet, Isa};
use crate::tables::counting::Mask;
use crate::tables::index::MAX_SQUARES;
use crate::tables::retrograde::lines::Lines;
use crate::tables::retrograde::pack::unpack_row;
use crate::tables::retrograde::space::{Exchange, Exchanges, Space, exchanges};

/// The spaces that a fixed opponent leaves.
#[derive(Debug)]
pub(super) struct Many<M> {
    pub(super) shots: Shots<M>,
    /// The placements with one amazon less.
    pub(super) less: Space,
    pub(super) take_away: Exchanges,
    pub(super) put_back: Exchanges,
    less_pairs: PairKernel,
}

/// The vectors of one opponent's placement, `squares` vectors each but `win`.
pub(super) struct Vectors {
    pub(super) loss: *mut u64,
    shot: *mut u64,
    pub(super) arrived: *mut u64,
    pub(super) step: *mut u64,
    pub(super) win: *mut u64,
}

impl Vectors {
    /// Lays the vectors out in one buffer, all zero: padding words stay so.
    pub(super) fn in_buffer<M>(inner: &Many<M>, buffer: &mut Vec<u64>) -> Self {
        let Space { squares, width, .. } = inner.shots.space;
        let (full, less) = (squares * width, squares * inner.less.width);
        buffer.clear();
        buffer.resize(2 * full + 2 * less + width + 16, 0);
        let base = buffer.as_mut_ptr();
        let align = base.align_offset(64).min(8);
        // SAFETY: the five parts have `full`, `full`, `less`, `less` and `width` words, and at
        // most 8 words stand before the first: all inside the buffer just sized.
        unsafe {
            let loss = base.add(align);
            let (shot, arrived) = (loss.add(full), loss.add(2 * full));
            let (step, win) = (arrived.add(less), arrived.add(2 * less));
            Self { loss, shot, arrived, step, win }
        }
    }
}

impl<M: Mask> Many<M> {
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
        let (tables, squares) = (&*tier.tables, self.shots.space.squares);
        let (free, lines) = work.take_lines(tables, arrows);
        work.make_room_to_permute(children.len());
        let Workspace { permuted, permute, .. } = work;
        let mut rows = self.shots.permuted_rows(&tables.images, free, children, permuted, permute);
        let vectors = Vectors::in_buffer(self, &mut work.vectors);
        tier.make_room(work);
        let mut pairs = std::mem::take(&mut work.pairs);
        pairs.make_room(tables.pairs.len(), squares);
        let numbers = !M::default() >> (M::SQUARES - tier.movers.squares) as u32;
        let mut left = [0u8; MAX_SQUARES];
        for (index, &opponent) in tier.opponent_sets.iter().enumerate() {
            list_squares(numbers & !opponent, &mut left[..squares]);
            pairs.of(&lines, opponent, squares, &left);
            // SAFETY: the placements come in the order of their ranks. The vectors are those of
            // this; `lines` are clear of these arrows and `pairs` of this placement. `win` ends
            // with words that serve as slack, and the tiles have `64 * movers.words` words for
            // every 64 placements of the opponent.
            unsafe {
                self.shots.read_losses(isa, &mut rows, &left[..squares], vectors.loss);
                self.arrive(isa, tier.isa, &vectors, &lines, &pairs);
                self.step(tier.isa, &vectors, &lines, &pairs);
                self.put_back.run(isa, vectors.step, vectors.win);
                tier.movers.disjoint(opponent, &mut work.valid);
                let tile = work.tiles.as_mut_ptr().add(tier.tile_of(index));
                unpack_row(isa, vectors.win.cast(), &work.valid[..tier.movers.words], tile);
            }
        }
        (work.lines, work.pairs) = (lines, pairs);
        // SAFETY: every placement's row is in the tiles now; `out` and `spent` have the lengths
        // that were checked.
        unsafe { tier.write_rows(isa, out, spent, work) }
    }

    pub(super) fn new(free: usize, mover: usize, opponent: usize, isa: InstructionSet) -> Self {
        let shots = Shots::new(free, mover, opponent, isa);
        let less = Space::new(free - opponent, mover - 1);
        let [take_away, put_back] = exchanges(&shots.space, &less, mover);
        let less_pairs = PairKernel::new(less.width);
        Self { shots, less, take_away, put_back, less_pairs }
    }

    /// From the losses of one opponent's placement to where it is won to arrive.
    ///
    /// # Safety
    /// The vectors are those of [`Vectors::in_buffer`] for this; lines and pairs are those of one
    /// placement of the opponent.
    #[inline(always)]
    pub(super) unsafe fn arrive(
        &self,
        isa: impl Isa,
        set: InstructionSet,
        vectors: &Vectors,
        lines: &Lines,
        pairs: &ClearPairs,
    ) {
        // SAFETY: the vectors are those of this; loss and shot, shot and arrived do not overlap,
        // and each has a vector for each square.
        unsafe {
            self.shots.shoot(set, [vectors.loss, vectors.shot], lines, pairs);
            self.take_away.run(isa, vectors.shot, vectors.arrived);
        }
    }

    /// From where it is won to arrive to where it is won to step from.
    ///
    /// # Safety
    /// As [`Self::arrive`].
    #[inline(always)]
    pub(super) unsafe fn step(
        &self,
        set: InstructionSet,
        vectors: &Vectors,
        lines: &Lines,
        pairs: &ClearPairs,
    ) {
        // SAFETY: the vectors are those of this; step and arrived do not overlap, and each has a
        // vector for each square.
        unsafe {
            std::ptr::write_bytes(vectors.step, 0, self.less.squares * self.less.width);
            self.less_pairs.run(set, vectors.step, vectors.arrived, &self.less, lines, pairs);
        }
    }
}

/// Lists the squares of a set, in increasing order, in as many places.
#[inline(always)]
pub(super) fn list_squares<M: Mask>(set: M, places: &mut [u8]) {
    let mut rest = set;
    for place in places {
        *place = rest.lowest() as u8;
        rest = rest.without_lowest();
    }
}

impl Exchanges {
    /// Makes all words of `to`.
    ///
    /// # Safety
    /// `from` and `to` are vectors of the two spaces that the lists were made for.
    #[inline(always)]
    pub(super) unsafe fn run(&self, isa: impl Isa, from: *const u64, to: *mut u64) {
        let mut operation = self.operations.as_ptr();
        for &(word, count) in &self.words {
            let mut bits = 0;
            // SAFETY: the counts add up to the number of operations; all words that they name are
            // words of the vectors.
            unsafe {
                for _ in 0..count {
                    let Exchange { from_mask, to_mask, from: source } = *operation;
                    bits |=
                        isa.deposit(isa.extract(*from.add(source as usize), from_mask), to_mask);
                    operation = operation.add(1);
                }
                *to.add(word as usize) = bits;
            }
        }
    }
}
