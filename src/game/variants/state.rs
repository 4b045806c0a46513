//! A position of a game of the family, seen by the side to move.

use super::walls::Walls;
use crate::game::Outcome;
use crate::game::board::{Bitboard, Word};
#[cfg(any(test, feature = "internals"))]
use crate::game::board::{Board, Symmetry};
use crate::game::rules::Bitboards;

/// A position without colours: its squares, its walls, and how far the turn is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State<W: Word = u64> {
    /// The amazons and the burned squares.
    pub squares: Bitboards<W>,
    /// The walls.
    pub walls: Walls<W>,
    /// The number of the turn, from 1; of those that are alike, that of the first.
    pub turn_number: u8,
    /// Moves made in this turn.
    pub made: u8,
    /// Where the amazons stand that have moved in this turn.
    pub moved: Bitboard<W>,
}

impl<W: Word> State<W> {
    /// At the beginning of a turn, without walls.
    pub fn new(squares: Bitboards<W>, turn_number: u8) -> Self {
        Self { squares, walls: Walls::default(), turn_number, made: 0, moved: Bitboard::EMPTY }
    }

    /// Whether the side to move has made a part of its turn, so that the move before was its own.
    pub fn goes_on(&self) -> bool {
        self.made > 0
    }

    /// What the move that led here reaches for its side, by what the side to move reaches.
    pub fn outcome_of_move(&self, outcome: Outcome) -> Outcome {
        if self.goes_on() { outcome } else { outcome.reversed() }
    }

    /// The image under a symmetry of the board.
    #[cfg(any(test, feature = "internals"))]
    pub fn mapped(&self, board: Board, symmetry: &Symmetry) -> Self {
        Self {
            squares: self.squares.mapped(symmetry),
            walls: self.walls.mapped(board, symmetry),
            moved: symmetry.set(self.moved),
            ..*self
        }
    }
}
