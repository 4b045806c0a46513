//! Perft: the number of move sequences of a given length, the standard test of a move generator.
//!
//! It is written once, for every generator. The last ply is counted, not played: a generator says
//! how many moves there are faster than it lists them.

use rayon::prelude::*;

use crate::machine::progress::{Observer, StopFlag};

/// The legal moves of one game on one board.
pub trait MoveGenerator: Sync {
    /// A position as the generator sees it.
    type Position: Sync;
    /// A legal move.
    type Move: Copy + Send;

    /// The legal moves, in increasing order.
    fn moves(&self, position: &Self::Position) -> Vec<Self::Move>;

    /// How many legal moves there are, without listing them.
    fn count(&self, position: &Self::Position) -> u64;

    /// The position after a move that is known to be legal.
    fn play_unchecked(&self, position: &Self::Position, played: Self::Move) -> Self::Position;
}

/// The number of sequences of `depth` moves from `position`. 1 for depth 0. One thread.
#[cfg(any(test, feature = "internals"))]
pub fn perft<G: MoveGenerator>(generator: &G, position: &G::Position, depth: u32) -> u64 {
    perft_until_stopped(generator, position, depth, &StopFlag::new()).expect("nobody stops it")
}

/// As [`perft`]; `None` if it is stopped.
fn perft_until_stopped<G: MoveGenerator>(
    generator: &G,
    position: &G::Position,
    depth: u32,
    stop: &StopFlag,
) -> Option<u64> {
    match depth {
        0 => Some(1),
        1 => Some(generator.count(position)),
        _ => generator.moves(position).into_iter().try_fold(0, |nodes, played| {
            if stop.is_set() {
                return None;
            }
            let child = generator.play_unchecked(position, played);
            Some(nodes + perft_until_stopped(generator, &child, depth - 1, stop)?)
        }),
    }
}

/// Every legal move with the number of sequences of `depth` moves that begin with it; the numbers
/// add up to [`perft`]. Uses all threads of the current rayon pool. Empty for depth 0; `None` if it
/// is stopped.
pub fn divide<G: MoveGenerator>(
    generator: &G,
    position: &G::Position,
    depth: u32,
    stop: &StopFlag,
    observer: &dyn Observer,
) -> Option<Vec<(G::Move, u64)>> {
    let Some(below) = depth.checked_sub(1) else { return Some(Vec::new()) };
    let moves = generator.moves(position);
    observer.begin("perft", moves.len() as u64, "moves");
    let count = |played: G::Move| {
        let child = generator.play_unchecked(position, played);
        let nodes = perft_until_stopped(generator, &child, below, stop)?;
        observer.add(1);
        Some((played, nodes))
    };
    moves.into_par_iter().map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::{Rules, start};

    #[test]
    fn who_is_stopped_says_so() {
        let start = start("4x4".parse().unwrap()).unwrap();
        let rules = Rules::<u64>::new(start.board()).unwrap();
        let (position, stop) = (start.bitboards().unwrap(), StopFlag::new());
        for depth in [1, 2, 3] {
            let counted = perft_until_stopped(&rules, &position, depth, &stop);
            assert_eq!(counted, Some(perft(&rules, &position, depth)));
            let divided = divide(&rules, &position, depth, &stop, &()).unwrap();
            assert_eq!(Some(divided.iter().map(|(_, nodes)| nodes).sum()), counted);
        }
        stop.stop();
        assert_eq!(perft_until_stopped(&rules, &position, 2, &stop), None);
        assert_eq!(divide(&rules, &position, 3, &stop, &()), None);
    }
}
