//! Every position of a board: how many there are, where each is stored, the files, and how they are
//! built.

pub mod counting;
pub mod format;
pub mod index;
pub mod opening;
pub mod retrograde;
pub mod value_source;

#[cfg(test)]
#[path = "../../tests/support/counts.rs"]
mod golden;
