//! A position: a board, the amazons of both sides, the burned squares, and whose turn it is.
//!
//! A [`Position`] is legal by construction: it has at least one amazon, all its squares are on its
//! board, and none is used twice. It is read and written as FEN:
//!
//! ```
//! use amazons::{Move, Position};
//!
//! let start = Position::start("5x5".parse()?)?;
//! assert_eq!(start.to_string(), "1q1q1/q3q/5/Q3Q/1Q1Q1 w");
//!
//! let played: Move = "b1-b3/d3".parse()?;
//! assert!(start.moves().any(|legal| legal == played));
//! let after = start.play(played)?;
//! assert_eq!(after, "1q1q1/q3q/1Q1*1/Q3Q/3Q1 b".parse()?);
//!
//! let error = start.play("b1-b5/d3".parse()?).unwrap_err();
//! assert!(error.to_string().ends_with("no queen move over empty squares to b5"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::moves::{Move, MoveError};
use super::{
    Amazons, Bitboards, Colour, Flaw, IllegalMove, IllegalSetup, IndexedMove, Rules, Setup,
};
use crate::game::board::{Bitboard, Board, Symmetry, U512, Word, in_word};

/// A legal position with colours: at least one amazon, all squares on the board, none used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position(Setup);

/// Why a move cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// No move of this board.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move that the rules forbid.
    #[error("{played} is illegal: {}", why(*played, *turn, *reason))]
    Illegal {
        /// The move.
        played: Move,
        /// The side to move.
        turn: Colour,
        /// Why it is forbidden.
        reason: IllegalMove,
    },
}

/// The reason in words, with the squares of the move.
fn why(Move { from, to, arrow }: Move, turn: Colour, reason: IllegalMove) -> String {
    match reason {
        IllegalMove::OffBoard => reason.to_string(),
        IllegalMove::NoAmazon => format!("{turn} to move has no amazon on {from}"),
        IllegalMove::Step => {
            format!("the amazon on {from} has no queen move over empty squares to {to}")
        }
        IllegalMove::Shot => format!("from {to} there is no shot over empty squares to {arrow}"),
    }
}

impl Position {
    /// Gives colours to a position of the rules.
    ///
    /// # Errors
    /// Every flaw found, see [`Setup::check`].
    #[doc(hidden)]
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

    /// The same position with the other side to move, as after a spare move
    /// ([`margin`](crate::game::margin)).
    #[must_use]
    pub fn passed(&self) -> Self {
        Self(Setup { turn: self.0.turn.other(), ..self.0 })
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.0.board
    }

    /// The side to move.
    pub fn turn(&self) -> Colour {
        self.0.turn
    }

    /// How many amazons each side has.
    pub fn sides(&self) -> Amazons {
        Amazons { white: self.0.white.len(), black: self.0.black.len() }
    }

    /// How many squares are burned.
    pub fn burned(&self) -> usize {
        self.0.arrows.len()
    }

    /// How many squares are empty.
    pub fn empty_squares(&self) -> usize {
        let Amazons { white, black } = self.sides();
        self.board().squares() - self.burned() - white - black
    }

    /// Whether a symmetry of the board takes the amazons of each side to those of the other, and the
    /// burned squares to themselves: neither side is better off but by its turn. So are start
    /// positions with as many amazons a side.
    pub fn is_own_image_exchanged(&self) -> bool {
        let Setup { board, white, black, arrows, .. } = self.0;
        Symmetry::all(board).iter().any(|map| {
            map.set(white) == black && map.set(black) == white && map.set(arrows) == arrows
        })
    }

