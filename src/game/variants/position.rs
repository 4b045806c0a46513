//! A position of a game of the family, with colours.

use super::generate::VariantRules;
use super::rule_set::RuleSet;
use super::single_move::{Arrow, SingleMove};
use super::start::variant_start;
use super::state::State;
use super::walls::{Side, Walls};
use crate::game::board::{Bitboard, Board, SquareIndex, U512, Word, in_word};
use crate::game::excerpt::excerpt;
use crate::game::notation::{parse_move, parse_square, square_text};
use crate::game::rules::{Amazons, Colour, IllegalMove, IndexedMove, Position, StartError};
use crate::game::{MoveError, Outcome, Square, SquareError};

/// A position with its rules, walls, and how far the turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VariantPosition {
    pub(super) rules: RuleSet,
    pub(super) position: Position,
    pub(super) walls: Walls<U512>,
    /// As in [`State`].
    pub(super) turn_number: u8,
    pub(super) made: u8,
    pub(super) moved: Bitboard<U512>,
}

/// Why a move cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantPlayError {
    /// No move of this board.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A square that is none of this board.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// Not the form of a move that builds a wall.
    #[error(
        "a move of tromazons is written from-to/side, the side being N, E, S or W, for example c8-c7/W, or c7W where one amazon alone can step there, found {0}"
    )]
    Wall(String),
    /// A square and a side alone, where it is not told which amazon steps there.
    #[error("{found}: {} can step to {to}, so expected from-to/side", amazons(from))]
    Origin {
        /// The move as it was written.
        found: String,
        /// Where an amazon is to step.
        to: String,
        /// The amazons that can step there, none or several.
        from: Vec<String>,
    },
    /// A move behind a `+` that is not of the same turn.
    #[error("{0} is no more of this turn: + joins the moves of one")]
    Turn(String),
    /// A move that the rules forbid.
    #[error("{played} is illegal by the rules {rules}: {reason}")]
    Illegal {
        /// The move.
        played: String,
        /// The rules.
        rules: RuleSet,
        /// Why it is forbidden.
        reason: String,
    },
}

/// Amazons by their squares, in words.
fn amazons(squares: &[String]) -> String {
    match squares {
        [] => "no amazon of the side to move".to_string(),
        squares => format!("the amazons on {}", squares.join(" and ")),
    }
}

impl VariantPosition {
    /// A position at the beginning of the first turn, without walls.
    pub fn new(rules: RuleSet, position: Position) -> Self {
        let walls = Walls::default();
        Self { rules, position, walls, turn_number: 1, made: 0, moved: Bitboard::EMPTY }
    }

    /// The start of a game on a board: see [`variant_start`].
    ///
    /// # Errors
    /// [`StartError`] if the amazons do not fit.
    pub fn start(
        rules: RuleSet,
        board: Board,
        amazons: Option<Amazons>,
    ) -> Result<Self, StartError> {
        Ok(Self::new(rules, variant_start(rules, board, amazons)?))
    }

    /// The position with this side to move, `None` if its squares are none of the board.
    pub(crate) fn of<W: Word>(
        board: Board,
        rules: RuleSet,
        state: &State<W>,
        turn: Colour,
    ) -> Option<Self> {
        Some(Self {
            rules,
            position: Position::new(board, &state.squares, turn).ok()?,
            walls: state.walls.resize()?,
            turn_number: state.turn_number,
            made: state.made,
            moved: state.moved.resize()?,
        })
    }

