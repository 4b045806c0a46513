//! Who cannot complete a turn of several moves.
//!
//! **Claim.** Let the side to move have k moves left of its turn, and take the squares that are
//! neither burned, nor the opponent's, nor of its amazons that have moved in the turn; where
//! amazons are captured, all that are not burned. In each connected set of these with `a` of its
//! amazons that have not moved it makes at most `a` moves, and at most as many as the set sees
//! moves ([`super::spent`]). If these numbers add up to less than k, it loses.
//!
//! **Proof.** Until the turn ends no other side moves, and each of its amazons moves at most once.
//! What is burned stays so. The opponent's amazons, and those that have moved, stay too, unless
//! they are captured; where that is possible their squares are in the sets. Steps and shots go from
//! square to near square and pass nothing, so an amazon acts in its connected set alone, and none
//! of these join. A move takes from the set what [`super::spent`] says. So the turn has at most as
//! many moves as the numbers add up to, and who cannot complete a turn has lost.

use super::near::Near;
use super::spent::Spent;
use crate::game::board::{Bitboard, BoardError};
use crate::game::variants::{State, VariantRules};

/// Sees that a turn cannot be completed, by the rules of one game on one board.
#[derive(Debug)]
pub(super) struct TurnBounds {
    near: Near,
    spent: Spent,
}

impl TurnBounds {
    /// For these rules; `None` if nothing can be counted by them, or all turns have one move, so
    /// that there is nothing to see.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more than 64 squares.
    pub(super) fn new(rules: &VariantRules) -> Result<Option<Self>, BoardError> {
        let (near, spent) = (Near::new(rules)?, Spent::new(rules.rules()));
        let near = near.filter(|_| !rules.rules().turns.is_single());
        Ok(near.map(|near| Self { near, spent }))
    }

    /// Whether the side to move has lost because it cannot complete its turn. `false` says nothing.
    pub(super) fn is_lost(&self, rules: &VariantRules, state: &State) -> bool {
        let left = rules.rules().turns.length(state.turn_number).saturating_sub(state.made);
        let squares = &state.squares;
        let blocked = match self.spent {
            Spent::SquaresOrAmazons => squares.arrows,
            Spent::Squares(_) | Spent::Walls => squares.arrows | squares.opponent | state.moved,
        };
        let (all, can_move): (Bitboard, _) =
            (rules.board().all(), squares.mover.without(state.moved));
        let components = self.near.components(rules, state, can_move, all.without(blocked));
        let moves = components.into_iter().map(|component| {
            self.spent.room(rules, state, component).min((can_move & component).len())
        });
        moves.sum::<usize>() < usize::from(left)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::Outcome;
    use crate::game::rules::colourings;
    use crate::game::variants::naive::NaiveVariantSolver;
    use crate::game::variants::{RuleSet, Walls};

    /// Every position of small boards with any number of amazons and any walls, and each that is
    /// met in a turn.
    #[test]
    fn a_turn_that_is_lost_is_lost_by_the_naive_solver() {
        let games = [
            (RuleSet::AMAZONS, "1,2"),
            (RuleSet::AMAZONS, "1,3,4"),
            (RuleSet::PENCIL, "2"),
            (RuleSet::COWBOYS, "1,2"),
            (RuleSet::KILLER, "1,2"),
            (RuleSet::KILLER, "3"),
            (RuleSet::TROMAZONS, "1,2"),
        ];
        for (named, turns) in games {
            let rules = RuleSet { turns: turns.parse().unwrap(), ..named };
            let boards = if named.burns() { ["4x2", "2x3", "6x1"] } else { ["2x2", "4x1", "5x1"] };
            let (mut lost, mut within) = (0, 0);
            for board in boards {
                let rules = VariantRules::new(board.parse().unwrap(), rules).unwrap();
                let bounds = TurnBounds::new(&rules).unwrap().unwrap();
                let mut naive = NaiveVariantSolver::new(rules.clone());
                for state in states_in_turns(&rules) {
                    if bounds.is_lost(&rules, &state) {
                        let found = naive.outcome(&state);
                        assert_eq!(found, Outcome::Loss, "{named} {board} {state:?}");
                        lost += 1;
                        within += u32::from(state.goes_on() && rules.can_move(&state));
                    }
                }
            }
            assert!(lost > 1000, "{named} {lost}");
            // With one move left a turn is lost if there is no move, which the rules tell.
            let is_long = turns != "1,2" && turns != "2";
            assert!(!is_long || within > 0, "{named} {turns}");
        }
    }

    /// All that are met from the beginnings of turns to their ends.
    fn states_in_turns(rules: &VariantRules) -> HashSet<State> {
        let walls = Walls::all(rules.rules(), rules.board());
        let (mut met, mut left) = (HashSet::new(), Vec::new());
        for squares in colourings(rules.board()) {
            for number in 1..=rules.rules().turns.count() {
                left.extend(
                    walls.iter().map(|&walls| State { walls, ..State::new(squares, number) }),
                );
            }
        }
        while let Some(state) = left.pop() {
            if met.insert(state) {
                let after = rules.moves(&state).into_iter();
                let after = after.map(|played| rules.play_unchecked(&state, played));
                left.extend(after.filter(State::goes_on));
            }
        }
        met
    }

    #[test]
    fn a_turn_of_one_move_needs_no_bound() {
        for named in [RuleSet::AMAZONS, RuleSet::KILLER] {
            let rules = VariantRules::new("4x4".parse().unwrap(), named).unwrap();
            assert!(TurnBounds::new(&rules).unwrap().is_none());
        }
    }
}
