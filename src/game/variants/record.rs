//! Recorded games of the family: the moves of each turn with blanks between them, as the pages of
//! these games print them.
//!
//! ```text
//! 1. n4-d4/e3                                   numbers of turns are passed over
//! 2. d2-f2/d2  l14-l10/n10  d14-f12/m12         a turn of three moves; `+` joins them as well
//! 1  ---  c7W   b6E  f7E                        `---` where a side moves later
//! 21 resigns  0-1                               the end, after which no move comes
//! ```

use super::position::{VariantPlayError, VariantPosition};
use super::single_move::SingleMove;
use crate::game::excerpt::excerpt;
use crate::game::rules::Colour;

/// Why some text is no sequence of legal moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantRecordError {
    /// A move that cannot be played.
    #[error("turn {turn}, move {number}, {colour}: {error}")]
    Move {
        /// The number of the turn, from 1 where the moves begin; each side's turns count.
        turn: usize,
        /// Which move of its turn it is, from 1.
        number: usize,
        /// Who plays it.
        colour: Colour,
        /// Why not.
        error: VariantPlayError,
    },
    /// Anything behind the end.
    #[error("expected no move after the end of the game, found {0}")]
    Over(String),
}

/// A sequence of moves from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantRecord {
    start: VariantPosition,
    moves: Vec<SingleMove>,
    positions: Vec<VariantPosition>,
}

impl VariantRecord {
    /// The moves of a text, played from a position.
    ///
    /// # Errors
    /// The first move that is not legal, by the number of its turn, and in it.
    pub fn read(start: VariantPosition, text: &str) -> Result<Self, VariantRecordError> {
        let mut record = Self { start, moves: Vec::new(), positions: Vec::new() };
        let (mut turn, mut over) = (1, false);
        for word in text.split_whitespace().map(without_number).filter(|word| !is_gap(word)) {
            if over && !is_end(word) {
                return Err(VariantRecordError::Over(excerpt(word)));
            }
            over = is_end(word);
            for text in word.split('+').filter(|_| !over) {
                record.add(text, turn)?;
                turn += usize::from(!record.last().goes_on());
            }
        }
        Ok(record)
    }

    /// Adds a move of a turn with this number.
    fn add(&mut self, text: &str, turn: usize) -> Result<(), VariantRecordError> {
        let at = *self.last();
        let (number, colour) = (at.moves_made() + 1, at.turn());
        let fault = |error| VariantRecordError::Move { turn, number, colour, error };
        let played = at.parse_move(text).map_err(fault)?;
        self.positions.push(at.play(played).map_err(fault)?);
        self.moves.push(played);
        Ok(())
    }

    /// Where the moves begin.
    pub fn start(&self) -> &VariantPosition {
        &self.start
    }

    /// The moves, each of one amazon.
    pub fn moves(&self) -> &[SingleMove] {
        &self.moves
    }

    /// The positions after the moves, one for each; the start is not among them.
    pub fn positions(&self) -> &[VariantPosition] {
        &self.positions
    }

    /// The position after so many moves, which is the start after none.
    ///
    /// # Panics
    /// If there are fewer moves.
    pub fn position(&self, moves: usize) -> &VariantPosition {
        match moves {
            0 => &self.start,
            moves => &self.positions[moves - 1],
        }
    }

    /// The position after the last move.
    pub fn last(&self) -> &VariantPosition {
        self.position(self.moves.len())
    }
}

/// A word without the number of a turn before it: `1.n4-d4/e3`, or the number alone.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    match rest.strip_prefix('.') {
        Some(rest) if rest.len() + 1 < word.len() => rest.trim_start_matches('.'),
        _ if rest.is_empty() => "",
        _ => word,
    }
}

/// Whether a word stands for nothing: no word, or dashes where a side does not move.
fn is_gap(word: &str) -> bool {
    word.chars().all(|symbol| "-–—".contains(symbol))
}

/// Whether a word ends a game.
fn is_end(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    matches!(word.as_str(), "resign" | "resigns" | "resigned" | "1-0" | "0-1" | "1–0" | "0–1")
}

#[cfg(test)]
mod tests {
    use super::super::{RuleSet, parse_variant_fen, variant_fen};
    use super::*;

    fn read(rules: RuleSet, fen: &str, text: &str) -> Result<String, String> {
        let start = parse_variant_fen(fen, rules).unwrap();
        let record = VariantRecord::read(start, text).map_err(|error| error.to_string())?;
        assert_eq!(record.moves().len(), record.positions().len());
        Ok(variant_fen(record.last()))
    }

    #[test]
    fn turns_are_read_in_every_form() {
        let start = "1qq1/q2q/Q2Q/1QQ1 w";
        let expected = Ok("q**q/qQ1q/Q2Q/1*Q1 b 2+a4,d4".to_string());
        for text in [
            "b1-b3/b1 b4-a4/b4+c4-d4/c4",
            "1. b1-b3/b1\n2. b4-a4/b4   c4-d4/c4",
            "1 b1-b3/b1 --- 2.b4-a4/b4 3... c4-d4/c4 resigns 0-1",
        ] {
            assert_eq!(read(RuleSet::TURNS_134, start, text), expected, "{text}");
        }
        assert_eq!(read(RuleSet::TURNS_134, start, " 1. --- "), Ok(format!("{start} 1")));
    }

    #[test]
    fn an_illegal_move_is_named_by_its_turn_and_its_number_in_it() {
        let start = "1qq1/q2q/Q2Q/1QQ1 w";
        for (text, expected) in [
            ("b1-b3/b1 b4-a4/b4 a4-b4/a4", "turn 2, move 2, black: a4-b4/a4 is illegal"),
            ("b1-b3/b1 b4-a4/b4+a4", "turn 2, move 2, black: a move is written"),
            ("b1-b9/b1", "turn 1, move 1, white: square b9 is not on 4x4"),
            ("resigns b1-b3/b1", "expected no move after the end of the game, found \"b1-b3/b1\""),
            ("1-0 2. resigns 3", ""),
        ] {
            match read(RuleSet::TURNS_134, start, text) {
                Ok(_) => assert_eq!(expected, "", "{text}"),
                Err(error) => assert!(error.starts_with(expected), "{text}: {error}"),
            }
        }
    }
}
