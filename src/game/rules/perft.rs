//! Perft: the number of move sequences of a given length, the standard test of a move generator.
//!
//! The last ply is counted, not played: for each step the number of shots is one population count.

use rayon::prelude::*;

use super::{Bitboards, IndexedMove, Rules};
use crate::game::board::Word;
use crate::machine::progress::Observer;

/// The number of sequences of `depth` moves from `position`. 1 for depth 0. One thread.
pub fn perft<W: Word>(rules: &Rules<W>, position: &Bitboards<W>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => rules.count(position),
        _ => {
            let mut nodes = 0;
            rules.for_each_step(position, |from, to, shots| {
                for arrow in shots {
                    let child = rules.play_unchecked(position, IndexedMove { from, to, arrow });
                    nodes += perft(rules, &child, depth - 1);
                }
            });
            nodes
        }
    }
}

/// Every legal move with the number of sequences of `depth` moves that begin with it; the numbers
/// add up to [`perft`]. Uses all threads of the current rayon pool. Empty for depth 0.
pub fn divide<W: Word>(
    rules: &Rules<W>,
    position: &Bitboards<W>,
    depth: u32,
    observer: &dyn Observer,
) -> Vec<(IndexedMove, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = rules.moves(position);
    observer.begin("perft", moves.len() as u64, "moves");
    let count = |played: IndexedMove| {
        let nodes = perft(rules, &rules.play_unchecked(position, played), depth - 1);
        observer.add(1);
        (played, nodes)
    };
    moves.into_par_iter().map(count).collect()
}
