//! The kernel of Killer Amazons, where a step may end on the first amazon that it meets, of either
//! side, which is taken.
//!
//! Where it is won to arrive depends on what is left after the step. So there are three kinds of
//! children. From the first two `arrived` is made as in the module's pseudo-code, from the third
//! `shot`:
//!
//! ```text
//! A + c with as many amazons          arrived[b]        over the (m-1)-subsets, without b
//! A + c, the opponent has one less    taken[O][b]       over the (m-1)-subsets, O with b
//! A + c, the mover has one less       shot[b]           over the (m-1)-subsets, those with b
//!
//! for every O' with one amazon less:
//!     arrived as in the pseudo-code, with O' in place of O
//!     taken[O' + b][b] = arrived[b] over the subsets of what O' + b leaves
//! for every O:
//!     arrived as in the pseudo-code
//!     arrived[b] |= shot[b] over the subsets with b       the amazon that stood on b is taken
//!     step as in the pseudo-code
//!     for every b of O, every a that sees b:      step[a] |= taken[O][b] & avoid(between)
//!     win as in the pseudo-code
//! ```
//!
//! `step[a]` is over the placements of the amazons that do not move. An amazon that takes one of
//! its own stands on the square of that one afterwards. So the amazons that did not move, the taken
//! one among them, stand where the mover's amazons stand after the step. This is why `shot` of a
//! mover with one amazon less has the placements that `arrived` has, and why its bits fall on those
//! that `arrived` leaves free.
//!
//! Who loses the last amazon has lost, so `taken` is true then. The square that an amazon left is
//! empty, so an arrow can always be shot after a capture.

use super::child::Child;
use super::clear_pairs::ClearPairs;
use super::many::{Many, Vectors, list_squares};
use super::shots::Shots;
use super::tier_spaces::TierSpaces;
use super::ways::Way;
use super::workspace::{BlockJob, Workspace};
use crate::machine::isa::{InstructionSet, Isa};
use crate::tables::counting::colex::{self, subsets};
use crate::tables::counting::{Mask, small_binomial};
use crate::tables::index::{MAX_SQUARES, MOST_CHILD_KINDS, TierShape};
use crate::tables::retrograde::lines::Lines;
use crate::tables::retrograde::pack::unpack_row;
use crate::tables::retrograde::space::Size;

/// The spaces of a tier.
#[derive(Debug)]
pub(super) struct Killer<M> {
    /// Those of moves by which nothing is taken, and of all steps.
    whole: Many<M>,
    /// Whether there are such moves: a square is empty.
    moves: bool,
    /// Those of moves that take an amazon of the opponent, unless it is the last.
    taking: Option<Taking<M>>,
    /// Those of moves that take another amazon of the mover, if there is one.
    own: Option<Shots<M>>,
    /// Amazons of the opponent.
    opponent: usize,
}

/// The children where the opponent has one amazon less.
#[derive(Debug)]
struct Taking<M> {
    spaces: Many<M>,
    /// The placements of the opponent without the one that is taken.
    opponent_sets: Vec<M>,
}

/// The sizes of the spaces that a tier is solved with: free squares, amazons of the mover and of
/// the opponent.
pub(super) fn sizes_of_spaces(shape: &TierShape) -> [Option<[usize; 3]>; MOST_CHILD_KINDS] {
    let (free, mover, opponent) = (shape.free(), shape.mover(), shape.opponent());
    let taking = (opponent > 1).then(|| [free, mover, opponent - 1]);
    let own = (mover > 1).then(|| [free, mover - 1, opponent]);
    [Some([free, mover, opponent]), taking, own]
}

/// Bytes in which one thread collects where it is won to take an amazon of the opponent.
pub(in crate::tables::retrograde) fn taken_bytes(shape: &TierShape) -> u64 {
    let (free, mover, opponent) = (shape.free(), shape.mover(), shape.opponent());
    let width = Size::of(free - opponent, mover - 1).width;
    small_binomial(free, opponent).saturating_mul(8 * width * opponent as u64)
}

