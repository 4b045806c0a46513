//! Positions as numbers: of all images of a position under the symmetries of the board the least.

use super::rule_set::RuleSet;
use super::state::State;
use super::walls::{Side, Walls};
use crate::game::board::{Bitboard, Board, SquareIndex, Symmetry, SymmetryMap};
use crate::game::code::Code;

/// A position as numbers: two bits a square, the walls, and how far the turn is. The default is the
/// code of no position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct VariantCode {
    /// As in [`Code`].
    pub squares: u128,
    /// The walls to the north of squares, then those to the east 64 bits higher.
    pub walls: u128,
    /// Where the amazons stand that have moved in this turn.
    pub moved: u64,
    /// The number of the turn, never 0, and the moves made in it.
    pub turn: [u8; 2],
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

/// Codes of the positions of one game on one board of at most 64 squares.
#[derive(Debug)]
pub struct VariantCoder {
    board: Board,
    rules: RuleSet,
    /// For each symmetry; the first is the identity.
    images: Vec<Images>,
}

impl VariantCoder {
    /// For a game on a board.
    ///
    /// # Panics
    /// If the board has more than 64 squares.
    pub fn new(board: Board, rules: RuleSet) -> Self {
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
        Self { board, rules, images: images.collect() }
    }

    /// The least code among those of the images of a position.
    pub fn code(&self, state: &State) -> VariantCode {
        let codes = self.images.iter().map(|images| images.code(state));
        codes.min().expect("the identity is a symmetry")
    }

    /// The code of the position itself, whatever its images are.
    pub fn plain(&self, state: &State) -> VariantCode {
        self.images[0].code(state)
    }

    /// The position of a code, `None` if it is none of this game and board.
    ///
    /// Whether play can come to it is not asked. So fewer amazons may have moved in the turn than
    /// moves are made, also where nothing takes amazons: docs/certificate.md fixes that for
    /// version 5 of certificates, and the checkers written from it accept the same files. It does
    /// no harm, as the rules say what follows from such a position too. The text of a position is
    /// no part of that format and is stricter.
    pub fn state(&self, code: &VariantCode) -> Option<State> {
        let squares = Code(code.squares).position(self.board)?;
        let [north, east] =
            [code.walls, code.walls >> 64].map(|walls| Bitboard::from_word(walls as u64));
        let moved = Bitboard::from_word(code.moved);
        let [turn, made] = code.turn;
        let inside = |set: Bitboard, side: Side| {
            let all = self.board.all::<u64>();
            set.is_subset(all) && set.iter().all(|at| side.neighbour(self.board, at).is_some())
        };
        let builds = !self.rules.burns() || code.walls == 0;
        let walls = builds && inside(north, Side::North) && inside(east, Side::East);
        let turns = self.rules.turns;
        let progress = (1..=turns.count()).contains(&turn)
            && made < turns.length(turn)
            && moved.is_subset(squares.mover)
            && moved.len() <= made.into();
        let state = State { squares, walls: Walls { north, east }, turn_number: turn, made, moved };
        (walls && progress).then_some(state)
    }
}

impl Images {
    fn code(&self, state: &State) -> VariantCode {
        let low = state.squares.mover | state.squares.arrows;
        let high = state.squares.opponent | state.squares.arrows;
        VariantCode {
            squares: self.squares.image(low) | self.squares.image(high) << 1,
            walls: match state.walls.is_empty() {
                true => 0,
                false => self.north.image(state.walls.north) | self.east.image(state.walls.east),
            },
            moved: self.moved.image(state.moved),
            turn: [state.turn_number, state.made],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules;
    use crate::game::variants::VariantRules;
    use std::collections::HashMap;

    #[test]
    fn positions_have_one_code_exactly_if_they_are_images() {
        let board: Board = "4x4".parse().unwrap();
        let start = State::new(rules::start(board).unwrap().bitboards().unwrap(), 1);
        for (name, set) in RuleSet::NAMED {
            let game = VariantRules::<u64>::new(board, set).unwrap();
            let coder = VariantCoder::new(board, set);
            let (mut all, mut layer) = (Vec::new(), vec![start]);
            for _ in 0..3 {
                let next = layer.iter().step_by(1 + layer.len() / 40).flat_map(|state| {
                    game.moves(state).into_iter().map(|played| game.play_unchecked(state, played))
                });
                layer = next.collect();
                all.extend_from_slice(&layer);
            }
            let mut classes: HashMap<State, VariantCode> = HashMap::new();
            let mut by_code: HashMap<VariantCode, State> = HashMap::new();
            for state in all {
                let images = Symmetry::all(board).into_iter();
                let least = images.map(|symmetry| state.mapped(board, &symmetry)).min().unwrap();
                let code = coder.code(&state);
                assert_eq!(*classes.entry(least).or_insert(code), code, "{name}");
                assert_eq!(*by_code.entry(code).or_insert(least), least, "{name}");
                assert_eq!(coder.state(&coder.plain(&state)), Some(state), "{name}");
                let image = coder.state(&code).unwrap();
                assert_eq!((coder.code(&image), coder.plain(&image)), (code, code), "{name}");
            }
            assert!(classes.len() > 100, "{name}: {}", classes.len());
        }
    }

    #[test]
    fn what_is_no_position_has_no_code() {
        let board: Board = "4x4".parse().unwrap();
        let good = VariantCode { squares: 1, turn: [1, 0], ..VariantCode::default() };
        let state = |rules: RuleSet, code| VariantCoder::new(board, rules).state(&code);
        let walls = |north: u64, east: u64| u128::from(north) | u128::from(east) << 64;
        for (rules, code, is_one) in [
            (RuleSet::KILLER, good, true),
            (RuleSet::KILLER, VariantCode { squares: 1 << 32, ..good }, false),
            (RuleSet::KILLER, VariantCode { walls: 1, ..good }, false),
            (RuleSet::KILLER, VariantCode { turn: [0, 0], ..good }, false),
            (RuleSet::KILLER, VariantCode { turn: [2, 0], ..good }, false),
            (RuleSet::KILLER, VariantCode { turn: [1, 1], ..good }, false),
            (RuleSet::KILLER, VariantCode { moved: 1, ..good }, false),
            (RuleSet::TROMAZONS, VariantCode { walls: walls(1 << 11, 1 << 2), ..good }, true),
            (RuleSet::TROMAZONS, VariantCode { walls: walls(1 << 12, 0), ..good }, false),
            (RuleSet::TROMAZONS, VariantCode { walls: walls(0, 1 << 3), ..good }, false),
            (RuleSet::TROMAZONS, VariantCode { walls: walls(1 << 16, 0), ..good }, false),
            (RuleSet::TURNS_134, VariantCode { turn: [2, 1], ..good }, true),
            (RuleSet::TURNS_134, VariantCode { turn: [2, 1], moved: 1, ..good }, true),
            (RuleSet::TURNS_134, VariantCode { turn: [2, 1], moved: 2, ..good }, false),
            (RuleSet::TURNS_134, VariantCode { turn: [2, 3], ..good }, false),
            (RuleSet::TURNS_134, VariantCode { turn: [3, 3], ..good }, true),
            (RuleSet::TURNS_134, VariantCode { turn: [4, 0], ..good }, false),
        ] {
            assert_eq!(state(rules, code).is_some(), is_one, "{rules} {code:?}");
        }
    }
}
