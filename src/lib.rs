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
//! | [`table`] | compressed, memory-mapped files with the value of every position |
//! | [`retrograde`] | backward solving |
//! | [`region`] | local games: components, line segment graphs, territories |
//! | [`values`] | combinatorial values: canonical forms, sums, thermographs, and the values of regions |
//! | [`certificate`] | the file of a proof |
//! | [`opening`] | small files with the value of every position of the first moves |
//! | [`search`] | proof-number search on all cores, for positions that no table holds |
//! | [`verify`] | checkers that share no code with what they check |
//! | [`cli`] | the command line |

#![warn(missing_docs)]

mod bits;
pub mod board;
pub mod certificate;
pub mod cli;
pub mod counting;
mod hash;
pub mod index;
pub mod naive;
pub mod notation;
pub mod opening;
pub mod progress;
pub mod region;
pub mod retrograde;
pub mod rules;
pub mod search;
pub mod table;
pub mod values;
pub mod verify;
