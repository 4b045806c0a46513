//! The seam to solved tables.

use std::fmt::Debug;

use super::board_data::BoardData;
use super::reduction::Sum;
use crate::game::Outcome;
use crate::game::board::Word;
use crate::game::rules::{Colour, Position};

/// Something that knows the value of some positions, for instance a table of a backward solver. It
/// must never be wrong.
pub trait Oracle: Sync + Debug {
    /// What the side to move reaches in this position; `None` if that is not known here.
    /// Squares that no amazon can reach may come as burned, and amazons that cannot take part any
    /// more may be missing.
    fn outcome(&self, position: &Position) -> Option<Outcome>;
}

/// What an oracle says of a sum without spare moves.
pub(in crate::search) fn ask<W: Word>(
    oracle: &dyn Oracle,
    data: &BoardData<W>,
    sum: &Sum<W>,
) -> Option<Outcome> {
    let position = sum.squares().position(data.kings.all());
    if sum.spare != 0 {
        return None;
    }
    // Colours do not matter, only who is to move.
    oracle.outcome(&Position::new(data.board(), &position, Colour::White).ok()?)
}
