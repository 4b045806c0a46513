//! One-colour regions: exactly an integer, the longest play of their amazons.
//!
//! Where only one colour has amazons, the other never moves. So the region is worth as many moves
//! as its owner can make there: the maximum over moves of 1 + what the parts left behind are worth.
//! The greedy walk of [`greedy_walk`] nearly always fills every square, which settles it at once;
//! otherwise a small search does, which remembers exact positions.

use std::collections::HashMap;

use super::board_data::BoardData;
use super::canonical::Squares;
use crate::game::board::Bitboard;
use crate::theory::region::blocker::greedy_walk;

/// Regions with more empty squares than this that the walk does not fill are left alone.
const LARGEST: usize = 11;

/// Most regions remembered by anybody; beyond it the memory is cleared.
pub(super) const MOST: usize = 1 << 20;
/// Bytes of a region: an entry and its byte in a hash table that is half full, and half as much
/// while a table grows.
const REGION_BYTES: u64 = 75;
/// Bytes that the regions of a thread take at the most.
pub(super) const MOST_BYTES: u64 = MOST as u64 * REGION_BYTES;

/// How many regions fit so many bytes.
pub(super) fn most(bytes: u64) -> usize {
    usize::try_from(bytes / REGION_BYTES).unwrap_or(MOST).min(MOST)
}

/// Longest plays of one-colour regions.
#[derive(Debug, Default)]
pub(super) struct LongestPlays {
    known: HashMap<(Bitboard, Bitboard), i32>,
}

impl LongestPlays {
    /// The longest play of `amazons` on the empty squares of their component `cells`, or `None` if
    /// it would be too long a search.
    pub(super) fn longest_play(
        &mut self,
        data: &BoardData,
        cells: Bitboard,
        amazons: Bitboard,
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

    fn search(&mut self, data: &BoardData, cells: Bitboard, amazons: Bitboard) -> i32 {
        let empty = cells.without(amazons);
        let most = empty.len() as i32;
        let mut best = greedy_walk(&data.kings, amazons, empty) as i32;
        if best == most {
            return best;
        }
        let part =
            data.canonizer.canonical(Squares { empty, mover: amazons, opponent: Bitboard::EMPTY });
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
