//! Sum reduction: what of a position is still undecided, and when nothing is.
//!
//! A position is the sum of its 8-connected components. In the mover's frame (mover = Left):
//!
//! 1. a component without amazons, or without empty squares, is 0 and vanishes;
//! 2. a component with amazons of one colour is an integer, its longest play: `d` takes it where
//!    that is found at small cost, else it stays among the mixed ones;
//! 3. two components that are each other's image with colours exchanged sum to 0 and vanish;
//! 4. a component with equal lower and upper bound is that integer.
//!
//! What is left is a set of mixed components and the net integer `d`, a [`Sum`]. The mover, moving
//! first, wins exactly if `G + d |> 0`. More spare moves never hurt, so the verdict is monotone in
//! `d`. With no mixed component the mover wins if `d > 0`. That moves in integers come last is not
//! assumed: a move in the integer is generated too.
//!
//! Bounds `lo <= G_i <= hi` add up, so the mover wins if `d + sum of lo > 0` and loses if `d + sum
//! of hi <= 0`. They come from the counts of empty squares (each move burns one), from the blocker
//! bound ([`crate::theory::region::blocker`]) with what its holder gains by steps into the other
//! side's reach ([`crate::theory::region::contest`]), and, for sums of several components, from
//! proofs about a single component that are in the table: "the mover of `G_i + l` loses" says `G_i
//! <= -l`; the same of the swapped component, `-G_i + l`, says `G_i >= l`; "the mover of `G_i + w`
//! wins" wins the whole if all that stands beside `G_i` is at least `w`.

use super::board_data::BoardData;
use super::canonical::RegionSquares;
use super::key::Key;
use super::longest_plays::LongestPlays;
use crate::game::Outcome;
use crate::game::board::{Bitboard, Word};
use crate::machine::isa::{Isa, Work};
use crate::theory::region::blocker::BlockerBound;
use crate::theory::region::contest::Turn;

/// Mixed components and the mover's net integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Sum<W: Word = u64> {
    /// Empty squares of the mixed components.
    pub empty: Bitboard<W>,
    /// The mover's amazons on them.
    pub mover: Bitboard<W>,
    /// The opponent's amazons on them.
    pub opponent: Bitboard<W>,
    /// Spare moves of the mover less those of the opponent, in decided regions.
    pub spare: i8,
}

impl<W: Word> Sum<W> {
    /// The squares without the integer.
    #[inline(always)]
    pub(in crate::search) fn squares(&self) -> RegionSquares<W> {
        RegionSquares { empty: self.empty, mover: self.mover, opponent: self.opponent }
    }

    /// Squares with an integer.
    #[inline(always)]
    pub(in crate::search) fn new(squares: RegionSquares<W>, spare: i8) -> Self {
        Self { empty: squares.empty, mover: squares.mover, opponent: squares.opponent, spare }
    }
}

/// What is proved of a position for all net integers: won from `won` upwards, lost from `lost`
/// downwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Bounds {
    /// The least net integer with which the mover is known to win; 63 if none is known, so that it
    /// is not known of 63 either,
    /// whatever was proved.
    pub won: i8,
    /// The largest net integer with which the mover is known to lose; -64 if none is known, which
    /// no open position has.
    pub lost: i8,
}

impl Bounds {
    /// Nothing is known.
    pub(in crate::search) const NONE: Self = Self { won: 63, lost: -64 };

    /// The verdict with a net integer, if known.
    #[inline(always)]
    pub(in crate::search) fn verdict(self, spare: i8) -> Option<Outcome> {
        if spare >= self.won && self.won != Self::NONE.won {
            Some(Outcome::Win)
        } else if spare <= self.lost {
            Some(Outcome::Loss)
        } else {
            None
        }
    }
}

/// Where proofs about single components are kept.
pub(in crate::search) trait Proofs {
    /// What is proved of a canonical position.
    fn bounds(&self, key: Key) -> Bounds;
}

/// A position after reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) enum Reduced<W: Word = u64> {
    /// Decided by the bounds alone.
    Decided(Outcome),
    /// Not decided.
    Open {
        /// What is left, canonical.
        sum: Sum<W>,
        /// Its key, which does not hold the net integer.
        key: Key,
        /// The upper bound on the sum, in moves of the mover: `d + hi`. It is at least 1, since
        /// with 0 the mover loses. Moves that leave the opponent a low one are tried first.
        upper_bound: i32,
    },
}

/// At most this many mixed components, of at most 64 squares: each has at least two amazons and an
/// empty square, or is of one colour and has more squares than the walk for its longest play fills.
const MOST: usize = 22;

