//! Queen fills: the queen moves of a whole set of squares at once.
//!
//! Eight lanes, one for each direction, in each a Kogge-Stone fill: rounds of 1, 2, 4, 8 and 16
//! steps. After round `k` a lane has slid up to `2^k - 1` squares. Two opposite directions share a
//! shift:
//!
//! ```text
//! pair      0   1      2          3
//! shift     1   cols   cols + 1   cols - 1      up: towards higher bits; down: towards lower bits
//! ```
//!
//! In round `k`, `open` holds the squares whose last `2^k` squares in that direction, themselves
//! included, are all free. Only squares that have a square before them in that direction are ever
//! open, so nothing wraps around an edge.
//!
//! Cost: about ten word operations for each pair and round. The rounds may be made for one pair
//! after another, or for all pairs at once. The second way is for vector instructions: with AVX2
//! and words of 64 bits a fill takes 6 ns, half the time of the first. Without them, and with words
//! of 128 bits, the first way is the faster one, since its words stay in registers.

use super::{Bitboard, Board, Word};

const PAIRS: usize = 4;

/// The round of 8 steps, which is the last one up to 15 squares in a line; mostly there are no
/// eight free squares in a line.
const LAST: u32 = 3;

/// The queen fills of one board.
#[derive(Clone, Debug)]
pub struct QueenFill<W: Word> {
    shift: [u32; PAIRS],
    rounds: [u32; PAIRS],
    /// The squares that have a square before them.
    up: [W; PAIRS],
    down: [W; PAIRS],
}

impl<W: Word> QueenFill<W> {
    /// The fills of a board.
    ///
    /// # Panics
    /// If the board does not fit the word.
    pub fn new(board: Board) -> Self {
        let steps: [(isize, isize); PAIRS] = [(1, 0), (0, 1), (1, 1), (-1, 1)];
        let landing = |(x, y): (isize, isize), sign: isize| {
            let has_before = |file: usize, rank: usize| {
                let file = file.checked_add_signed(-x * sign);
                let rank = rank.checked_add_signed(-y * sign);
                file.zip(rank).is_some_and(|(file, rank)| board.square(file, rank).is_some())
            };
            let all = board.all::<W>().iter();
            let set: Bitboard<W> =
                all.filter(|&s| has_before(board.file(s), board.rank(s))).collect();
            set.word()
        };
        // The longest slide in a direction has at most 2^rounds - 1 steps.
        let rounds = |(x, y): (isize, isize)| {
            let longest = match (x, y) {
                (_, 0) => board.columns() - 1,
                (0, _) => board.rows() - 1,
                _ => board.columns().min(board.rows()) - 1,
            };
            usize::BITS - longest.leading_zeros()
        };
        let columns = board.columns() as isize;
        Self {
            shift: steps.map(|(x, y)| (y * columns + x).unsigned_abs() as u32),
            rounds: steps.map(rounds),
            up: steps.map(|step| landing(step, 1)),
            down: steps.map(|step| landing(step, -1)),
        }
    }

    /// Every square of `free` that a queen on a square of `from` can go to in one move.
    #[inline(always)]
    pub fn reach(&self, from: Bitboard<W>, free: Bitboard<W>) -> Bitboard<W> {
        self.slide::<1>(from, free)
    }

    /// The same as [`reach`](Self::reach), faster in code that is compiled for vector instructions.
    #[inline(always)]
    pub fn reach_by_vectors(&self, from: Bitboard<W>, free: Bitboard<W>) -> Bitboard<W> {
        self.slide::<PAIRS>(from, free)
    }

    /// The fill, `N` pairs at a time; `N` divides [`PAIRS`].
    #[inline(always)]
    fn slide<const N: usize>(&self, from: Bitboard<W>, free: Bitboard<W>) -> Bitboard<W> {
        let (from, free) = (from.word(), free.word());
        let mut reached = W::ZERO;
        let mut first = 0;
        while first < PAIRS {
            let (mut up, mut down) = ([from; N], [from; N]);
            let mut open_up: [W; N] = std::array::from_fn(|pair| self.up[first + pair] & free);
            let mut open_down: [W; N] = std::array::from_fn(|pair| self.down[first + pair] & free);
            let mut shift: [u32; N] = std::array::from_fn(|pair| self.shift[first + pair]);
            // No diagonal is longer than the longer side of the board.
            let rounds =
                if N == 1 { self.rounds[first] } else { self.rounds[0].max(self.rounds[1]) };
            for round in 0..rounds {
                if round == LAST && union(&open_up) | union(&open_down) == W::ZERO {
                    break;
                }
                for pair in 0..N {
                    // A pair that has made its rounds has no open squares left, so it does not
                    // matter by how much they are shifted.
                    let by = shift[pair] & (W::BITS - 1);
                    up[pair] = up[pair] | (open_up[pair] & (up[pair] << by));
                    down[pair] = down[pair] | (open_down[pair] & (down[pair] >> by));
                    open_up[pair] = open_up[pair] & (open_up[pair] << by);
                    open_down[pair] = open_down[pair] & (open_down[pair] >> by);
                    shift[pair] *= 2;
                }
            }
            reached = reached | union(&up) | union(&down);
            first += N;
        }
        Bitboard::from_word(reached & free)
    }
}

#[inline(always)]
fn union<W: Word, const N: usize>(words: &[W; N]) -> W {
    words.iter().fold(W::ZERO, |all, &word| all | word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{Rays, U512, any_board, any_set};
    use proptest::prelude::*;

    fn agree<W: Word>(board: Board, free: Bitboard<U512>, from: Bitboard<U512>) {
        let (Some(free), Some(from)) = (free.resize::<W>(), from.resize::<W>()) else { return };
        let Ok(rays) = Rays::<W>::new(board) else { return };
        let slow = from.iter().fold(Bitboard::EMPTY, |all, square| all | rays.reach(square, free));
        let fill = QueenFill::new(board);
        assert_eq!(fill.reach(from, free), slow, "{board}");
        assert_eq!(fill.reach_by_vectors(from, free), slow, "{board}");
    }

    proptest! {
        #[test]
        fn a_fill_is_the_union_of_the_rays(board in any_board(), a in any_set(), b in any_set(), c in any_set()) {
            for bits in [a | b, a & b, board.all()] {
                let from = b & c & board.all();
                let free = (bits & board.all()).without(from);
                agree::<u64>(board, free, from);
                agree::<u128>(board, free, from);
                agree::<U512>(board, free, from);
            }
        }
    }
}
