//! Opening tables: every position that the first few moves can lead to, with its value, in one
//! small file.
//!
//! A full table of 5x5 takes tens of gigabytes; the positions after at most three moves take a few
//! megabytes and answer what people ask first. An opening table is derived from a full table
//! ([`Opening::derive`]), and answers like one ([`Opening::answer`]): positions before the last ply
//! with the value of each move, those of the last ply with their value alone.
//!
//! Positions are held once for all images under the symmetries of the board, as sorted [`Code`]s,
//! so membership is exact: a position that the moves cannot lead to is unknown, never wrong.
//!
//! Cost: 8 bytes a position in memory, 16 on boards of more than 32 squares, about 2 in the file; a
//! look-up is a binary search for each move.

mod codes;
mod derive;
mod file;
mod table;

pub use derive::DeriveError;
pub use file::{MAGIC, OpeningError};
pub use table::{Opening, OpeningAnswer, Ply};
