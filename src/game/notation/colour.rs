//! The words for the two sides: `white` and `black` in reports, `w` and `b` in FEN.

use std::str::FromStr;

use crate::game::excerpt::excerpt;
use crate::game::rules::Colour;

/// Text that names no side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected \"white\", \"black\", \"w\" or \"b\", found {0}")]
pub struct ColourError(String);

impl FromStr for Colour {
    type Err = ColourError;

    fn from_str(text: &str) -> Result<Self, ColourError> {
        match text {
            "w" | "white" => Ok(Self::White),
            "b" | "black" => Ok(Self::Black),
            _ => Err(ColourError(excerpt(text))),
        }
    }
}

/// The letter for a side in FEN.
pub(super) fn letter(colour: Colour) -> char {
    match colour {
        Colour::White => 'w',
        Colour::Black => 'b',
    }
}
