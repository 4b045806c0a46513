//! Who is ahead in a position by its parts, and who wins by that.

use super::allowance::Allowance;
use super::partition::{Component, partition};
use super::territory::Territories;
use crate::game::Outcome;
use crate::game::board::{Kings, Word, in_word};
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
        let black = in_word!(position.board(), W => Self::of(&components_of::<W>(position)));
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
///
/// # Panics
/// If the board does not fit the word.
pub fn components_of<W: Word>(position: &Position) -> Vec<Component<W>> {
    let fits = "the board fits the word";
    let kings = Kings::<W>::new(position.board()).expect(fits);
    let plain = position.bitboards::<W>().expect(fits);
    let (left, right) = match position.turn() {
        Colour::Black => (plain.mover, plain.opponent),
        Colour::White => (plain.opponent, plain.mover),
    };
    let empty = plain.empty(position.board());
    partition(&kings, &Territories::new(), &Allowance::default(), left, right, empty)
}
