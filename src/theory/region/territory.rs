//! Territories: parts of the board that only one player's amazons can reach.
//!
//! A territory is worth the longest sequence of moves that its owner can play in it, a whole
//! number. With n empty squares it is at most n, as each move burns one square for good; a
//! territory that gives k moves fewer is *k-defective* (M. Müller, "Not like other games", 1999; M.
//! Müller and T. Tegos, "Experiments in computer Amazons", *More Games of No Chance*, 2002).
//!
//! The longest play is found by searching all moves, with every position remembered up to symmetry,
//! each part that a move cuts off searched by itself, and the search stopped as soon as every empty
//! square is used. Cost: exponential in the squares in the worst case; nearly all territories are
//! filled at the first try.

use std::hash::BuildHasherDefault;

use dashmap::DashMap;

use super::local::{LocalGame, Player};
use crate::machine::hash::Mix;
use crate::theory::limit::{Limit, Unlimited};

/// The lengths of longest plays found so far, for any number of amazons. All threads may share one.
#[derive(Debug, Default)]
pub struct Territories {
    known: DashMap<LocalGame, u8, BuildHasherDefault<Mix>>,
}

impl Territories {
    /// Remembers nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many positions are remembered.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// About how many bytes they take: the room of the table, 8 slots for every 7 entries.
    pub fn bytes(&self) -> u64 {
        let slot = size_of::<(LocalGame, u8)>() as u64 + 1;
        (self.known.capacity() as u64 * slot).div_ceil(7) * 8
    }

    /// The most moves that Left can make in a row. Right's amazons, if there are any, stand still.
    pub fn moves(&self, position: &LocalGame) -> u32 {
        let Ok(moves) = self.moves_within(&Unlimited, position);
        moves
    }

    /// As [`Self::moves`], within a limit that is asked before each position that is remembered.
    ///
    /// # Errors
    /// If the limit was reached. What was found stays remembered.
    pub(crate) fn moves_within<L: Limit>(
        &self,
        limit: &L,
        position: &LocalGame,
    ) -> Result<u32, L::Reached> {
        let mut sum = Ok(0);
        position.for_each_component(|part| {
            if let Ok(moves) = &mut sum {
                match self.component(limit, &part) {
                    Ok(more) => *moves += more,
                    Err(reached) => sum = Err(reached),
                }
            }
        });
        sum
    }

    /// How many moves fewer than empty squares a territory gives.
    pub fn defects(&self, position: &LocalGame) -> u32 {
        position.empty().count_ones() - self.moves(position)
    }

    fn component<L: Limit>(&self, limit: &L, part: &LocalGame) -> Result<u32, L::Reached> {
        let room = part.empty().count_ones();
        if room == 0 || part.amazons(Player::Left) == 0 {
            return Ok(0);
        }
        if let Some(known) = self.known.get(part) {
            return Ok(u32::from(*known));
        }
        let canonical = part.canonical_shape();
        if canonical != *part
            && let Some(known) = self.known.get(&canonical).map(|known| *known)
        {
            self.known.insert(*part, known);
            return Ok(u32::from(known));
        }
        limit.check()?;
        let moves = self.longest(limit, part, room)?;
        // A board of 64 bits has fewer than 64 empty squares.
        self.known.insert(*part, moves as u8);
        self.known.insert(canonical, moves as u8);
        Ok(moves)
    }

    fn longest<L: Limit>(&self, limit: &L, part: &LocalGame, room: u32) -> Result<u32, L::Reached> {
        let (mut best, mut end) = (0, Ok(()));
        part.for_each_move(Player::Left, |_, after| {
            // The squares that stay within reach of an amazon bound what can still be played.
            if end.is_ok() && best < room && 1 + within_reach(&after) > best {
                match self.moves_within(limit, &after) {
                    Ok(moves) => best = best.max(1 + moves),
                    Err(reached) => end = Err(reached),
                }
            }
        });
        end.map(|()| best)
    }
}

fn within_reach(position: &LocalGame) -> u32 {
    let mut squares = 0;
    position.for_each_component(|part| {
        if part.amazons(Player::Left) != 0 {
            squares += part.empty().count_ones();
        }
    });
    squares
}

#[cfg(test)]
mod tests {
    use super::super::Placed;
    use super::super::allowance::Allowance;
    use super::*;
    use crate::game::notation::LocalPosition;

    #[test]
    fn what_was_given_up_is_gone_on_with() {
        let rows: LocalPosition = "#.#.#|#x#.#|.#.#.".parse().unwrap();
        let game = *Placed::components(&rows).unwrap()[0].game();
        let territories = Territories::new();
        let first = territories.moves_within(&Allowance::of(2).share(), &game);
        assert!(first.is_err());
        let mut searched = 0;
        // More than there are squares, so that each search gets to an end somewhere.
        let most = 16;
        let moves = loop {
            searched += most as usize;
            if let Ok(moves) = territories.moves_within(&Allowance::of(2 * most).share(), &game) {
                break moves;
            }
            assert!(territories.len() <= 2 * searched);
        };
        assert_eq!(moves, Territories::new().moves(&game));
    }
}
