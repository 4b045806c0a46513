//! The blocker bound: how many moves one side can count on while all its amazons stand as walls.
//!
//! Let A hold its amazons as walls. Let `F` be the empty squares that B's amazons reach by king
//! steps over empty squares alone, and `R` the other empty squares. Let `P` be the length of a
//! *walk* of A's amazons over `R`: one amazon after the other moves by king steps, and no square is
//! visited twice. (The literature calls such moves, with the shot back, *plodding*.)
//!
//! **Claim.** The game is worth at least `P - |F|` to A, whoever moves: `G >= P - |F|`.
//!
//! **Proof.** A answers nothing. Whenever it is its turn, it makes the next move of its walk: the
//! amazon steps to the next square and shoots back onto the square it has just left.
//!
//! 1. *B stays inside `F` and the squares its own amazons stand on.* Every step and every shot is a
//!    chain of king steps over squares empty at that time. The squares around `F` and B's amazons
//!    are burned or hold A's amazons. When an amazon of A leaves its square, its shot burns that
//!    very square: the wall stands. So no square outside ever opens.
//! 2. *B has at most `|F|` moves.* B's amazons stand on as many squares of that area at any time as
//!    there are B amazons, and each move burns one square of it.
//! 3. *A has `P` moves.* The squares of the walk are in `R`, hence empty at first, out of B's reach
//!    by (1), and no two moves of the walk use the same one: each destination is removed from `R`
//!    when the walk takes it, also the last one of every amazon, on which that amazon then stands.
//!    Shots only burn squares that the walk has left. Each step goes to a king neighbour, so
//!    nothing can be in between.
//!
//! So in `G - (P - |F|)`, with A moving second, A never runs out first. In the search: with net
//! integer `d` for A, A to move wins if `d + P > |F|`; A to move loses if the bound taken from B's
//! side gives `d + hi <= 0`.
//!
//! Two amazons of one colour that share `R` are why the destinations must be removed: without that
//! the second amazon counts squares on which the first has come to stand.

use crate::game::board::{Bitboard, Kings, Word};

/// Length of a greedy walk of `amazons` over `squares`: each amazon in turn steps to the king
/// neighbour with the fewest ways on. A lower bound on the longest walk; the squares of the walk
/// are disjoint.
#[inline]
pub fn greedy_walk<W: Word>(kings: &Kings<W>, amazons: Bitboard<W>, squares: Bitboard<W>) -> usize {
    Walks::new(kings, [amazons, Bitboard::EMPTY], squares).moves
}

/// Walks of some amazons over disjoint squares.
#[derive(Clone, Copy, Debug)]
struct Walks<W: Word> {
    /// Squares of all.
    moves: usize,
    /// Amazons that walk nowhere.
    idle: Bitboard<W>,
    /// Amazons that walk one square.
    single: Bitboard<W>,
}

impl<W: Word> Walks<W> {
    /// The amazons of the first set walk first.
    #[inline(always)]
    fn new(kings: &Kings<W>, amazons: [Bitboard<W>; 2], squares: Bitboard<W>) -> Self {
        let mut walks = Self { moves: 0, idle: Bitboard::EMPTY, single: Bitboard::EMPTY };
        let mut left = squares;
        for amazon in amazons.into_iter().flatten() {
            let before = left;
            walk(kings, Bitboard::of(amazon), &mut left);
            match before.len() - left.len() {
                0 => walks.idle = walks.idle.with(amazon),
                1 => walks.single = walks.single.with(amazon),
                _ => {}
            }
        }
        walks.moves = squares.len() - left.len();
        walks
    }
}

/// Takes the squares of a greedy walk from `left`.
#[inline(always)]
fn walk<W: Word>(kings: &Kings<W>, mut at: Bitboard<W>, left: &mut Bitboard<W>) {
    loop {
        let ways = kings.neighbours(at) & *left;
        if ways.is_empty() {
            return;
        }
        at = narrowest(kings, ways, *left);
        *left = left.without(at);
    }
}

/// The square of `ways` with the fewest neighbours in `left`; the lowest one of several.
#[inline(always)]
fn narrowest<W: Word>(kings: &Kings<W>, ways: Bitboard<W>, left: Bitboard<W>) -> Bitboard<W> {
    let (mut best, mut fewest) = (Bitboard::EMPTY, usize::MAX);
    let mut rest = ways;
    while !rest.is_empty() {
        let way = rest.lowest();
        rest = rest.without(way);
        let onward = (kings.neighbours(way) & left).len();
        if onward < fewest {
            (best, fewest) = (way, onward);
        }
    }
    best
}

/// What a side is sure of while its amazons stand as walls: the blocker bound.
#[derive(Clone, Copy, Debug)]
pub struct BlockerBound<W: Word = u64> {
    /// `P - |F|`: the game is worth so many moves to the holder at least. The negative of the other
    /// side's is an upper bound.
    pub least: i32,
    /// `F`: the empty squares within the other side's reach.
    pub flooded: Bitboard<W>,
    /// The holder's amazons that have no part in the walk: what they do does not shorten it.
    pub idle: Bitboard<W>,
    /// Those whose part is one move.
    pub single: Bitboard<W>,
}

impl<W: Word> BlockerBound<W> {
    /// What the side of `walls` is sure of. The three sets are disjoint, and no other square is
    /// free.
    ///
    /// Amazons beside `F` walk last, since they have something else to do.
    #[inline(always)]
    pub fn new(
        kings: &Kings<W>,
        walls: Bitboard<W>,
        other: Bitboard<W>,
        empty: Bitboard<W>,
    ) -> Self {
        let flooded = kings.flood(other, empty) & empty;
        let kept = empty.without(flooded);
        let taken = -(flooded.len() as i32);
        if kept.is_empty() {
            return Self { least: taken, flooded, idle: walls, single: Bitboard::EMPTY };
        }
        let beside = walls & kings.neighbours(flooded);
        let Walks { moves, idle, single } =
            Walks::new(kings, [walls.without(beside), beside], kept);
        Self { least: moves as i32 + taken, flooded, idle, single }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{Board, U512};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_words_walk_alike_and_no_further_than_there_are_squares(
            columns in 1..=8usize, rows in 1..=8usize, a: u64, b: u64,
        ) {
            let board = Board::new(columns, rows).unwrap();
            let (narrow, wide) = (Kings::<u64>::new(board).unwrap(), Kings::<u128>::new(board).unwrap());
            let widest = Kings::<U512>::new(board).unwrap();
            let set = Bitboard::from_word(a) & narrow.all();
            let amazons = (Bitboard::from_word(b & b >> 3 & b >> 7) & narrow.all()).without(set);
            let moves = greedy_walk(&narrow, amazons, set);
            prop_assert_eq!(greedy_walk(&widest, amazons.widen(), set.widen()), moves);
            let [amazons_wide, set_wide] = [amazons, set].map(|set| set.resize().unwrap());
            prop_assert_eq!(greedy_walk(&wide, amazons_wide, set_wide), moves);
            prop_assert!(moves <= (narrow.flood(amazons, set) & set).len());
            let beside = narrow.neighbours(amazons).intersects(set);
            prop_assert_eq!(moves > 0, beside);
        }
    }
}