/// One mixed component of a sum.
#[derive(Clone, Copy)]
struct Bounded<W: Word> {
    canonical: RegionSquares<W>,
    negative: RegionSquares<W>,
    lo: i32,
    hi: i32,
    won: i32,
}

/// Reduces positions. Each thread has its own.
#[derive(Debug, Default)]
pub(in crate::search) struct Reducer<W: Word = u64> {
    longest_plays: LongestPlays<W>,
}

/// The mixed components of a position, not yet looked at further.
struct Mixed<W: Word> {
    squares: RegionSquares<W>,
    cells: [Bitboard<W>; MOST],
    count: usize,
    spare: i32,
}

impl<W: Word> Reducer<W> {
    /// Reduces squares with a net integer.
    #[inline(always)]
    pub(in crate::search) fn reduce(
        &mut self,
        data: &BoardData<W>,
        proofs: &impl Proofs,
        squares: RegionSquares<W>,
        spare: i32,
    ) -> Reduced<W> {
        data.isa.run(Reduction {
            longest_plays: &mut self.longest_plays,
            data,
            proofs,
            squares,
            spare,
        })
    }
}

/// What a first look at a position says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) enum Sketched<W: Word = u64> {
    /// Decided.
    Decided(Outcome),
    /// Not by that look: the mixed components where they stand, and the upper bound
    /// ([`Reduced::Open`]).
    Open { sum: Sum<W>, upper_bound: i32 },
}

impl<W: Word> Reducer<W> {
    /// Asks only whether the opponent's bound decides that the mover loses; what that leaves open
    /// is put in no canonical place.
    #[inline(always)]
    pub(in crate::search) fn sketch(
        &mut self,
        data: &BoardData<W>,
        squares: RegionSquares<W>,
        spare: i32,
    ) -> Sketched<W> {
        let longest_plays = &mut self.longest_plays;
        data.isa.run(FirstLook(Reduction { longest_plays, data, proofs: &(), squares, spare }))
    }
}

/// A position to look at.
struct FirstLook<'a, W: Word>(Reduction<'a, W, ()>);

impl<W: Word> Work for FirstLook<'_, W> {
    type Output = Sketched<W>;

    #[inline(always)]
    fn run(mut self, _: impl Isa) -> Sketched<W> {
        let Mixed { squares, count, spare, .. } = self.0.split();
        if count == 0 {
            return Sketched::Decided(Outcome::win_if(spare > 0));
        }
        let data = self.0.data;
        let RegionSquares { empty, mover, opponent } = squares;
        let upper = BlockerBound::new(&data.kings, opponent, mover, empty);
        let hi = -upper.least;
        if data.contest().gains(&upper, mover, spare + hi, Turn::Other) {
            return Sketched::Decided(Outcome::Loss);
        }
        Sketched::Open { sum: Sum::new(squares, spare as i8), upper_bound: spare + hi }
    }
}

/// A position to reduce.
struct Reduction<'a, W: Word, P> {
    longest_plays: &'a mut LongestPlays<W>,
    data: &'a BoardData<W>,
    proofs: &'a P,
    squares: RegionSquares<W>,
    spare: i32,
}

impl<W: Word, P: Proofs> Work for Reduction<'_, W, P> {
    type Output = Reduced<W>;

    #[inline(always)]
    fn run(mut self, _: impl Isa) -> Reduced<W> {
        let mixed = self.split();
        let Mixed { squares, count, spare, .. } = mixed;
        if count == 0 {
            return Reduced::Decided(Outcome::win_if(spare > 0));
        }
        let data = self.data;
        let RegionSquares { empty, mover, opponent } = squares;
        let contest = data.contest();
        let lower = BlockerBound::new(&data.kings, mover, opponent, empty);
        if contest.gains(&lower, opponent, 1 - spare - lower.least, Turn::Holder) {
            return Reduced::Decided(Outcome::Win);
        }
        let upper = BlockerBound::new(&data.kings, opponent, mover, empty);
        let hi = -upper.least;
        if contest.gains(&upper, mover, spare + hi, Turn::Other) {
            return Reduced::Decided(Outcome::Loss);
        }
        if count == 1 {
            let canonical = data.canonizer.canonical(squares);
            return open(data, canonical, spare, spare + hi);
        }
        several(data, self.proofs, &mixed)
    }
}

