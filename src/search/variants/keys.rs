//! Positions as keys: of all images of a position under the symmetries of the board the least.

use std::hash::{Hash as _, Hasher as _};

use crate::game::board::{Bitboard, Board, SquareIndex, Symmetry, SymmetryMap};
use crate::game::variants::{Side, State, Walls};
use crate::machine::hash::Mix;

/// A position: two bits a square, the walls, and how far the turn is. Two positions have the same
/// key exactly if one is an image of the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Key {
    squares: u128,
    walls: u128,
    moved: u64,
    /// The number of the turn, never 0, and the moves made in it.
    turn: [u8; 2],
}

impl Key {
    /// Whether this is the key of no position: the default.
    pub(super) fn is_none(&self) -> bool {
        self.turn[0] == 0
    }

    /// All bits, mixed.
    pub(super) fn mixed(&self) -> u64 {
        let mut hasher = Mix::default();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

/// Where a symmetry moves the sets of a position.
#[derive(Debug)]
struct Images {
    /// Two bits a square: the lower one.
    squares: SymmetryMap<u128>,
    /// Walls to the north, then those to the east 64 bits higher.
    north: SymmetryMap<u128>,
    east: SymmetryMap<u128>,
    moved: SymmetryMap<u64>,
}

/// The keys of the positions of one board of at most 64 squares.
#[derive(Debug)]
pub(super) struct Keys(Vec<Images>);

impl Keys {
    pub(super) fn new(board: Board) -> Self {
        let bytes = board.squares().div_ceil(8);
        let images = Symmetry::all(board).into_iter().map(|symmetry| {
            let inverse = symmetry.inverse();
            let wall = |side: Side| {
                let (inverse, symmetry) = (&inverse, &symmetry);
                move |image: SquareIndex| {
                    let none = Walls::<u64>::default();
                    let one = none.with(board, inverse.square(image), side);
                    let Walls { north, east } = one.mapped(board, symmetry);
                    u128::from(north.word()) | u128::from(east.word()) << 64
                }
            };
            Images {
                squares: SymmetryMap::new(board, &symmetry, bytes, |at| 1 << (2 * at.index())),
                north: SymmetryMap::new(board, &symmetry, bytes, wall(Side::North)),
                east: SymmetryMap::new(board, &symmetry, bytes, wall(Side::East)),
                moved: SymmetryMap::new(board, &symmetry, bytes, |at| {
                    Bitboard::<u64>::of(at).word()
                }),
            }
        });
        Self(images.collect())
    }

    /// The key of a position.
    pub(super) fn key(&self, state: &State) -> Key {
        let low = state.squares.mover | state.squares.arrows;
        let high = state.squares.opponent | state.squares.arrows;
        let has_walls = !state.walls.is_empty();
        let keys = self.0.iter().map(|images| Key {
            squares: images.squares.image(low) | images.squares.image(high) << 1,
            walls: match has_walls {
                true => images.north.image(state.walls.north) | images.east.image(state.walls.east),
                false => 0,
            },
            moved: images.moved.image(state.moved),
            turn: [state.turn, state.made],
        });
        keys.min().expect("the identity is a symmetry")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules;
    use crate::game::variants::{RuleSet, VariantRules};
    use std::collections::HashMap;

    #[test]
    fn positions_have_one_key_exactly_if_they_are_images() {
        let board: Board = "4x4".parse().unwrap();
        let keys = Keys::new(board);
        let start = State::new(rules::start(board).unwrap().bitboards().unwrap(), 1);
        for (name, set) in RuleSet::NAMED {
            let game = VariantRules::<u64>::new(board, set).unwrap();
            let (mut all, mut layer) = (Vec::new(), vec![start]);
            for _ in 0..3 {
                let next = layer.iter().step_by(1 + layer.len() / 40).flat_map(|state| {
                    game.moves(state).into_iter().map(|played| game.play_unchecked(state, played))
                });
                layer = next.collect();
                all.extend_from_slice(&layer);
            }
            let mut classes: HashMap<State, Key> = HashMap::new();
            let mut by_key: HashMap<[u128; 3], State> = HashMap::new();
            for state in all {
                let least = Symmetry::all(board)
                    .iter()
                    .map(|symmetry| state.mapped(board, symmetry))
                    .min()
                    .unwrap();
                let key = keys.key(&state);
                assert!(!key.is_none());
                assert_eq!(*classes.entry(least).or_insert(key), key, "{name}");
                let parts = [
                    key.squares,
                    key.walls,
                    u128::from(key.moved) << 16 | u128::from(u16::from_le_bytes(key.turn)),
                ];
                assert_eq!(*by_key.entry(parts).or_insert(least), least, "{name}");
            }
            assert!(classes.len() > 100, "{name}: {}", classes.len());
        }
    }
}
