//! Who wins by a count of moves, where the rules let it be told.
//!
//! **Components.** A component is a connected set of squares that are not burned, by [near
//! squares](super::near); those of the amazons belong to it. Steps and shots go from square to near
//! square and pass nothing that is burned and no wall, so an amazon acts inside its component
//! alone. No square becomes unburned and no wall falls, so components never join: the position is
//! their sum. Each sees a number m of moves of both sides together at the most ([`super::spent`]).
//!
//! **Claim.** Let L be the longest play of a side that moves in a component alone. To the side to
//! move a component is worth
//!
//! | amazons there | at least | at most |
//! |---|---|---|
//! | its own alone | L | L |
//! | the opponent's alone | -L | -L |
//! | of both | -m | m |
//!
//! and it wins if the least values add up to 1 or more, and loses if the most add up to 0 or less.
//!
//! **Proof.** A game in which one side alone can move is worth the length of its longest play. Let
//! G have amazons of both and G - m be played, the side to move first: it makes at most m moves in
//! G, and to each the opponent has one of its m moves in -m as an answer, so the opponent moves
//! last. Hence G <= m, and by the same argument -m <= G. So the position is worth at least the sum
//! of the least values, and at most the sum of the most. If it is worth 1 or more, the side to move
//! wins, whoever begins. If it is worth 0 or less, the side to move loses, because it begins.
//! Nothing of this asks who has amazons in G later, so captures do not matter; where one side alone
//! has amazons it may capture its own, and its longest play is that over these moves too.
//!
//! It does not hold for turns of several moves, which use up the moves of a component at another
//! rate than one by one.

use super::near::Near;
use super::spent::Spent;
use crate::game::Outcome;
use crate::game::board::{Bitboard, BoardError};
use crate::game::rules::Bitboards;
use crate::game::variants::{State, VariantRules};

/// Moves that are looked at to find a longest play.
const LOOKED_AT: u32 = 100;

/// Counts moves by the rules of one game on one board.
#[derive(Debug)]
pub(super) struct VariantBounds {
    near: Near,
    spent: Spent,
}

/// How many moves each side has left, by the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovesLeft {
    /// The moves of the side to move in what it has alone, at least and at most.
    pub mover: [i32; 2],
    /// Those of the other side.
    pub opponent: [i32; 2],
    /// The moves of both together in what both have amazons in, at most.
    pub contested: i32,
}

impl MovesLeft {
    /// What the position is worth to the side to move, at least and at most.
    pub fn lead(&self) -> [i32; 2] {
        let Self { mover, opponent, contested } = *self;
        [mover[0] - opponent[1] - contested, mover[1] - opponent[0] + contested]
    }

    /// What the side to move reaches, if that is told.
    pub fn outcome(&self) -> Option<Outcome> {
        let [least, most] = self.lead();
        match (least, most) {
            (1.., _) => Some(Outcome::Win),
            (_, ..=0) => Some(Outcome::Loss),
            _ => None,
        }
    }
}

/// A component that has amazons.
struct Component {
    squares: Bitboard,
    has_mover: bool,
    has_opponent: bool,
    /// The most moves that it sees.
    most: i32,
}

impl VariantBounds {
    /// Counts for these rules; `None` if nothing can be counted by them.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more than 64 squares.
    pub(super) fn new(rules: &VariantRules) -> Result<Option<Self>, BoardError> {
        let (near, spent) = (Near::new(rules)?, Spent::new(rules.rules()));
        let near = near.filter(|_| rules.rules().turns.is_single());
        Ok(near.map(|near| Self { near, spent }))
    }

    /// What the side to move reaches, if the counts tell it.
    pub(super) fn outcome(&self, rules: &VariantRules, state: &State) -> Option<Outcome> {
        let components = self.components(rules, state);
        let (mut contested, mut own, mut other) = (0, 0, 0);
        for component in &components {
            *match (component.has_mover, component.has_opponent) {
                (true, true) => &mut contested,
                (true, false) => &mut own,
                _ => &mut other,
            } += component.most;
        }
        // If the most that a side can have alone is not enough, its longest plays are not, either.
        if own <= contested && other < contested {
            return None;
        }
        self.count_in(rules, state, &components).outcome()
    }

    /// How many moves each side has left.
    pub(super) fn count(&self, rules: &VariantRules, state: &State) -> MovesLeft {
        self.count_in(rules, state, &self.components(rules, state))
    }

