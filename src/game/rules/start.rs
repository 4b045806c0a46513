//! Start positions.
//!
//! 10x10 is the classical game. On small boards the literature puts four amazons a side on the
//! (1,2)-points of the corners: White a2, b1 and their mirror images in the last files; Black is
//! the top-bottom mirror image.
//!
//! ```text
//!   4 | . q q .        5 | . q . q .
//!   3 | q . . q        4 | q . . . q
//!   2 | Q . . Q        3 | . . . . .
//!   1 | . Q Q .        2 | Q . . . Q
//!       a b c d        1 | . Q . Q .
//! ```

use std::fmt;
use std::str::FromStr;

use super::{Colour, Position, Setup};
use crate::game::board::{Bitboard, Board};

/// Amazons a side, White v Black: `4v4`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Amazons {
    /// White's amazons.
    pub white: usize,
    /// Black's amazons.
    pub black: usize,
}

/// Text that does not say how many amazons there are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("amazons are written WHITEvBLACK with at least one in all, for example 4v4, found {0:?}")]
pub struct AmazonsError(String);

impl fmt::Display for Amazons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.white, self.black)
    }
}

impl FromStr for Amazons {
    type Err = AmazonsError;

    fn from_str(text: &str) -> Result<Self, AmazonsError> {
        let number = |digits: &str| -> Option<usize> {
            let plain = !digits.is_empty()
                && digits.len() <= 3
                && digits.bytes().all(|b| b.is_ascii_digit());
            if plain { digits.parse().ok() } else { None }
        };
        let sides =
            text.split_once('v').and_then(|(white, black)| Some((number(white)?, number(black)?)));
        match sides {
            Some((white, black)) if white + black > 0 => Ok(Self { white, black }),
            _ => Err(AmazonsError(text.to_string())),
        }
    }
}

/// A board without a start position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no start position is defined for {0}: it needs at least 4 columns and 4 rows; give the position as FEN"
)]
pub struct StartError(Board);

/// The start position of a board, four amazons a side, White to move.
///
/// # Errors
/// [`StartError`] on boards with fewer than 4 columns or rows, where the amazons do not fit.
pub fn start(board: Board) -> Result<Position, StartError> {
    if board.columns() < 4 || board.rows() < 4 {
        return Err(StartError(board));
    }
    let white: &[(usize, usize)] = match (board.columns(), board.rows()) {
        (10, 10) => &[(0, 3), (3, 0), (6, 0), (9, 3)],
        (columns, _) => &[(0, 1), (1, 0), (columns - 2, 0), (columns - 1, 1)],
    };
    let squares = |mirror: bool| -> Bitboard<u128> {
        let rank = |rank: usize| if mirror { board.rows() - 1 - rank } else { rank };
        white.iter().filter_map(|&(file, r)| board.square(file, rank(r))).collect()
    };
    let setup = Setup {
        board,
        white: squares(false),
        black: squares(true),
        arrows: Bitboard::EMPTY,
        turn: Colour::White,
    };
    setup.check().map_err(|_| StartError(board))
}