impl<M: Mask> Killer<M> {
    pub(super) fn new(shape: &TierShape, isa: InstructionSet) -> Self {
        let (free, mover, opponent) = (shape.free(), shape.mover(), shape.opponent());
        let taking = || Taking {
            spaces: Many::new(free, mover, opponent - 1, isa),
            opponent_sets: subsets(free, opponent - 1).collect(),
        };
        let own = || Shots::new(free, mover - 1, opponent, isa);
        Self {
            whole: Many::new(free, mover, opponent, isa),
            moves: shape.child().is_some(),
            taking: (opponent > 1).then(taking),
            own: (mover > 1).then(own),
            opponent,
        }
    }

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
        let (free, lines) = work.take_lines(tables, arrows);
        let ways: Vec<Vec<Way<M>>> = (0..free.len() as u8)
            .map(|square| Way::all_from(&lines, square, |square| square))
            .collect();
        work.make_room_to_permute(children.len());
        tier.make_room(work);
        // As `TierShape::children` has them.
        let (plain, rest) = children.split_at(if self.moves { free.len() } else { 0 });
        let (taking, own) = rest.split_at(if self.taking.is_some() { free.len() } else { 0 });
        let over = Over { free, lines: &lines, ways: &ways };
        // SAFETY: the children are those of the job, of these kinds; `work` has room for the tier;
        // `out` and `spent` have the lengths that were checked.
        let wins = unsafe {
            self.take(tier, isa, &over, taking, work);
            self.win(tier, isa, &over, [plain, own], work);
            tier.write_rows(isa, out, spent, work)
        };
        work.lines = lines;
        wins
    }

    /// Fills `work.taken`.
    ///
    /// # Safety
    /// The children are those of a job that was checked, where the opponent has an amazon less, and
    /// `work` has room for this tier.
    #[inline(always)]
    unsafe fn take(
        &self,
        tier: &TierSpaces<M>,
        isa: impl Isa,
        over: &Over<'_, M>,
        children: &[Child<'_>],
        work: &mut Workspace<M>,
    ) {
        let less = &self.whole.less;
        work.taken.clear();
        work.taken.resize(tier.opponent_sets.len() * self.opponent * less.width, 0);
        let Some(Taking { spaces, opponent_sets }) = &self.taking else {
            for won in work.taken.chunks_mut(less.width) {
                less.disjoint(M::default(), won);
            }
            return;
        };
        let Workspace { permuted, permute, vectors, pairs, taken, .. } = work;
        let images = &tier.tables.images;
        let mut rows = spaces.shots.permuted_rows(images, over.free, children, permuted, permute);
        let vectors = Vectors::in_buffer(spaces, vectors);
        let squares = spaces.shots.space.squares;
        pairs.make_room(tier.tables.pairs.len(), squares);
        let mut left = [0; MAX_SQUARES];
        for &placement in opponent_sets {
            list_squares(over.numbers() & !placement, &mut left[..squares]);
            pairs.of(over.lines, placement, squares, &left);
            // SAFETY: the placements come in the order of their ranks. The vectors are those of
            // `spaces`; lines and pairs are those of this placement. `arrived` has a vector for
            // each square.
            let arrived = unsafe {
                spaces.shots.read_losses(isa, &mut rows, &left[..squares], vectors.loss);
                spaces.arrive(isa, tier.isa, &vectors, over.lines, pairs);
                std::slice::from_raw_parts(vectors.arrived, squares * spaces.less.width)
            };
            for (number, &square) in left.iter().enumerate().take(squares) {
                let whole = placement | M::single(square.into());
                let place = self.place(whole, square) * less.width;
                let avoid = spaces.less.avoid(number);
                let arrived = &arrived[number * spaces.less.width..][..spaces.less.words];
                gather(isa, arrived, avoid, &mut taken[place..][..less.width]);
            }
        }
    }

    /// Which of the vectors in `work.taken` is that of a placement of the opponent and one of its
    /// squares.
    #[inline(always)]
    fn place(&self, placement: M, square: u8) -> usize {
        let number = (placement & M::below(square.into())).len();
        colex::rank(placement).word() as usize * self.opponent + number
    }

    /// Fills the tiles.
    ///
    /// # Safety
    /// The children are those of a job that was checked: those with as many amazons, and those
    /// where the mover has one less. `work` has room for this tier, and in `taken` where it is won
    /// to take an amazon of the opponent.
    #[inline(always)]
    unsafe fn win(
        &self,
        tier: &TierSpaces<M>,
        isa: impl Isa,
        over: &Over<'_, M>,
        [plain, own]: [&[Child<'_>]; 2],
        work: &mut Workspace<M>,
    ) {
        let whole = &self.whole;
        let (squares, less) = (whole.shots.space.squares, &whole.less);
        let Workspace {
            permuted, permute, vectors, own_vectors, pairs, taken, tiles, valid, ..
        } = work;
        let images = &tier.tables.images;
        let (places, more_places) = permuted.split_at_mut(plain.len());
        let mut rows = whole.shots.permuted_rows(images, over.free, plain, places, permute);
        let vectors = Vectors::in_buffer(whole, vectors);
        let mut own = self.own.as_ref().map(|shots| {
            let rows = shots.permuted_rows(images, over.free, own, more_places, permute);
            own_vectors.clear();
            own_vectors.resize(2 * squares * less.width, 0);
            let (loss, shot) = own_vectors.split_at_mut(squares * less.width);
            OwnRows { shots, rows, loss, shot }
        });
        pairs.make_room(tier.tables.pairs.len(), squares);
        let mut left = [0; MAX_SQUARES];
        for (index, &opponent) in tier.opponent_sets.iter().enumerate() {
            list_squares(over.numbers() & !opponent, &mut left[..squares]);
            let left = &left;
            pairs.of(over.lines, opponent, squares, left);
            // SAFETY: the placements come in the order of their ranks. The vectors are those of
            // these spaces; lines and pairs are those of this placement. `win` ends with words
            // that serve as slack, and the tiles have `64 * movers.words` words for every 64
            // placements of the opponent.
            unsafe {
                if self.moves {
                    whole.shots.read_losses(isa, &mut rows, &left[..squares], vectors.loss);
                    whole.arrive(isa, tier.isa, &vectors, over.lines, pairs);
                } else {
                    std::ptr::write_bytes(vectors.arrived, 0, squares * less.width);
                }
                if let Some(own) = &mut own {
                    let arrived = squares * less.width;
                    let arrived = std::slice::from_raw_parts_mut(vectors.arrived, arrived);
                    own.arrive(tier, isa, over, &left[..squares], pairs, arrived);
                }
                whole.step(tier.isa, &vectors, over.lines, pairs);
                let step = std::slice::from_raw_parts_mut(vectors.step, squares * less.width);
                let mut rest = opponent;
                for number in 0..self.opponent {
                    let square = rest.lowest();
                    rest = rest.without_lowest();
                    let won = &taken[(index * self.opponent + number) * less.width..][..less.width];
                    for way in over.ways[square].iter().filter(|way| way.is_clear_of(opponent)) {
                        let origin = pairs.number(way.to) * less.width;
                        way.pass(less, pairs, won, &mut step[origin..][..less.width]);
                    }
                }
                whole.put_back.run(isa, vectors.step, vectors.win);
                tier.movers.disjoint(opponent, valid);
                let tile = tiles.as_mut_ptr().add(tier.tile_of(index));
                unpack_row(isa, vectors.win.cast(), &valid[..tier.movers.words], tile);
            }
        }
    }
}

/// What is known of the arrow set of a block.
struct Over<'a, M> {
    free: M,
    lines: &'a Lines,
    /// For each free square, what it sees.
    ways: &'a [Vec<Way<M>>],
}

impl<M: Mask> Over<'_, M> {
    /// The numbers of the free squares.
    #[inline(always)]
    fn numbers(&self) -> M {
        !M::default() >> (M::SQUARES - self.ways.len()) as u32
    }
}