    /// The rules.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The squares and the side to move.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.position.board()
    }

    /// The walls.
    pub fn walls(&self) -> Walls<U512> {
        self.walls
    }

    /// The position without colours, `None` if the board has more squares than `W` has bits.
    pub fn state<W: Word>(&self) -> Option<State<W>> {
        let squares = self.position.bitboards()?;
        let (walls, moved) = (self.walls.resize()?, self.moved.resize()?);
        Some(State { squares, walls, turn_number: self.turn_number, made: self.made, moved })
    }

    /// The rules in a word that fits the board, and the position in it.
    fn in_rules<W: Word>(&self) -> (VariantRules<W>, State<W>) {
        let rules = VariantRules::new(self.board(), self.rules);
        let fits = "the board fits the word";
        (rules.expect(fits), self.state().expect(fits))
    }

    /// The legal moves of one amazon, in increasing order. A side that has none has lost.
    pub fn moves(&self) -> Vec<SingleMove> {
        in_word!(self.board(), W => {
            let (rules, state) = self.in_rules::<W>();
            rules.moves(&state)
        })
    }

    /// Whether the side to move has a move.
    pub fn can_move(&self) -> bool {
        in_word!(self.board(), W => {
            let (rules, state) = self.in_rules::<W>();
            rules.can_move(&state)
        })
    }

    /// The position after a move of one amazon.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn play(&self, played: SingleMove) -> Result<Self, VariantPlayError> {
        let board = self.board();
        Square::of(board, played.from)?;
        Square::of(board, played.to)?;
        if let Arrow::Square(square) = played.arrow {
            Square::of(board, square)?;
        }
        in_word!(board, W => {
            let (rules, state) = self.in_rules::<W>();
            let after = rules.play(&state, played);
            Ok(self.after(&after.map_err(|reason| self.illegal(played, reason))?))
        })
    }

    /// The position that a legal move from here leads to, which is `after` without colours.
    pub(crate) fn after<W: Word>(&self, after: &State<W>) -> Self {
        let mover = self.position.turn();
        let turn = if after.goes_on() { mover } else { mover.other() };
        let position = Self::of(self.board(), self.rules, after, turn);
        position.expect("legal moves lead to positions")
    }

    fn illegal(&self, played: SingleMove, reason: IllegalMove) -> VariantPlayError {
        let text = played.text(self.board());
        let turn = self.position.turn();
        let reason = match reason {
            IllegalMove::OffBoard => reason.to_string(),
            IllegalMove::NoAmazon => {
                format!("{turn} to move has no amazon there, or it has moved in this turn")
            }
            IllegalMove::Step => "the amazon cannot step there".to_string(),
            IllegalMove::Shot => match played.arrow {
                Arrow::Square(_) => "the amazon cannot shoot there after its step".to_string(),
                Arrow::Wall(_) => "there is a wall or the edge of the board".to_string(),
            },
        };
        VariantPlayError::Illegal { played: text, rules: self.rules, reason }
    }

    /// Reads a move of one amazon, or several of one turn that are joined by `+`, and plays them.
    ///
    /// # Errors
    /// The first that is not a legal move, or [`VariantPlayError::Turn`].
    pub fn play_text(&self, text: &str) -> Result<Self, VariantPlayError> {
        let mut words = text.split('+').map(str::trim);
        let first = words.next().unwrap_or_default();
        let first = self.play(self.parse_move(first)?)?;
        words.try_fold(first, |at, single| match at.goes_on() {
            true => at.play(at.parse_move(single)?),
            false => Err(VariantPlayError::Turn(excerpt(single))),
        })
    }

    /// Reads a move of one amazon, as it is written under these rules; whether it is legal is not
    /// looked at.
    ///
    /// # Errors
    /// [`VariantPlayError::Wall`] where a wall is built, else [`VariantPlayError::Move`]; and
    /// [`VariantPlayError::Square`].
    pub fn parse_move(&self, text: &str) -> Result<SingleMove, VariantPlayError> {
        let board = self.board();
        if self.rules.burns() {
            let IndexedMove { from, to, arrow } = parse_move(board, text)?;
            return Ok(SingleMove { from, to, arrow: Arrow::Square(arrow) });
        }
        let wall = || VariantPlayError::Wall(excerpt(text));
        let Some((squares, side)) = text.split_once('/') else {
            return self.parse_step_and_wall(text);
        };
        let (from, to) = squares.split_once('-').ok_or_else(wall)?;
        let side: Side = side.parse().map_err(|()| wall())?;
        let (from, to) = (parse_square(board, from)?, parse_square(board, to)?);
        Ok(SingleMove { from, to, arrow: Arrow::Wall(side) })
    }

    /// Reads a move that is written by the square that an amazon steps to and the side of it that
    /// it closes, such as `c7W`: the form of the recorded game of Tromazons.
    fn parse_step_and_wall(&self, text: &str) -> Result<SingleMove, VariantPlayError> {
        let board = self.board();
        let wall = || VariantPlayError::Wall(excerpt(text));
        let (last, _) = text.char_indices().last().ok_or_else(wall)?;
        let side: Side = text[last..].parse().map_err(|()| wall())?;
        let square = &text[..last];
        if square.contains('-') {
            return Err(wall());
        }
        let to = parse_square(board, square)?;
        let movers = self.position.amazons(self.turn()).without(self.moved);
        let beside = Side::ALL.into_iter().filter(|&side| !self.walls.is_closed(board, to, side));
        let beside = beside.filter_map(|side| side.neighbour(board, to));
        let mut from: Vec<SquareIndex> = beside.filter(|&from| movers.contains(from)).collect();
        from.sort_unstable();
        match from[..] {
            [from] => Ok(SingleMove { from, to, arrow: Arrow::Wall(side) }),
            _ => Err(VariantPlayError::Origin {
                found: excerpt(text),
                to: square.to_string(),
                from: from.into_iter().map(|from| square_text(board, from)).collect(),
            }),
        }
    }

    /// How many moves of its turn the side to move has made.
    pub(super) fn moves_made(&self) -> usize {
        self.made.into()
    }

    /// Whether the side to move has made a part of its turn.
    pub fn goes_on(&self) -> bool {
        self.made > 0
    }

    /// What the move that led here reaches for its side, by what the side to move reaches.
    pub fn outcome_of_move(&self, outcome: Outcome) -> Outcome {
        if self.goes_on() { outcome } else { outcome.reversed() }
    }

    /// The side to move.
    pub fn turn(&self) -> Colour {
        self.position.turn()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{parse_variant_fen, variant_fen, variant_start};
    use super::*;

    fn start(rules: RuleSet, board: &str) -> VariantPosition {
        let position = variant_start(rules, board.parse().unwrap(), None).unwrap();
        VariantPosition::new(rules, position)
    }

    #[test]
    fn moves_are_played_and_refused_by_the_rules() {
        let cowboys = start(RuleSet::COWBOYS, "5x5");
        let after = cowboys.play_text("b1-c3/b1").unwrap();
        assert_eq!(variant_fen(&after), "1q1q1/q3q/2Q2/Q3Q/1*1Q1 b");
        let error = |position: &VariantPosition, text: &str| {
            position.play_text(text).unwrap_err().to_string()
        };
        let refused = error(&cowboys, "b1-b3/b1");
        assert_eq!(
            refused,
            "b1-b3/b1 is illegal by the rules cowboys: the amazon cannot step there"
        );
        let refused = error(&cowboys, "b1-c3/c4");
        assert!(refused.ends_with("the amazon cannot shoot there after its step"), "{refused}");

        let killer = start(RuleSet::KILLER, "4x4").play_text("b1-b4/b1").unwrap();
        assert_eq!(variant_fen(&killer), "1Qq1/q2q/Q2Q/1*Q1 b");
        let pencil = start(RuleSet::PENCIL, "4x4").play_text("b1-b3/d1").unwrap();
        assert_eq!(variant_fen(&pencil), "1qq1/qQ1q/Q2Q/1*Q* b");
        let refused = error(&start(RuleSet::PENCIL, "4x4"), "b1-b3/b1");
        assert!(refused.ends_with("the amazon cannot shoot there after its step"), "{refused}");

        let walls = start(RuleSet::TROMAZONS, "8x8").play_text("c8-c7/W").unwrap();
        assert_eq!(variant_fen(&walls), "5q2/2Q5/q6Q/8/8/Q6q/8/2q2Q2 b 1 b7E");
        for (text, expected) in [
            ("f8-f7", "a move of tromazons is written from-to/side"),
            ("f8-f7/X", "a move of tromazons is written from-to/side"),
            ("f8-f9/W", "square f9 is not on 8x8"),
            ("f8-g7/W", "the amazon cannot step there"),
            ("f8-e8/N", "there is a wall or the edge of the board"),
        ] {
            let refused = error(&walls, text);
            assert!(refused.contains(expected), "{refused}");
        }
        let short = |text: &str| walls.play_text(text).map(|after| variant_fen(&after));
        assert_eq!(short("f7W"), walls.play_text("f8-f7/W").map(|after| variant_fen(&after)));
        for (text, expected) in [
            (
                "c6E",
                "\"c6E\": no amazon of the side to move can step to c6, so expected from-to/side",
            ),
            ("f9W", "square f9 is not on 8x8"),
            ("f8-f7W", "a move of tromazons is written from-to/side"),
            ("W", "a square is written file then rank"),
            ("f7", "a move of tromazons is written from-to/side"),
            ("", "a move of tromazons is written from-to/side"),
        ] {
            let refused = error(&walls, text);
            assert!(refused.contains(expected), "{text}: {refused}");
        }
        let two = parse_variant_fen("1Q1/Q1q/3 w", RuleSet::TROMAZONS).unwrap();
        let refused = error(&two, "b2N");
        assert!(refused.contains("the amazons on a2 and b3 can step to b2"), "{refused}");
        let one = parse_variant_fen("1Q1/Q1q/3 w 1 a2E", RuleSet::TROMAZONS).unwrap();
        assert!(one.play_text("b2E").is_ok());
        let refused = error(&one, "b2W");
        assert!(refused.contains("there is a wall or the edge of the board"), "{refused}");
        let closed = parse_variant_fen("3/q1Q/3 b 1 a2E", RuleSet::TROMAZONS).unwrap();
        assert!(closed.play_text("a2-b2/N").is_err() && closed.play_text("a2-a3/E").is_ok());
    }

    #[test]
    fn moves_of_larger_boards_are_refused() {
        let small = start(RuleSet::KILLER, "4x4");
        for large in [start(RuleSet::KILLER, "10x10"), start(RuleSet::TROMAZONS, "8x8")] {
            // The number of a square may be that of one of the smaller board.
            let refused = |&played: &SingleMove| small.play(played).err();
            let refused: Vec<_> = large.moves().iter().filter_map(refused).collect();
            let last = refused.last().unwrap().to_string();
            assert!(last.contains("4x4 has no square with the number"), "{last}");
        }
    }

    #[test]
    fn moves_of_a_turn_are_joined() {
        let start = start(RuleSet::TURNS_134, "4x4");
        let one = start.play_text("b1-b3/b1").unwrap();
        assert_eq!((one.turn(), one.turn_number, one.made), (Colour::Black, 2, 0));
        assert_eq!(variant_fen(&one), "1qq1/qQ1q/Q2Q/1*Q1 b 2");
        let two = one.play_text("b4-a4/b4+c4-d4/c4").unwrap();
        assert_eq!(variant_fen(&two), "q**q/qQ1q/Q2Q/1*Q1 b 2+a4,d4");
        assert_eq!(parse_variant_fen(&variant_fen(&two), RuleSet::TURNS_134).unwrap(), two);
        let three = two.play_text("d3-c3/d3").unwrap();
        assert_eq!((three.turn(), three.turn_number, three.made), (Colour::White, 3, 0));
        let refused = two.play_text("a4-b4/a4").unwrap_err().to_string();
        assert!(refused.contains("or it has moved in this turn"), "{refused}");
    }
}
