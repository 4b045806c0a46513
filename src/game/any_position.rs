//! A position of any game of the family, chosen at run time.
//!
//! Amazons has generators, tables and bounds of its own, so its positions are of another type than
//! those of the other games. What every game has, such as a side to move, moves as text and a
//! diagram, is here once for all of them.

use super::board::{Board, SquareIndex, Word, in_word};
use super::notation::{FenError, Symbols, diagram, fen, move_text, parse_fen, play_text};
use super::perft::{MoveGenerator, divide};
use super::rules::{Colour, IndexedMove, Rules};
use super::tree::{Estimates, Sample, estimate};
use super::variants::{
    RuleSet, SingleMove, VariantFenError, VariantPlayError, VariantPosition, VariantRules,
    parse_variant_fen, variant_diagram, variant_fen,
};
use super::{PlayError, Position};
use crate::machine::progress::{Observer, StopFlag};

/// A position of Amazons, which solvers and tables of its own know, or of another game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::large_enum_variant, reason = "positions are copied, and few are held at a time")]
pub enum AnyPosition {
    /// Of Amazons.
    Amazons(Position),
    /// Of another game.
    Variant(VariantPosition),
}

/// Why text is no position of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Of Amazons.
    #[error(transparent)]
    Amazons(#[from] FenError),
    /// Of another game.
    #[error(transparent)]
    Variant(#[from] VariantFenError),
}

/// Why text is no move that can be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayTextError {
    /// Of Amazons.
    #[error(transparent)]
    Amazons(#[from] PlayError),
    /// Of another game.
    #[error(transparent)]
    Variant(#[from] VariantPlayError),
}

impl AnyPosition {
    /// Reads a position by these rules; without any by those of Amazons.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(text: &str, rules: Option<RuleSet>) -> Result<Self, ReadError> {
        Ok(match rules {
            None => Self::Amazons(parse_fen(text)?),
            Some(rules) => Self::Variant(parse_variant_fen(text, rules)?),
        })
    }

    /// The rules.
    pub fn rules(&self) -> RuleSet {
        match self {
            Self::Amazons(_) => RuleSet::AMAZONS,
            Self::Variant(position) => position.rules(),
        }
    }

    /// The squares and the side to move.
    pub fn squares(&self) -> &Position {
        match self {
            Self::Amazons(position) => position,
            Self::Variant(position) => position.position(),
        }
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.squares().board()
    }

    /// The side to move.
    pub fn turn(&self) -> Colour {
        self.squares().turn()
    }

    /// As FEN.
    pub fn fen(&self) -> String {
        match self {
            Self::Amazons(position) => fen(position),
            Self::Variant(position) => variant_fen(position),
        }
    }

    /// As a drawing of several lines, with the walls; each line ends with a line end.
    pub fn diagram(&self, symbols: Symbols) -> String {
        match self {
            Self::Amazons(position) => diagram(position, symbols),
            Self::Variant(position) => variant_diagram(position, symbols),
        }
    }

    /// The legal moves of one amazon as text, in the order of their squares; with a square only
    /// those of the amazon on it.
    pub fn moves(&self, from: Option<SquareIndex>) -> Vec<String> {
        let is_asked_for = |square: SquareIndex| from.is_none_or(|from| square == from);
        let board = self.board();
        match self {
            Self::Amazons(position) => {
                let moves = position.indexed_moves().into_iter();
                let asked = moves.filter(|played| is_asked_for(played.from));
                asked.map(|played| move_text(board, played)).collect()
            }
            Self::Variant(position) => {
                let moves = position.moves().into_iter();
                let asked = moves.filter(|played| is_asked_for(played.from));
                asked.map(|played| played.text(board)).collect()
            }
        }
    }

    /// Whether the side to move has a move. One that has none has lost.
    pub fn can_move(&self) -> bool {
        match self {
            Self::Amazons(position) => position.can_move(),
            Self::Variant(position) => position.can_move(),
        }
    }

    /// Plays one move of one amazon: its text, and the position after it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn play(&self, text: &str) -> Result<(String, Self), PlayTextError> {
        Ok(match self {
            Self::Amazons(at) => {
                let (played, after) = play_text(at, text)?;
                (move_text(at.board(), played), Self::Amazons(after))
            }
            Self::Variant(at) => {
                let played = at.parse_move(text)?;
                (played.text(at.board()), Self::Variant(at.play(played)?))
            }
        })
    }

    /// Counts the sequences of `depth` moves, each of one amazon. Uses all threads of the current
    /// rayon pool.
    pub fn perft(&self, depth: u32, observer: &dyn Observer) -> Perft {
        in_word!(self.board(), W => self.perft_in::<W>(depth, observer))
    }

    /// As [`Self::perft`], with squares as the bits of this word, which has one for each of them.
    fn perft_in<W: Word>(&self, depth: u32, observer: &dyn Observer) -> Perft {
        let (board, fits) = (self.board(), "the word has a bit for every square");
        match self {
            Self::Amazons(position) => {
                let rules = Rules::<W>::new(board).expect(fits);
                let text = |played: IndexedMove| move_text(board, played);
                Perft::of(&rules, &position.bitboards().expect(fits), text, depth, observer)
            }
            Self::Variant(position) => {
                let rules = VariantRules::<W>::new(board, position.rules()).expect(fits);
                let text = |played: SingleMove| played.text(board);
                Perft::of(&rules, &position.state().expect(fits), text, depth, observer)
            }
        }
    }

    /// What random games of at most `most` moves, each of one amazon, say of the game tree. `None`
    /// if it was asked to stop.
    pub fn estimate(
        &self,
        sample: Sample,
        most: usize,
        observer: &dyn Observer,
        stop: &StopFlag,
    ) -> Option<Estimates> {
        in_word!(self.board(), W => self.estimate_in::<W>(sample, most, observer, stop))
    }

    /// As [`Self::estimate`], with squares as the bits of this word, which has one for each of them.
    fn estimate_in<W: Word>(
        &self,
        sample: Sample,
        most: usize,
        observer: &dyn Observer,
        stop: &StopFlag,
    ) -> Option<Estimates> {
        let (board, fits) = (self.board(), "the word has a bit for every square");
        match self {
            Self::Amazons(position) => {
                let rules = Rules::<W>::new(board).expect(fits);
                let state = position.bitboards().expect(fits);
                estimate(&rules, &state, sample, most, observer, stop)
            }
            Self::Variant(position) => {
                let rules = VariantRules::<W>::new(board, position.rules()).expect(fits);
                let state = position.state().expect(fits);
                estimate(&rules, &state, sample, most, observer, stop)
            }
        }
    }
}

