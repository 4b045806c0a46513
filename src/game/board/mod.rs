//! The board and sets of its squares; no rule of the game lives here.
//!
//! A [`Board`] is a size. Its squares are numbered row by row from a1, so square `(file, rank)` has
//! index `rank * columns + file`; a [`Bitboard`] holds square `i` in bit `i`. On 4x4:
//!
//! ```text
//!   4 | 12 13 14 15
//!   3 |  8  9 10 11
//!   2 |  4  5  6  7
//!   1 |  0  1  2  3
//!       a  b  c  d
//! ```
//!
//! Boards of up to 64 squares fit one 64-bit word; 10x10 needs 128 bits and 20x20 400, hence the
//! [`Word`] parameter.

mod bitboard;
mod fill;
mod in_word;
mod kings;
mod leaps;
mod lines;
mod other_board;
mod rays;
mod size;
pub(super) mod square;
mod square_index;
#[cfg(test)]
mod strategies;
mod symmetry;
mod u512;
mod word;

pub use bitboard::{Bitboard, Squares};
pub use fill::QueenFill;
pub(crate) use in_word::in_word;
pub(crate) use kings::grow;
pub use kings::{Components, Kings};
pub use leaps::Leaps;
pub(crate) use leaps::flood;
pub use lines::Lines;
pub use other_board::OtherBoard;
pub use rays::Rays;
pub use size::{Board, BoardError};
pub use square_index::SquareIndex;
#[cfg(test)]
pub(crate) use strategies::{any_board, any_set};
pub use symmetry::{Symmetry, SymmetryMap};
pub use u512::U512;
pub use word::Word;
