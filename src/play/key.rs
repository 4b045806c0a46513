//! Keys of positions: Zobrist's exclusive or of one random number for each square and what is on
//! it.
//!
//! The two sides are told apart by who they are, not by who moves, so a move changes four numbers.
//! Two positions can have the same 64 bits. A memory addressed by these keys may then give the
//! score of another position, once in very many games. Moves that it gives are checked, and what is
//! proven is compared with the whole position ([`super::transposition`]).

use crate::game::board::{Bitboard, Board, SquareIndex, Word};
use crate::game::rules::{Bitboards, IndexedMove};
use crate::machine::busy::LowBits;
use crate::machine::random::Random;

/// The key of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key(pub u64);

impl LowBits for Key {
    #[inline(always)]
    fn low_bits(self) -> usize {
        self.0 as usize
    }
}

/// The most squares of a board.
const SQUARES: usize = (Board::MAX_SIDE as usize).pow(2);

/// A number for each square of any board.
type SquareKeys = [u64; SQUARES];

/// The random numbers.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    amazons: [SquareKeys; 2],
    arrows: SquareKeys,
    turn: u64,
}

/// The side to move: 0 for White, 1 for Black.
pub(super) type Side = usize;

impl Keys {
    /// The same numbers every time: runs can be repeated.
    pub(super) fn new() -> Self {
        let mut random = Random::new(0x9E37_79B9_7F4A_7C15);
        let mut keys = Self { amazons: [[0; SQUARES]; 2], arrows: [0; SQUARES], turn: 0 };
        // Those of small boards come first, so that they do not depend on how large boards may be.
        for squares in [0..128, 128..SQUARES] {
            let Self { amazons: [white, black], arrows, turn } = &mut keys;
            for numbers in [white, black, arrows] {
                numbers[squares.clone()].fill_with(|| random.next());
            }
            if squares.start == 0 {
                *turn = random.next();
            }
        }
        keys
    }

    /// Numbers that give every position the same key.
    #[cfg(test)]
    pub(super) fn colliding() -> Self {
        Self { amazons: [[0; SQUARES]; 2], arrows: [0; SQUARES], turn: 0 }
    }

    /// The key of a position with `side` to move.
    pub(super) fn key<W: Word>(&self, position: &Bitboards<W>, side: Side) -> Key {
        let xor = |set: Bitboard<W>, numbers: &SquareKeys| {
            set.iter().fold(0, |key, square| key ^ numbers[square.index()])
        };
        let amazons = xor(position.mover, &self.amazons[side])
            ^ xor(position.opponent, &self.amazons[side ^ 1]);
        Key(amazons ^ xor(position.arrows, &self.arrows) ^ if side == 0 { 0 } else { self.turn })
    }

    /// The key after a move of `side`.
    #[inline(always)]
    pub(super) fn after(&self, key: Key, side: Side, played: IndexedMove) -> Key {
        let amazon = |square: SquareIndex| self.amazons[side][square.index()];
        let arrow = self.arrows[played.arrow.index()];
        Key(key.0 ^ amazon(played.from) ^ amazon(played.to) ^ arrow ^ self.turn)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::board::U512;
    use crate::game::rules::{Rules, start};

    #[test]
    fn no_number_is_there_twice() {
        let Keys { amazons: [white, black], arrows, turn } = Keys::new();
        let all: Vec<u64> = [white, black, arrows].concat();
        let different: HashSet<u64> = all.iter().copied().chain([turn, 0]).collect();
        assert_eq!(different.len(), 3 * SQUARES + 2);
    }

    #[test]
    fn keys_follow_the_moves() {
        follow::<u128>(Board::new(10, 10).unwrap());
        follow::<U512>(Board::new(20, 20).unwrap());
    }

    fn follow<W: Word>(board: Board) {
        let (rules, keys) = (Rules::<W>::new(board).unwrap(), Keys::new());
        let mut position = start(board).unwrap().bitboards().unwrap();
        let (mut key, mut side) = (keys.key(&position, 0), 0);
        for turn in 0..40 {
            let moves = rules.moves(&position);
            let Some(&played) = moves.get(turn * 7919 % moves.len().max(1)) else { break };
            position = rules.play_unchecked(&position, played);
            key = keys.after(key, side, played);
            side ^= 1;
            assert_eq!(key, keys.key(&position, side));
            assert_ne!(key, keys.key(&position, side ^ 1));
        }
    }
}
