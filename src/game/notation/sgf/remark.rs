//! What a record says besides moves, and what a reader supposed where it says too little.

use std::fmt;

use crate::game::rules::Colour;

/// Something about a game that its moves do not say.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Remark {
    /// Without setup, the amazons of the start position are those of the other colour than usual in
    /// that form: the first move is played with one of them.
    ColoursExchanged {
        /// Whose amazons stand below.
        below: Colour,
    },
    /// The side to move was not said, and follows from the number of burned squares.
    TurnCounted {
        /// The side to move.
        turn: Colour,
        /// How many squares are burned.
        burned: usize,
    },
    /// A side gave the game up.
    Resigned(Colour),
    /// A side passed, which the game does not have: its line ends there.
    Passed(Colour),
    /// Who won, as the record says.
    Won(Colour),
    /// A result that names no winner.
    Result(String),
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ColoursExchanged { below } => write!(
                f,
                "colours exchanged: {below} has the amazons below, as the first move is played \
                 with one of them"
            ),
            Self::TurnCounted { turn, burned } => {
                write!(
                    f,
                    "{turn} is to move, as X is white, begins, and {burned} squares are burned"
                )
            }
            Self::Resigned(side) => write!(f, "{side} resigned"),
            Self::Passed(side) => {
                write!(f, "{side} passed, which the game does not have: the line ends there")
            }
            Self::Won(side) => write!(f, "by the record {side} won"),
            Self::Result(text) => write!(f, "the record has the result {text}"),
        }
    }
}

impl Remark {
    /// What it says as the value of the property `RE`.
    pub(super) fn result(&self) -> Option<&'static str> {
        match self {
            Self::Resigned(Colour::Black) => Some("W+R"),
            Self::Resigned(Colour::White) => Some("B+R"),
            Self::Won(Colour::White) => Some("W+"),
            Self::Won(Colour::Black) => Some("B+"),
            _ => None,
        }
    }
}
