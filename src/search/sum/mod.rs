//! What the search sees of a position: the sum of its mixed components and a net integer, the key
//! of that sum, and the numbers that it starts with.
//!
//! Decided regions are counted and dropped, so positions that differ only there are the same sum.
//! What is here searches nothing.

pub(super) mod board_data;
pub(super) mod canonical;
pub(super) mod evaluation;
pub(super) mod key;
pub(super) mod longest_plays;
pub(super) mod numbers;
pub(super) mod oracle;
pub(super) mod reduction;
