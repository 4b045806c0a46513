//! Killer moves: what won at once at the same ply is tried first.
//!
//! Two thirds of the positions that are entered are won by a move that a bound decides. Siblings
//! are mostly won by the same few moves. A killer move that does not win is generated a second time
//! with all others, and dropped as any other transposition: only time depends on what is
//! remembered. Moves of other merits are remembered in the same way
//! ([`simulation`](super::simulation)).

use crate::game::board::SquareIndex;
use crate::game::rules::IndexedMove;

/// Moves remembered at each ply.
const REMEMBERED: usize = 8;
/// No amazon goes to its own square.
const NONE: IndexedMove =
    IndexedMove { from: SquareIndex::new(0), to: SquareIndex::new(0), arrow: SquareIndex::new(0) };

/// The last moves of some merit, by ply.
#[derive(Debug, Default)]
pub(in crate::search) struct Killers {
    plies: Vec<[IndexedMove; REMEMBERED]>,
}

impl Killers {
    /// What won at this ply, the last one first; places that are not used yet hold a move that is
    /// never legal.
    #[inline]
    pub(in crate::search) fn at(&self, ply: usize) -> [IndexedMove; REMEMBERED] {
        self.plies.get(ply).copied().unwrap_or([NONE; REMEMBERED])
    }

    /// Remembers a move as the last one that won at this ply.
    #[inline]
    pub(in crate::search) fn won(&mut self, ply: usize, won: IndexedMove) {
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, [NONE; REMEMBERED]);
        }
        let moves = &mut self.plies[ply];
        let place = moves.iter().position(|&known| known == won).unwrap_or(REMEMBERED - 1);
        moves[..=place].rotate_right(1);
        moves[0] = won;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(to: u16) -> IndexedMove {
        IndexedMove {
            from: SquareIndex::new(0),
            to: SquareIndex::new(to),
            arrow: SquareIndex::new(0),
        }
    }

    #[test]
    fn the_last_winner_comes_first_and_none_is_kept_twice() {
        let mut killers = Killers::default();
        for to in [1, 2, 3, 1, 1] {
            killers.won(4, step(to));
        }
        assert_eq!(killers.at(4)[..4], [step(1), step(3), step(2), NONE]);
        assert_eq!([killers.at(3), killers.at(5)], [[NONE; REMEMBERED]; 2]);
    }

    #[test]
    fn the_oldest_is_forgotten() {
        let mut killers = Killers::default();
        (1..=9).for_each(|to| killers.won(0, step(to)));
        assert_eq!(killers.at(0), [9, 8, 7, 6, 5, 4, 3, 2].map(step));
    }
}
