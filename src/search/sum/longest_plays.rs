//! One-colour regions: exactly an integer, the longest play of their amazons.
//!
//! Where only one colour has amazons, the other never moves. So the region is worth as many moves
//! as its owner can make there: the maximum over moves of 1 + what the parts left behind are worth.
//! The greedy walk of [`greedy_walk`] nearly always fills every square, which settles it at once;
//! otherwise a small search does, which remembers exact positions. Cost: exponential in the empty
//! squares, of which there are at most [`LARGEST`].
//!
//! [`Territories`](crate::theory::region::Territories) says the same of regions of any size, which
//! it holds in boxes of their own and shares between threads. Here, where it is asked at millions
//! of positions, a region stays on the board of the search, a thread remembers for itself, and what
//! would take long has no answer.

use std::collections::HashMap;

use super::board_data::BoardData;
use super::canonical::RegionSquares;
use crate::game::board::{Bitboard, Word};
use crate::theory::region::blocker::greedy_walk;

/// Regions with more empty squares than this that the walk does not fill are left alone.
const LARGEST: usize = 11;

/// Most regions remembered by anybody; beyond it the memory is cleared.
const MOST: usize = BoardData::MOST_LONGEST_PLAYS;
/// Bytes of a region: an entry and its byte in a hash table that is half full, and half as much
/// while a table grows.
const REGION_BYTES: u64 = 75;
/// Bytes that the regions of a thread take at the most.
pub(in crate::search) const MOST_BYTES: u64 = MOST as u64 * REGION_BYTES;

/// How many regions fit so many bytes.
pub(in crate::search) fn most(bytes: u64) -> usize {
    usize::try_from(bytes / REGION_BYTES).unwrap_or(MOST).min(MOST)
}

/// Longest plays of one-colour regions.
#[derive(Debug, Default)]
pub(in crate::search) struct LongestPlays<W: Word = u64> {
    known: HashMap<(Bitboard<W>, Bitboard<W>), i32>,
}

impl<W: Word> LongestPlays<W> {
    /// The longest play of `amazons` on the empty squares of their component `cells`, or `None` if
    /// it would be too long a search.
    pub(in crate::search) fn longest_play(
        &mut self,
        data: &BoardData<W>,
        cells: Bitboard<W>,
        amazons: Bitboard<W>,
    ) -> Option<i32> {
        let empty = cells.without(amazons);
        let most = empty.len() as i32;
        if most == 0 || greedy_walk(&data.kings, amazons, empty) as i32 == most {
            return Some(most);
        }
        if empty.len() > LARGEST {
            return None;
        }
        if self.known.len() > data.longest_plays {
            self.known.clear();
        }
        Some(self.search(data, cells, amazons))
    }

    fn search(&mut self, data: &BoardData<W>, cells: Bitboard<W>, amazons: Bitboard<W>) -> i32 {
        let empty = cells.without(amazons);
        let most = empty.len() as i32;
        let mut best = greedy_walk(&data.kings, amazons, empty) as i32;
        if best == most {
            return best;
        }
        let part = data.canonizer.canonical(RegionSquares {
            empty,
            mover: amazons,
            opponent: Bitboard::EMPTY,
        });
        if let Some(&known) = self.known.get(&(part.empty, part.mover)) {
            return known;
        }
        'all: for from in amazons {
            let vacated = empty.with(from);
            for to in data.rules.rays().reach(from, empty) {
                let moved = amazons.without(Bitboard::of(from)).with(to);
                for arrow in data.rules.rays().reach(to, vacated) {
                    let left = cells.without(Bitboard::of(arrow));
                    let parts = data.kings.components(moved, left);
                    let play: i32 = parts.map(|part| self.search(data, part, moved & part)).sum();
                    best = best.max(1 + play);
                    if best == most {
                        break 'all;
                    }
                }
            }
        }
        self.known.insert((part.empty, part.mover), best);
        best
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::board::Board;
    use crate::theory::region::{Cell, LocalGame, Player, Territories};

    proptest! {
        #[test]
        fn plays_are_as_long_as_in_a_territory(
            columns in 2usize..=5, rows in 2usize..=5, squares in any::<u64>(), amazons in any::<u64>(),
        ) {
            let board = Board::new(columns, rows).unwrap();
            let data = BoardData::new(board, 0).unwrap();
            let free = Bitboard::from_word(squares) & board.all();
            // One square in four.
            let amazons = free & Bitboard::from_word(amazons & amazons.rotate_left(17));
            let (mut plays, territories) = (LongestPlays::default(), Territories::new());
            for part in data.kings.components(amazons, free) {
                let cells: Vec<_> = part
                    .iter()
                    .map(|square| {
                        let amazon = amazons.contains(square);
                        let cell = if amazon { Cell::Amazon(Player::Left) } else { Cell::Empty };
                        (board.rank(square), board.file(square), cell)
                    })
                    .collect();
                let longest = territories.moves(&LocalGame::from_cells(&cells).unwrap());
                match plays.longest_play(&data, part, amazons & part) {
                    Some(found) => prop_assert_eq!(found, longest as i32),
                    None => prop_assert!(part.without(amazons).len() > LARGEST),
                }
            }
        }
    }
}
