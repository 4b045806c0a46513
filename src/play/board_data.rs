//! What is fixed for a board while it is played on: rules, fills, king steps, keys.

use super::key::Keys;
use crate::game::board::{Board, BoardError, Kings, QueenFill, Word};
use crate::game::rules::Rules;

/// Everything about a board that the engine looks up.
#[derive(Debug)]
pub(super) struct BoardData<W: Word> {
    pub rules: Rules<W>,
    pub fill: QueenFill<W>,
    pub kings: Kings<W>,
    pub keys: Keys,
}

impl<W: Word> BoardData<W> {
    /// The data of a board.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board does not fit the word.
    pub(super) fn new(board: Board) -> Result<Self, BoardError> {
        let rules = Rules::new(board)?;
        Ok(Self {
            rules,
            fill: QueenFill::new(board),
            kings: Kings::new(board)?,
            keys: Keys::new(),
        })
    }

    /// The board.
    pub(super) fn board(&self) -> Board {
        self.rules.board()
    }
}
