//! Late positions of 10x10, with what their sides to move reach: the same that the bench searches.

use amazons::game::Outcome;
use amazons::game::rules::Position;

/// A late position.
pub struct Endgame {
    /// As FEN.
    pub fen: &'static str,
    /// What its side to move reaches.
    pub outcome: Outcome,
}

impl Endgame {
    /// The position.
    pub fn position(&self) -> Position {
        self.fen.parse().unwrap()
    }
}

/// Those of `benches/data/endgames.txt`, in the order of the file: the first two take milliseconds,
/// a lost one and a won one.
pub fn endgames() -> Vec<Endgame> {
    let lines = include_str!("../../benches/data/endgames.txt").lines();
    let endgames = lines.filter(|line| !line.starts_with('#') && !line.is_empty()).map(|line| {
        let (fen, outcome) = line.split_once("  ").unwrap();
        Endgame { fen, outcome: outcome.parse().unwrap() }
    });
    endgames.collect()
}
