//! Exact solutions of small boards of the Game of the Amazons.
//!
//! The crate is built in layers; each module uses only those above it in this list:
//!
//! | module | what it holds |
//! |---|---|
//! | [`board`] | board sizes, squares, bitboards, queen rays, symmetries |
//! | [`rules`] | positions, moves, move generation, start positions, perft |
//! | [`naive`] | the memoised negamax that every fast path is tested against |

#![warn(missing_docs)]

pub mod board;
pub mod naive;
pub mod retrograde;
pub mod region;
pub mod rules;
pub mod search;
