//! Exact solutions of small boards of the Game of the Amazons.
//!
//! The crate is built in layers; each module uses only those above it in this list:
//!
//! | module | what it holds |
//! |---|---|
//! | [`board`] | board sizes, squares, bitboards, queen rays, symmetries |
//! | [`rules`] | positions, moves, move generation, start positions, perft |
//! | [`naive`] | the memoised negamax that every fast path is tested against |
//! | [`region`] | local positions: components, line segment graphs, territories |
//! | [`values`] | combinatorial values: canonical forms, sums, thermographs, and the values of regions |

#![warn(missing_docs)]

pub mod board;
mod hash;
pub mod naive;
pub mod region;
pub mod rules;
pub mod values;
