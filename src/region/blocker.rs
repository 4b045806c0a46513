//! The blocker bound: how many moves one side can count on while all its amazons stand as walls.
//!
//! Let A hold its amazons as walls. Let `F` be the empty squares that B's amazons reach by king steps over empty
//! squares alone, and `R` the other empty squares. Let `P` be the length of a *plod*: a walk of A's amazons over
//! `R`, one amazon after the other, by king steps, on squares that no amazon of the walk visits twice.
//!
//! **Claim.** The game is worth at least `P - |F|` to A, whoever moves: `G >= P - |F|`.
//!
//! **Proof.** A answers nothing; it plays its plod move by move whenever it is its turn, each amazon stepping to
//! the next square of its walk and shooting back onto the square it has just left.
//!
//! 1. *B stays inside `F` and the squares its own amazons stand on.* Every step and every shot is a chain of king
//!    steps over squares empty at that time. The squares around `F` and B's amazons are burned or hold A's
//!    amazons. When an amazon of A leaves its square, its shot burns that very square: the wall stands. So no square
//!    outside ever opens.
//! 2. *B has at most `|F|` moves.* B's amazons stand on as many squares of that area at any time as there are B
//!    amazons, and each move burns one square of it.
//! 3. *A has `P` moves.* The squares of the walk are in `R`, hence empty at first, out of B's reach by (1), and no
//!    two moves of the plod use the same one: each destination is removed from `R` when the walk takes it, also the
//!    last one of every amazon, on which that amazon then stands. Shots only burn squares that the walk has left.
//!    Each step goes to a king neighbour, so nothing can be in between.
//!
//! So in `G - (P - |F|)`, with A moving second, A never runs out first. In the search: with net integer `d` for A,
//! A to move wins if `d + P > |F|`; A to move loses if the bound taken from B's side gives `d + hi <= 0`.
//!
//! Two amazons of one colour that share `R` are why the destinations must be removed: without that the
//! second amazon counts squares on which the first has come to stand.

use super::component::{Grid, lowest};
use crate::board::Bitboard;

/// Length of a greedy walk of `amazons` over `squares`: each amazon in turn steps to the king neighbour with the
/// fewest ways on. A lower bound on the longest walk; the squares of the walk are disjoint.
#[inline]
pub fn plod(grid: &Grid, amazons: Bitboard, squares: Bitboard) -> i32 {
    let mut left = squares;
    let mut moves = 0;
    for amazon in amazons {
        let mut at = Bitboard::of(amazon);
        loop {
            let ways = grid.neighbours(at) & left;
            if ways.is_empty() {
                break;
            }
            at = narrowest(grid, ways, left);
            left = left.without(at);
            moves += 1;
        }
    }
    moves
}

/// The square of `ways` with the fewest neighbours in `left`; the lowest one of several.
#[inline(always)]
fn narrowest(grid: &Grid, ways: Bitboard, left: Bitboard) -> Bitboard {
    let (mut best, mut fewest) = (Bitboard::EMPTY, usize::MAX);
    let mut rest = ways;
    while !rest.is_empty() {
        let way = lowest(rest);
        rest = rest.without(way);
        let onward = (grid.neighbours(way) & left).len();
        if onward < fewest {
            (best, fewest) = (way, onward);
        }
    }
    best
}

/// A lower bound on what the game on these squares is worth to the side of `walls`, in moves: `P - |F|`. The
/// three sets are disjoint, and no other square is free.
///
/// `-hold(other, walls, empty)` is the upper bound.
#[inline]
pub fn hold(grid: &Grid, walls: Bitboard, other: Bitboard, empty: Bitboard) -> i32 {
    let flooded = grid.flood(other, empty) & empty;
    let kept = empty.without(flooded);
    let moves = if kept.is_empty() { 0 } else { plod(grid, walls, kept) };
    moves - flooded.len() as i32
}
