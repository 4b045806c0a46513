//! What needs no search.

use super::bounds::{MovesLeft, VariantBounds};
use super::turns::TurnBounds;
use crate::game::Outcome;
use crate::game::board::{Board, BoardError};
use crate::game::variants::{RuleSet, State, VariantRules};

/// What the rules of a game, and bounds where they hold, tell of positions of one board of at most
/// 64 squares at first sight.
#[derive(Debug)]
pub struct Sight {
    rules: VariantRules,
    bounds: Option<VariantBounds>,
    turns: Option<TurnBounds>,
}

impl Sight {
    /// For these rules.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more than 64 squares.
    pub fn new(board: Board, rules: RuleSet) -> Result<Self, BoardError> {
        let rules = VariantRules::new(board, rules)?;
        let (bounds, turns) = (VariantBounds::new(&rules)?, TurnBounds::new(&rules)?);
        Ok(Self { rules, bounds, turns })
    }

    /// The rules.
    pub fn rules(&self) -> &VariantRules {
        &self.rules
    }

    /// How many moves each side has left; `None` where the rules let nothing be counted.
    pub fn moves_left(&self, state: &State) -> Option<MovesLeft> {
        self.bounds.as_ref().map(|bounds| bounds.count(&self.rules, state))
    }

    /// Whether the side to move cannot move, and so has lost by the rules.
    pub fn is_over(&self, state: &State) -> bool {
        !self.rules.can_move(state)
    }

    /// What the side to move reaches, if that is told: it has lost if it cannot move.
    pub fn outcome(&self, state: &State) -> Option<Outcome> {
        if self.is_over(state) {
            return Some(Outcome::Loss);
        }
        if self.turns.as_ref().is_some_and(|turns| turns.is_lost(&self.rules, state)) {
            return Some(Outcome::Loss);
        }
        self.bounds.as_ref().and_then(|bounds| bounds.outcome(&self.rules, state))
    }
}