/// How the children are read where the mover has one amazon less.
struct OwnRows<'a, M> {
    shots: &'a Shots<M>,
    rows: [*const u8; MAX_SQUARES],
    loss: &'a mut [u64],
    shot: &'a mut [u64],
}

impl<M: Mask> OwnRows<'_, M> {
    /// Adds to `arrived` the steps that take one of the mover's own amazons, for the next placement
    /// of the opponent.
    ///
    /// # Safety
    /// The placements are those of the tier, in their order. Lines and pairs are those of this one,
    /// which leaves the squares `left`. `arrived` has a vector for each of them over the placements
    /// of a mover with one amazon less.
    #[inline(always)]
    unsafe fn arrive(
        &mut self,
        tier: &TierSpaces<M>,
        isa: impl Isa,
        over: &Over<'_, M>,
        left: &[u8],
        pairs: &ClearPairs,
        arrived: &mut [u64],
    ) {
        let shots = self.shots;
        let vectors = [self.loss.as_mut_ptr(), self.shot.as_mut_ptr()];
        // SAFETY: the placements come in the order of their ranks. `loss` and `shot` have a vector
        // for each square.
        unsafe {
            shots.read_losses(isa, &mut self.rows, left, vectors[0]);
            shots.shoot(tier.isa, vectors, over.lines, pairs);
        }
        // Words of which no subset is without the square are not made anew by `Many::arrive`.
        let width = shots.space.width;
        let vectors = arrived.chunks_exact_mut(width).zip(self.shot.chunks_exact(width));
        for (number, (arrived, shot)) in vectors.enumerate() {
            for ((to, &from), &avoid) in arrived.iter_mut().zip(shot).zip(shots.space.avoid(number))
            {
                *to = *to & avoid | from & !avoid;
            }
        }
    }
}

/// The bits of a vector whose subsets avoid a square, as a vector over the subsets of the other
/// squares: these come in the same order. `out` is zero before. Of at most 63 squares the number of
/// subsets of one size is no multiple of 64 (Kummer), so there is a word behind each whole one.
#[inline(always)]
fn gather(isa: impl Isa, vector: &[u64], avoid: &[u64], out: &mut [u64]) {
    let mut bit = 0;
    for (&word, &mask) in vector.iter().zip(avoid) {
        let (bits, at) = (isa.extract(word, mask), bit % 64);
        out[bit / 64] |= bits << at;
        // In two steps, for no shift is by 64.
        let spilled = bits >> 1 >> (63 - at);
        if spilled != 0 {
            out[bit / 64 + 1] |= spilled;
        }
        bit += mask.count_ones() as usize;
    }
}

#[cfg(test)]
impl<M: Mask> Killer<M> {
    /// Bytes that it really has beside its spaces for several amazons.
    pub(super) fn bytes(&self) -> usize {
        let sets = |taking: &Taking<M>| taking.opponent_sets.capacity() * size_of::<M>();
        self.taking.as_ref().map_or(0, sets) + self.own.as_ref().map_or(0, Shots::bytes)
    }

    /// Its spaces for several amazons.
    pub(super) fn spaces(&self) -> impl Iterator<Item = &Many<M>> {
        let taking = self.taking.as_ref().map(|taking| &taking.spaces);
        [Some(&self.whole), taking].into_iter().flatten()
    }
}
