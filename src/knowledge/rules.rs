//! What the rules alone say: who cannot move has lost.

use super::basis::Basis;
use super::error::SourceError;
use super::finding::Finding;
use super::source::Source;
use crate::game::Outcome;
use crate::game::board::{Bitboard, Kings, Word, in_word};
use crate::game::rules::Position;

/// The end of the game, and the moves that end it.
#[derive(Debug)]
pub(super) struct EndOfGame;

impl Source for EndOfGame {
    fn tell(&self, position: &Position, finding: &mut Finding) -> Result<(), SourceError> {
        if finding.moves().is_empty() {
            return finding.tell_value(Outcome::Loss, &Basis::Rules);
        }
        in_word!(position.board(), W => tell_moves::<W>(position, finding))
    }
}

/// Tells the moves that end the game, in a word that fits the board.
fn tell_moves<W: Word>(position: &Position, finding: &mut Finding) -> Result<(), SourceError> {
    let (kings, plain) = (Kings::<W>::new(position.board()), position.bitboards::<W>());
    let Some((kings, plain)) = kings.ok().zip(plain) else { return Ok(()) };
    let empty = plain.empty(position.board());
    let around = kings.neighbours(plain.opponent);
    let moves: Vec<_> = finding.moves().iter().map(|&(played, _)| played).collect();
    for played in moves {
        let taken = Bitboard::of(played.to) | Bitboard::of(played.arrow);
        // The arrow may burn the square that was left.
        if !around.intersects(empty.with(played.from).without(taken)) {
            finding.tell_move(played, Outcome::Win, &Basis::Rules)?;
        }
    }
    Ok(())
}
