//! Positions with colours: unchecked as a [`Setup`], legal as a [`Position`].

use std::fmt;

use super::Bitboards;
use crate::game::board::{Bitboard, Board, Word};

/// A side. White moves first from a start position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Colour {
    /// White, who moves first; `Q` in FEN.
    White,
    /// Black; `q` in FEN.
    Black,
}

impl Colour {
    /// The other side.
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

/// Squares as somebody wrote them down; nothing is known of them yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The board.
    pub board: Board,
    /// White's amazons.
    pub white: Bitboard<u128>,
    /// Black's amazons.
    pub black: Bitboard<u128>,
    /// Burned squares.
    pub arrows: Bitboard<u128>,
    /// The side to move.
    pub turn: Colour,
}

/// One reason why a [`Setup`] is not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// There is no amazon at all.
    #[error("there is no amazon on the board")]
    NoAmazon,
    /// A square is not on the board.
    #[error("{count} of its squares are not on {board}")]
    OffBoard {
        /// How many.
        count: usize,
        /// The board.
        board: Board,
    },
    /// A square has amazons of both colours.
    #[error("{0} squares hold both a white and a black amazon")]
    TwoColours(usize),
    /// An amazon stands on a burned square.
    #[error("{0} amazons stand on burned squares")]
    Burned(usize),
}

/// Every reason why a [`Setup`] is not a position; never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a legal position: {}", join(.0))]
pub struct IllegalSetup(pub Vec<Flaw>);

fn join(flaws: &[Flaw]) -> String {
    flaws.iter().map(Flaw::to_string).collect::<Vec<_>>().join("; ")
}

impl Setup {
    /// The position, if these squares are one.
    ///
    /// # Errors
    /// Every flaw found.
    pub fn check(self) -> Result<Position, IllegalSetup> {
        let amazons = self.white | self.black;
        let off_board = (amazons | self.arrows).without(self.board.all()).len();
        let two_colours = (self.white & self.black).len();
        let burned = (amazons & self.arrows).len();
        let found = [
            amazons.is_empty().then_some(Flaw::NoAmazon),
            (off_board > 0).then_some(Flaw::OffBoard { count: off_board, board: self.board }),
            (two_colours > 0).then_some(Flaw::TwoColours(two_colours)),
            (burned > 0).then_some(Flaw::Burned(burned)),
        ];
        let flaws: Vec<Flaw> = found.into_iter().flatten().collect();
        if flaws.is_empty() { Ok(Position(self)) } else { Err(IllegalSetup(flaws)) }
    }
}

/// A legal position with colours: at least one amazon, all squares on the board, none used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(Setup);

impl Position {
    /// Gives colours to a position of the rules.
    ///
    /// # Errors
    /// Every flaw found, see [`Setup::check`].
    pub fn new<W: Word>(
        board: Board,
        position: &Bitboards<W>,
        turn: Colour,
    ) -> Result<Self, IllegalSetup> {
        let (mover, opponent) = (position.mover.widen(), position.opponent.widen());
        let (white, black) = match turn {
            Colour::White => (mover, opponent),
            Colour::Black => (opponent, mover),
        };
        Setup { board, white, black, arrows: position.arrows.widen(), turn }.check()
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.0.board
    }

    /// The side to move.
    pub fn turn(&self) -> Colour {
        self.0.turn
    }

    /// The squares with their colours.
    pub fn setup(&self) -> Setup {
        self.0
    }

    /// The amazons of one side.
    pub fn amazons(&self, colour: Colour) -> Bitboard<u128> {
        match colour {
            Colour::White => self.0.white,
            Colour::Black => self.0.black,
        }
    }

    /// The position without colours, `None` if the board has more squares than `W` has bits.
    pub fn bitboards<W: Word>(&self) -> Option<Bitboards<W>> {
        let mover = self.amazons(self.turn());
        let opponent = self.amazons(self.turn().other());
        let wide = Bitboards { mover, opponent, arrows: self.0.arrows };
        if self.board().fits::<W>() { wide.resize() } else { None }
    }
}
