//! Positions with the thresholds that another program found.

use amazons::{Position, Threshold};

/// The positions of `tests/data/margins.csv` with their thresholds.
///
/// # Panics
/// If a line is none.
pub fn golden_thresholds() -> impl Iterator<Item = (Position, Threshold)> {
    include_str!("../data/margins.csv").lines().skip(2).map(|line| {
        let (fen, threshold) = line.split_once(',').expect("a FEN and a threshold");
        let position = fen.parse().expect("a position");
        (position, Threshold::new(threshold.parse().expect("a number")))
    })
}