    /// The legal moves, in increasing order. A side that has none has lost.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + use<> {
        let board = self.board();
        let named = move |played| Move::of(board, played).expect("a move of the board");
        self.indexed_moves().into_iter().map(named)
    }

    /// As [`Self::moves`], by the squares' numbers.
    pub(crate) fn indexed_moves(&self) -> Vec<IndexedMove> {
        in_word!(self.board(), W => self.rules::<W>().moves(&self.plain()))
    }

    /// Whether the side to move has a move.
    pub(in crate::game) fn can_move(&self) -> bool {
        in_word!(self.board(), W => self.rules::<W>().can_move(&self.plain()))
    }

    /// The position after a move.
    ///
    /// # Errors
    /// [`PlayError`] if the move has a square that the board does not have, or is illegal.
    pub fn play(&self, played: Move) -> Result<Self, PlayError> {
        let board = self.board();
        let indexed = played.on(board).map_err(MoveError::from)?;
        let illegal = |reason| PlayError::Illegal { played, turn: self.turn(), reason };
        in_word!(board, W => {
            let after = self.rules::<W>().play(&self.plain(), indexed).map_err(illegal)?;
            Ok(Self::new(board, &after, self.turn().other()).expect("legal moves lead to positions"))
        })
    }

    /// As [`Self::play`], for a move by the numbers of its squares.
    ///
    /// # Errors
    /// As [`Self::play`].
    #[doc(hidden)]
    pub fn play_indexed(&self, played: IndexedMove) -> Result<Self, PlayError> {
        self.play(Move::of(self.board(), played).map_err(MoveError::from)?)
    }

    /// The rules in a word that fits the board.
    fn rules<W: Word>(&self) -> Rules<W> {
        Rules::new(self.board()).expect("the board fits the word")
    }

    /// The squares in a word that fits the board.
    fn plain<W: Word>(&self) -> Bitboards<W> {
        self.bitboards().expect("the board fits the word")
    }

    /// The squares with their colours.
    #[doc(hidden)]
    pub fn setup(&self) -> Setup {
        self.0
    }

    /// The amazons of one side.
    #[doc(hidden)]
    pub fn amazons(&self, colour: Colour) -> Bitboard<U512> {
        match colour {
            Colour::White => self.0.white,
            Colour::Black => self.0.black,
        }
    }

    /// The position without colours, `None` if the board has more squares than `W` has bits.
    #[doc(hidden)]
    pub fn bitboards<W: Word>(&self) -> Option<Bitboards<W>> {
        let mover = self.amazons(self.turn());
        let opponent = self.amazons(self.turn().other());
        let wide = Bitboards { mover, opponent, arrows: self.0.arrows };
        if self.board().fits::<W>() { wide.resize() } else { None }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_a_position_are_those_of_the_rules_on_every_board() {
        for (text, moves) in [
            ("1qq1/q2q/Q2Q/1QQ1 w", 88),
            ("3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w", 2176),
            ("Q9/10/10/10/10/10/10/10/10/9q b", 732),
            ("Q11/12/12/12/12/12/12/12/12/12/12/11q b", 1104),
        ] {
            let position: Position = text.parse().unwrap();
            assert_eq!(position.to_string(), text);
            assert_eq!(position.moves().len(), moves, "{text}");
            assert!(position.moves().is_sorted());
            for played in position.moves().step_by(97) {
                let after = position.play(played).unwrap();
                assert_eq!((after.turn(), after.burned()), (position.turn().other(), 1));
            }
        }
    }

    #[test]
    fn an_illegal_move_is_refused_with_the_reason() {
        let start: Position = "1q1q1/q3q/5/Q3Q/1Q1Q1 w".parse().unwrap();
        let cases = [
            ("b5-b4/b5", "b5-b4/b5 is illegal: white to move has no amazon on b5"),
            ("b1-b5/a1", "the amazon on b1 has no queen move over empty squares to b5"),
            ("b1-c3/a1", "the amazon on b1 has no queen move over empty squares to c3"),
            ("b1-b3/b5", "from b3 there is no shot over empty squares to b5"),
            ("b1-b3/f6", "square f6 is not on 5x5"),
        ];
        for (text, expected) in cases {
            let error = start.play(text.parse().unwrap()).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
