//! Perft: the number of move sequences of a given length, the standard test of a move generator.
//!
//! The last ply is counted, not played: for each step the number of shots is one population count.

use rayon::prelude::*;

use super::{Bitboards, IndexedMove, Rules};
use crate::game::board::Word;
use crate::machine::progress::{Observer, StopFlag};

/// The number of sequences of `depth` moves from `position`. 1 for depth 0. One thread.
pub fn perft<W: Word>(rules: &Rules<W>, position: &Bitboards<W>, depth: u32) -> u64 {
    perft_until_stopped(rules, position, depth, &StopFlag::new()).expect("nobody stops it")
}

/// As [`perft`]; `None` if it is stopped.
pub(crate) fn perft_until_stopped<W: Word>(
    rules: &Rules<W>,
    position: &Bitboards<W>,
    depth: u32,
    stop: &StopFlag,
) -> Option<u64> {
    match depth {
        0 => Some(1),
        1 => Some(rules.count(position)),
        _ => {
            let mut nodes = Some(0);
            rules.for_each_step(position, |from, to, shots| {
                for arrow in shots {
                    let Some(before) = nodes.filter(|_| !stop.is_set()) else {
                        nodes = None;
                        return;
                    };
                    let child = rules.play_unchecked(position, IndexedMove { from, to, arrow });
                    let below = perft_until_stopped(rules, &child, depth - 1, stop);
                    nodes = below.map(|below| before + below);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::start;

    #[test]
    fn who_is_stopped_says_so() {
        let start = start("4x4".parse().unwrap()).unwrap();
        let rules = Rules::<u64>::new(start.board()).unwrap();
        let (position, stop) = (start.bitboards().unwrap(), StopFlag::new());
        let counted = [1, 2].map(|depth| perft_until_stopped(&rules, &position, depth, &stop));
        assert_eq!(counted, [1, 2].map(|depth| Some(perft(&rules, &position, depth))));
        stop.stop();
        assert_eq!(perft_until_stopped(&rules, &position, 2, &stop), None);
    }
}