    fn count_in(&self, rules: &VariantRules, state: &State, components: &[Component]) -> MovesLeft {
        let mut left = MovesLeft { mover: [0, 0], opponent: [0, 0], contested: 0 };
        for component in components {
            let side = match (component.has_mover, component.has_opponent) {
                (true, true) => {
                    left.contested += component.most;
                    continue;
                }
                (true, false) => &mut left.mover,
                _ => &mut left.opponent,
            };
            let (some, all) = longest_play_in(rules, state, component);
            *side = [side[0] + some, side[1] + all];
        }
        left
    }

    fn components(&self, rules: &VariantRules, state: &State) -> Vec<Component> {
        let Bitboards { mover, opponent, arrows } = state.squares;
        let open = rules.board().all::<u64>().without(arrows);
        let components = self.near.components(rules, state, mover | opponent, open).into_iter();
        let component = |squares: Bitboard| Component {
            squares,
            has_mover: !(mover & squares).is_empty(),
            has_opponent: !(opponent & squares).is_empty(),
            most: self.spent.room(rules, state, squares) as i32,
        };
        components.map(component).collect()
    }
}

/// The longest play of the one side that a component has amazons of, at least and at most.
fn longest_play_in(rules: &VariantRules, state: &State, component: &Component) -> (i32, i32) {
    let Bitboards { mover, opponent, .. } = state.squares;
    let squares = Bitboards {
        mover: (mover | opponent) & component.squares,
        opponent: Bitboard::EMPTY,
        arrows: state.squares.arrows | rules.board().all::<u64>().without(component.squares),
    };
    let mut left = LOOKED_AT;
    let alone = State { squares, ..*state };
    let found = longest_play(rules, &alone, component.most, &mut left);
    (found, if left == 0 { component.most } else { found })
}

/// The most moves of a play of the mover alone that were seen before `left` came to 0, which each
/// move looked at makes smaller. There are at most `most` moves.
fn longest_play(rules: &VariantRules, state: &State, most: i32, left: &mut u32) -> i32 {
    let mut longest = 0;
    rules.for_each_move(state, |played| {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let after = rules.play_unchecked(state, played);
        let after = State { squares: after.squares.swapped(), ..after };
        longest = longest.max(1 + longest_play(rules, &after, most - 1, left));
        longest < most
    });
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Board;
    use crate::game::rules::colourings;
    use crate::game::variants::naive::NaiveVariantSolver;
    use crate::game::variants::{RuleSet, Walls};

    fn bounds(board: &str, rules: RuleSet) -> (VariantRules, Option<VariantBounds>) {
        let board: Board = board.parse().unwrap();
        let rules = VariantRules::new(board, rules).unwrap();
        let bounds = VariantBounds::new(&rules).unwrap();
        (rules, bounds)
    }

    /// Every position of small boards, of any number of amazons and with any walls.
    #[test]
    fn counts_never_contradict_the_naive_solver() {
        let games = [
            (RuleSet::AMAZONS, ["3x3", "4x2", "2x4", "8x1"]),
            (RuleSet::PENCIL, ["3x3", "4x2", "2x4", "8x1"]),
            (RuleSet::COWBOYS, ["3x3", "4x2", "2x4", "8x1"]),
            (RuleSet::KILLER, ["3x3", "4x2", "2x4", "8x1"]),
            (RuleSet::TROMAZONS, ["5x1", "3x2", "2x3", "6x1"]),
        ];
        for (named, boards) in games {
            for board in boards {
                let (rules, bounds) = bounds(board, named);
                let (bounds, mut told) = (bounds.unwrap(), [0, 0]);
                let mut naive = NaiveVariantSolver::new(rules.clone());
                let walls = Walls::all(named, rules.board());
                let squares = colourings(rules.board());
                let states = squares.flat_map(|squares| {
                    walls.iter().map(move |&walls| State { walls, ..State::new(squares, 1) })
                });
                for state in states {
                    let left = bounds.count(&rules, &state);
                    let counted = left.outcome();
                    assert!(counted.is_none_or(|counted| counted == naive.outcome(&state)));
                    if let Some(outcome) = bounds.outcome(&rules, &state) {
                        assert_eq!(counted, Some(outcome));
                        assert_eq!(outcome, naive.outcome(&state), "{named} {board} {state:?}");
                        told[usize::from(outcome.is_win())] += 1;
                    }
                }
                // Knights have no leaps on one row, and who is to move has lost.
                let wins = board != "8x1" || named != RuleSet::COWBOYS;
                assert!(told[0] > 1000 && (told[1] > 1000) == wins, "{named} {board} {told:?}");
            }
        }
    }

    #[test]
    fn nothing_is_counted_where_it_does_not_hold() {
        let turns = RuleSet { turns: "1,2".parse().unwrap(), ..RuleSet::AMAZONS };
        for rules in [RuleSet::TURNS_134, turns] {
            assert!(bounds("4x4", rules).1.is_none(), "{rules}");
        }
    }
}
