//! The sides that the user plays.

use crate::game::rules::Colour;

/// The sides the user plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Side {
    /// White
    White,
    /// Black
    Black,
    /// Both: the program only keeps the board and gives hints
    Both,
    /// None: the program plays against itself
    None,
}

impl Side {
    /// Whether the user plays this colour.
    pub(super) fn has(self, colour: Colour) -> bool {
        match self {
            Self::White => colour == Colour::White,
            Self::Black => colour == Colour::Black,
            Self::Both => true,
            Self::None => false,
        }
    }
}