impl<W: Word, P> Reduction<'_, W, P> {
    /// Rules 1 and 2: drops what no amazon can reach, and makes integers of the one-colour
    /// components.
    #[inline(always)]
    fn split(&mut self) -> Mixed<W> {
        let Self { data, squares, spare, .. } = *self;
        let RegionSquares { empty, mover, opponent } = squares;
        let cells = squares.cells();
        let mut mixed = Mixed {
            squares: RegionSquares::default(),
            cells: [Default::default(); MOST],
            count: 0,
            spare,
        };
        let mut kept = Bitboard::EMPTY;
        for component in data.kings.components(mover | opponent, cells) {
            let (mine, his) = (mover & component, opponent & component);
            if !empty.intersects(component) {
                continue;
            }
            let owner = if his.is_empty() { mine } else { his };
            let one_colour = mine.is_empty() || his.is_empty();
            if one_colour
                && let Some(moves) = self.longest_plays.longest_play(data, component, owner)
            {
                mixed.spare += if his.is_empty() { moves } else { -moves };
                continue;
            }
            kept |= component;
            mixed.cells[mixed.count] = component;
            mixed.count += 1;
        }
        mixed.squares = squares.within(kept);
        mixed
    }
}

#[inline(always)]
fn open<W: Word>(
    data: &BoardData<W>,
    canonical: RegionSquares<W>,
    spare: i32,
    upper_bound: i32,
) -> Reduced<W> {
    Reduced::Open {
        sum: Sum::new(canonical, spare as i8),
        key: data.scrambler.key(&canonical),
        upper_bound,
    }
}

/// Rules 3 and 4 and the bounds of the parts, for two or more components.
fn several<W: Word>(data: &BoardData<W>, proofs: &impl Proofs, mixed: &Mixed<W>) -> Reduced<W> {
    let mut parts: Vec<Bounded<W>> = Vec::with_capacity(mixed.count);
    for &cells in &mixed.cells[..mixed.count] {
        let squares = mixed.squares.within(cells);
        let canonical = data.canonizer.canonical(squares);
        if let Some(twin) = parts.iter().position(|part| part.negative == canonical) {
            parts.swap_remove(twin);
            continue;
        }
        parts.push(bounded(data, proofs, canonical, data.canonizer.canonical(squares.swapped())));
    }
    let mut spare = mixed.spare;
    parts.retain(|part| {
        let settled = part.lo == part.hi;
        spare += if settled { part.lo } else { 0 };
        !settled
    });
    if parts.is_empty() {
        return Reduced::Decided(Outcome::win_if(spare > 0));
    }
    let lo: i32 = parts.iter().map(|part| part.lo).sum();
    let hi: i32 = parts.iter().map(|part| part.hi).sum();
    if spare + lo > 0 || parts.iter().any(|part| part.won <= spare + lo - part.lo) {
        return Reduced::Decided(Outcome::Win);
    }
    if spare + hi <= 0 {
        return Reduced::Decided(Outcome::Loss);
    }
    let mut left = Vec::with_capacity(parts.len());
    left.extend(parts.iter().map(|part| part.canonical));
    let whole = if let [one] = left[..] { Some(one) } else { data.canonizer.pack(&mut left) };
    let whole = whole.unwrap_or_else(|| in_place(data, mixed, &left));
    open(data, whole, spare, spare + hi)
}

/// The parts that are left where they stand on the board, for sums that do not fit side by side.
fn in_place<W: Word>(
    data: &BoardData<W>,
    mixed: &Mixed<W>,
    left: &[RegionSquares<W>],
) -> RegionSquares<W> {
    let mut left = left.to_vec();
    let mut whole = mixed.squares;
    for &cells in &mixed.cells[..mixed.count] {
        let canonical = data.canonizer.canonical(mixed.squares.within(cells));
        match left.iter().position(|part| *part == canonical) {
            Some(at) => _ = left.swap_remove(at),
            None => whole = whole.without(cells),
        }
    }
    data.canonizer.canonical(whole)
}

/// A component with its bounds from the blockers and from the table.
fn bounded<W: Word>(
    data: &BoardData<W>,
    proofs: &impl Proofs,
    canonical: RegionSquares<W>,
    negative: RegionSquares<W>,
) -> Bounded<W> {
    let RegionSquares { empty, mover, opponent } = canonical;
    let proved = proofs.bounds(data.scrambler.key(&canonical));
    let opposite = proofs.bounds(data.scrambler.key(&negative));
    let lo =
        BlockerBound::new(&data.kings, mover, opponent, empty).least.max(i32::from(opposite.lost));
    let hi = (-BlockerBound::new(&data.kings, opponent, mover, empty).least)
        .min(-i32::from(proved.lost));
    let won = if proved.won == Bounds::NONE.won { i32::MAX } else { i32::from(proved.won) };
    Bounded { canonical, negative, lo, hi, won }
}
