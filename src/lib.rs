//! Exact solutions of small boards of the Game of the Amazons.
//!
//! The crate is built in layers; each module uses only those above it in this list:
//!
//! | module | what it holds |
//! |---|---|
//! | [`progress`] | how long computations report and are stopped |
//! | [`board`] | board sizes, squares, bitboards, queen rays, symmetries |
//! | [`rules`] | positions, moves, move generation, start positions, perft |
//! | [`naive`] | the memoised negamax that every fast path is tested against |
//! | [`notation`] | FEN, moves, regions and diagrams: the edge where positions have colours |
//! | [`counting`] | binomials, colex ranks, exact numbers of positions by Burnside's lemma |
//! | [`index`] | canonical arrow sets, placements, and where every position is stored |
//! | [`retrograde`] | backward solving |
//! | [`cli`] | the command line |

#![warn(missing_docs)]

pub mod board;
pub mod cli;
pub mod counting;
pub mod index;
pub mod naive;
pub mod notation;
pub mod progress;
pub mod retrograde;
pub mod region;
pub mod rules;
pub mod search;