/// Every position is one of the generator that knows all games.
impl From<AnyPosition> for VariantPosition {
    fn from(position: AnyPosition) -> Self {
        match position {
            AnyPosition::Amazons(position) => Self::new(RuleSet::AMAZONS, position),
            AnyPosition::Variant(position) => position,
        }
    }
}

/// How many sequences of moves there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft {
    /// In all: one without a move.
    pub nodes: u64,
    /// Those that begin with each legal move, by its text; none if sequences have no move.
    pub by_move: Vec<(String, u64)>,
}

impl Perft {
    fn of<G: MoveGenerator>(
        generator: &G,
        position: &G::Position,
        text: impl Fn(G::Move) -> String,
        depth: u32,
        observer: &dyn Observer,
    ) -> Self {
        let counted = divide(generator, position, depth, &StopFlag::new(), observer);
        let counted = counted.expect("nobody stops it").into_iter();
        let by_move: Vec<(String, u64)> =
            counted.map(|(played, nodes)| (text(played), nodes)).collect();
        let nodes = if depth == 0 { 1 } else { by_move.iter().map(|(_, nodes)| nodes).sum() };
        Self { nodes, by_move }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{U512, any_board, any_set};
    use crate::game::notation::square_text;
    use crate::game::perft::perft;
    use crate::game::rules::Setup;
    use proptest::prelude::*;

    /// Positions of Amazons of boards that fit one word or another.
    fn arb() -> impl Strategy<Value = Position> {
        let sets = [any_set(), any_set(), any_set(), any_set()];
        (any_board(), sets, any::<bool>()).prop_map(|(board, sets, white)| {
            let [a, b, rare, arrows] = sets.map(|set| set & board.all());
            let black = a & b & rare;
            let white_amazons = (a & rare).without(black).with(SquareIndex::new(0));
            let black = black.without(white_amazons);
            let arrows = arrows.without(white_amazons | black);
            let turn = if white { Colour::White } else { Colour::Black };
            Setup { board, white: white_amazons, black, arrows, turn }.check().unwrap()
        })
    }

    /// A position of Amazons by its own rules, and by the generator of all games.
    fn twins(position: Position) -> [AnyPosition; 2] {
        let amazons = AnyPosition::Amazons(position);
        [amazons, AnyPosition::Variant(amazons.into())]
    }

    fn assert_alike(position: Position) -> Result<(), TestCaseError> {
        let [amazons, variant] = twins(position);
        let text = position.to_string();
        let turn = position.turn();
        for any in [&amazons, &variant] {
            prop_assert_eq!(any.fen(), text.as_str());
            prop_assert_eq!((any.squares(), any.turn()), (&position, turn));
            prop_assert_eq!((any.board(), any.rules()), (position.board(), RuleSet::AMAZONS));
            prop_assert_eq!(any.diagram(Symbols::Ascii), diagram(&position, Symbols::Ascii));
        }
        prop_assert_eq!(AnyPosition::read(&text, None), Ok(amazons));
        prop_assert_eq!(AnyPosition::read(&text, Some(RuleSet::AMAZONS)), Ok(variant));
        Ok(())
    }

    proptest! {
        #[test]
        fn amazons_is_the_same_game_by_both_generators(
            position in arb(), choice: u16, square: u16
        ) {
            assert_alike(position)?;
            let [amazons, variant] = twins(position);
            let expected: Vec<String> = position.moves().map(|played| played.to_string()).collect();
            let board = position.board();
            let from = SquareIndex::new(square % board.squares() as u16);
            let begin = format!("{}-", square_text(board, from));
            let of_one: Vec<String> =
                expected.iter().filter(|played| played.starts_with(&begin)).cloned().collect();
            for any in [amazons, variant] {
                prop_assert_eq!(&any.moves(None), &expected);
                prop_assert_eq!(&any.moves(Some(from)), &of_one);
                prop_assert_eq!(any.can_move(), !expected.is_empty());
            }
            if expected.is_empty() {
                return Ok(());
            }
            let played = &expected[usize::from(choice) % expected.len()];
            let after = position.play(played.parse().unwrap()).unwrap();
            prop_assert_eq!(amazons.play(played), Ok((played.clone(), twins(after)[0])));
            prop_assert_eq!(variant.play(played), Ok((played.clone(), twins(after)[1])));
            assert_alike(after)?;
        }

        #[test]
        fn sequences_are_those_of_the_rules(position in arb(), depth in 0..3u32) {
            let rules = Rules::<U512>::new(position.board()).unwrap();
            let plain = position.bitboards().unwrap();
            // What deeper sequences cost grows with the square of the moves.
            let depth = if rules.count(&plain) > 400 { depth.min(1) } else { depth };
            let nodes = perft(&rules, &plain, depth);
            let below = |played: crate::game::Move| {
                let after = position.play(played).unwrap().bitboards().unwrap();
                (played.to_string(), perft(&rules, &after, depth - 1))
            };
            let by_move: Vec<(String, u64)> = match depth {
                0 => Vec::new(),
                _ => position.moves().map(below).collect(),
            };
            let expected = Perft { nodes, by_move };
            for any in twins(position) {
                prop_assert_eq!(&any.perft(depth, &()), &expected);
            }
        }

        #[test]
        fn random_games_begin_with_the_moves_of_any_board(position in arb(), seed: u64) {
            let moves = position.moves().len();
            for any in twins(position) {
                let sample = Sample { games: 2, seed };
                let found = any.estimate(sample, 1, &(), &StopFlag::new()).unwrap();
                let sequences: Vec<f64> =
                    found.plies.iter().map(|ply| ply.sequences.mean).collect();
                let expected = if moves == 0 { vec![1.0] } else { vec![1.0, moves as f64] };
                prop_assert_eq!(sequences, expected);
                prop_assert!(moves > 0 || (found.whole && found.games.mean == 1.0));
            }
        }
    }

    #[test]
    fn errors_are_those_of_the_game() {
        let refused = |rules| AnyPosition::read("4/4/4/4 w 7", rules).unwrap_err().to_string();
        assert_ne!(refused(None), refused(Some(RuleSet::COWBOYS)));
        let start = |rules| AnyPosition::read("1qq1/q2q/Q2Q/1QQ1 w", rules).unwrap();
        let error = start(None).play("b1-b4/b3").unwrap_err().to_string();
        assert!(error.ends_with("no queen move over empty squares to b4"), "{error}");
        let error = start(Some(RuleSet::COWBOYS)).play("b1-b3/b1").unwrap_err().to_string();
        assert!(error.contains("by the rules cowboys"), "{error}");
        assert!(start(Some(RuleSet::COWBOYS)).play("b1-c3/b1").is_ok());
    }
}
