//! Who is ahead in a position by its parts, and who wins by that.

use super::allowance::Allowance;
use super::partition::{Component, partition};
use super::territory::Territories;
use crate::game::Outcome;
use crate::game::board::{Kings, Word};
use crate::game::rules::{Colour, Position};

/// By how many moves a player is ahead, whoever moves next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lead {
    /// At least.
    pub least: i32,
    /// At most.
    pub most: i32,
}

impl Lead {
    /// Left's in a sum of components.
    pub fn of<W: Word>(components: &[Component<W>]) -> Self {
        let sum = |bound: fn(&Component<W>) -> i32| components.iter().map(bound).sum();
        Self { least: sum(|component| component.low), most: sum(|component| component.high) }
    }

    /// A side's in a position: what each side holds, counted, and bounds of what is contested.
    pub fn in_position(position: &Position, side: Colour) -> Self {
        let black = Self::of(&components_of(position));
        match side {
            Colour::Black => black,
            Colour::White => black.reversed(),
        }
    }

    /// What the player reaches who is to move, if the bounds tell: it must be ahead to win, since
    /// it runs out of moves first where nobody is.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self { least: 1.., .. } => Some(Outcome::Win),
            Self { most: ..=0, .. } => Some(Outcome::Loss),
            _ => None,
        }
    }

    /// The other player's.
    pub fn reversed(self) -> Self {
        Self { least: -self.most, most: -self.least }
    }
}

/// The components of a position with their parts and bounds. Black is Left, as in values.
pub fn components_of(position: &Position) -> Vec<Component<u128>> {
    let kings = Kings::<u128>::new(position.board()).expect("every board fits 128 bits");
    let (left, right) = (position.amazons(Colour::Black), position.amazons(Colour::White));
    let empty = kings.all().without(left | right | position.setup().arrows);
    partition(&kings, &Territories::new(), &Allowance::default(), left, right, empty)
}
