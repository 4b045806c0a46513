//! Backward solving: every position of a board, from the fullest boards down.

mod isa;
mod kernel;
mod lines;
mod pack;
mod space;
mod transpose;
mod turn;

pub use isa::InstructionSet;

#[cfg(test)]
mod tests;
