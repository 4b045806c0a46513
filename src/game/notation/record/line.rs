//! The main line of a game: where it begins, the moves one after another, and how it is written.

use std::fmt;

use super::super::sgf::{Game, Style, Tree, games_text};
use crate::game::board::Bitboard;
use crate::game::rules::{Colour, IndexedMove, Position};
use crate::game::{Move, PlayError};

/// The main line of a recorded game. As text it is a board or a FEN and the moves after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    start: Position,
    moves: Vec<Move>,
    positions: Vec<Position>,
    moves_left_out: usize,
    remarks: Vec<String>,
}

impl Record {
    /// The main line of a game. Setup within it begins the line anew: what is before is left out.
    #[doc(hidden)]
    pub fn of(game: &Game) -> Self {
        let root = *game.position(Tree::ROOT);
        let mut start = game.played(Tree::ROOT).and_then(|played| before(&root, played));
        let (mut moves, mut positions, mut last) = (Vec::new(), Vec::new(), root);
        for node in game.tree().main_line() {
            let position = *game.position(node);
            match game.played(node) {
                Some(played) => {
                    moves.push(Move::of(position.board(), played).expect("a move of the board"));
                    positions.push(position);
                }
                None if position != last => {
                    start = Some(position);
                    moves.clear();
                    positions.clear();
                }
                None => {}
            }
            last = position;
        }
        let all = game.tree().ids().filter(|&node| game.played(node).is_some()).count();
        Self {
            start: start.unwrap_or(root),
            moves_left_out: all - moves.len(),
            moves,
            positions,
            remarks: game.remarks().iter().map(ToString::to_string).collect(),
        }
    }

    /// The record of moves from a position.
    ///
    /// # Errors
    /// The first move that is not legal.
    pub fn new(start: Position, moves: &[Move]) -> Result<Self, PlayError> {
        let (mut at, mut positions) = (start, Vec::new());
        for &played in moves {
            at = at.play(played)?;
            positions.push(at);
        }
        let moves = moves.to_vec();
        Ok(Self { start, moves, positions, moves_left_out: 0, remarks: Vec::new() })
    }

    /// The record as SGF, with its remarks left out.
    pub fn sgf(&self) -> String {
        let mut game = Game::new(&self.start, Style::default());
        let mut at = Tree::ROOT;
        for played in &self.moves {
            at = game.play(at, &played.to_string()).expect("its moves are legal");
        }
        games_text(&[game])
    }

    /// The position that it begins with.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves, one after another; the side to move of the start makes the first.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position after each move.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The last position.
    pub fn last(&self) -> &Position {
        self.positions.last().unwrap_or(&self.start)
    }

    /// How many moves the game has beside these: those of variations, and those before setup within
    /// it.
    pub fn moves_left_out(&self) -> usize {
        self.moves_left_out
    }

    /// In words, what the record says besides moves, and what was supposed where it says too
    /// little: who resigned, that colours were exchanged.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Position::start(self.start.board()) {
            Ok(start) if start == self.start => write!(f, "{}", start.board())?,
            _ => write!(f, "{}", self.start)?,
        }
        self.moves.iter().try_for_each(|played| write!(f, " {played}"))
    }
}

/// The position before a move that led to `after`.
fn before(after: &Position, played: IndexedMove) -> Option<Position> {
    let mut setup = after.setup();
    setup.turn = setup.turn.other();
    setup.arrows = setup.arrows.without(Bitboard::of(played.arrow));
    let amazons = match setup.turn {
        Colour::White => &mut setup.white,
        Colour::Black => &mut setup.black,
    };
    *amazons = amazons.without(Bitboard::of(played.to)).with(played.from);
    setup.check().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::{fen, parse_fen, parse_move, play_text};

    #[test]
    fn a_move_in_the_root_is_undone() {
        let (_, after) = play_text(&parse_fen("2q1/4/4/1Q2 w").unwrap(), "b1-b3/b1").unwrap();
        let played = parse_move(after.board(), "b1-b3/b1").unwrap();
        assert_eq!(fen(&before(&after, played).unwrap()), "2q1/4/4/1Q2 w");
    }

    #[test]
    fn an_illegal_move_makes_no_record() {
        let start: Position = "2q1/4/4/1Q2 w".parse().unwrap();
        let moves = ["b1-b3/b1", "c4-c3/c4"].map(|text| text.parse().unwrap());
        let record = Record::new(start, &moves).unwrap();
        assert_eq!(record.to_string(), "2q1/4/4/1Q2 w b1-b3/b1 c4-c3/c4");
        assert_eq!(record.last(), &record.positions()[1]);
        assert!(Record::new(start, &moves[1..]).is_err());
    }
}
