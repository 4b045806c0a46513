//! Who wins by a count of moves, where the rules let it be told.
//!
//! **Components.** Two squares are *near* if a king step lies between them, in games of queens, or
//! a leap, in games of knights. A component is a connected set of squares that are not burned;
//! those of the amazons belong to it. Steps and shots go from square to near square and pass
//! nothing that is burned, so an amazon acts inside its component alone. No square becomes
//! unburned, so components never join: the position is their sum.
//!
//! **Moves.** A move takes the square it steps to and the square it burns, and gives back the
//! square it leaves, unless that burns too. So each move leaves `spent` empty squares fewer in its
//! component, 1 or 2, and a component with `e` of them sees at most `m = e / spent` moves of both
//! sides together.
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
//!
//! It holds neither where amazons are captured, since a component then loses its owner, nor where
//! walls are built, since they leave the squares, nor for turns of several moves, which use up the
//! moves of a component at another rate than one by one.

use crate::game::Outcome;
use crate::game::board::{Bitboard, BoardError, Kings, Leaps};
use crate::game::rules::Bitboards;
use crate::game::variants::{Origin, RuleSet, Shot, State, Step, Turns, VariantRules};

/// Moves that are looked at to find a longest play.
const LOOKED_AT: u32 = 100;

/// Counts moves by the rules of one game on one board.
#[derive(Debug)]
pub(super) struct VariantBounds {
    near: Near,
    /// Empty squares that a move leaves fewer.
    spent: usize,
}

#[derive(Debug)]
enum Near {
    King(Kings<u64>),
    Leap(Leaps<u64>),
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

/// The amazons and the empty squares of a component.
struct Component {
    mover: Bitboard,
    opponent: Bitboard,
    empty: Bitboard,
}

impl VariantBounds {
    /// Counts for these rules; `None` if nothing can be counted by them.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more than 64 squares.
    pub(super) fn new(rules: &VariantRules) -> Result<Option<Self>, BoardError> {
        let (board, RuleSet { step, origin, shot, turns }) = (rules.board(), rules.rules());
        let near = match (step, shot) {
            (Step::Queen, Shot::Queen) => Near::King(Kings::new(board)?),
            (Step::Knight, Shot::Knight) => Near::Leap(Leaps::new(board)?),
            _ => return Ok(None),
        };
        let spent = match origin {
            Origin::Empty => 1,
            Origin::Burns => 2,
        };
        Ok((turns == Turns::SINGLE).then_some(Self { near, spent }))
    }

    /// What the side to move reaches, if the counts tell it.
    pub(super) fn outcome(&self, rules: &VariantRules, state: &State) -> Option<Outcome> {
        let components = self.components(rules, state);
        let most = |component: &Component| (component.empty.len() / self.spent) as i32;
        let (mut contested, mut own, mut other) = (0, 0, 0);
        for component in &components {
            *match (component.mover.is_empty(), component.opponent.is_empty()) {
                (false, false) => &mut contested,
                (false, true) => &mut own,
                _ => &mut other,
            } += most(component);
        }
        // If the most that a side can have alone is not enough, its longest plays are not, either.
        if own <= contested && other < contested {
            return None;
        }
        self.count_in(rules, &components).outcome()
    }

    /// How many moves each side has left.
    pub(super) fn count(&self, rules: &VariantRules, state: &State) -> MovesLeft {
        self.count_in(rules, &self.components(rules, state))
    }

    fn count_in(&self, rules: &VariantRules, components: &[Component]) -> MovesLeft {
        let mut left = MovesLeft { mover: [0, 0], opponent: [0, 0], contested: 0 };
        for component in components {
            let most = (component.empty.len() / self.spent) as i32;
            let side = match (component.mover.is_empty(), component.opponent.is_empty()) {
                (false, false) => {
                    left.contested += most;
                    continue;
                }
                (false, true) => &mut left.mover,
                _ => &mut left.opponent,
            };
            let (some, all) = self.longest_play(rules, component, most);
            *side = [side[0] + some, side[1] + all];
        }
        left
    }

    /// The components that have amazons.
    fn components(&self, rules: &VariantRules, state: &State) -> Vec<Component> {
        let Bitboards { mover, opponent, .. } = state.squares;
        let empty = state.squares.empty(rules.board());
        let (mut rest, mut found) = (mover | opponent, Vec::new());
        while let Some(seed) = rest.first() {
            let squares = self.flood(Bitboard::of(seed), mover | opponent | empty);
            rest = rest.without(squares);
            let [mover, opponent, empty] = [mover, opponent, empty].map(|set| set & squares);
            found.push(Component { mover, opponent, empty });
        }
        found
    }

    fn flood(&self, seed: Bitboard, within: Bitboard) -> Bitboard {
        match &self.near {
            Near::King(kings) => kings.flood(seed, within),
            Near::Leap(leaps) => leaps.flood(seed, within),
        }
    }

    /// The longest play of the one side that a component has amazons of, at least and at most.
    fn longest_play(&self, rules: &VariantRules, component: &Component, most: i32) -> (i32, i32) {
        let amazons = component.mover | component.opponent;
        let squares = Bitboards {
            mover: amazons,
            opponent: Bitboard::EMPTY,
            arrows: rules.board().all().without(amazons | component.empty),
        };
        let mut left = LOOKED_AT;
        let found = longest_play(rules, &squares, most, &mut left);
        (found, if left == 0 { most } else { found })
    }
}

/// The most moves of a play of the mover alone that were seen before `left` came to 0, which each
/// move looked at makes smaller. There are at most `most` moves.
fn longest_play(rules: &VariantRules, squares: &Bitboards, most: i32, left: &mut u32) -> i32 {
    let (state, mut longest) = (State::new(*squares, 1), 0);
    rules.for_each_move(&state, |played| {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let after = rules.play_unchecked(&state, played).squares.swapped();
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

    fn bounds(board: &str, rules: RuleSet) -> (VariantRules, Option<VariantBounds>) {
        let board: Board = board.parse().unwrap();
        let rules = VariantRules::new(board, rules).unwrap();
        let bounds = VariantBounds::new(&rules).unwrap();
        (rules, bounds)
    }

    /// Every position of small boards, of any number of amazons.
    #[test]
    fn counts_never_contradict_the_naive_solver() {
        for named in [RuleSet::AMAZONS, RuleSet::PENCIL, RuleSet::COWBOYS] {
            for board in ["3x3", "4x2", "2x4", "8x1"] {
                let (rules, bounds) = bounds(board, named);
                let (bounds, mut told) = (bounds.unwrap(), [0, 0]);
                let mut naive = NaiveVariantSolver::new(rules.clone());
                for squares in colourings(rules.board()) {
                    let state = State::new(squares, 1);
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
        for rules in [RuleSet::KILLER, RuleSet::TURNS_134, RuleSet::TROMAZONS, turns] {
            assert!(bounds("4x4", rules).1.is_none(), "{rules}");
        }
    }
}
