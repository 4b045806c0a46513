//! What is fixed for a board: instruction set, rules, king steps, queen fills, canonical forms,
//! keys.

use super::canonical::Canonizer;
use super::key::Scrambler;
use crate::game::board::{Board, BoardError, Kings, Lines, QueenFill, Word};
use crate::game::ground::Ground;
use crate::game::rules::Rules;
use crate::machine::isa::InstructionSet;
use crate::theory::region::contest::Contest;

/// Everything about a board that the search looks up.
#[derive(Debug)]
pub struct BoardData<W: Word = u64> {
    pub(in crate::search) isa: InstructionSet,
    pub(in crate::search) rules: Rules<W>,
    pub(in crate::search) kings: Kings<W>,
    lines: Lines<W>,
    pub(in crate::search) fill: QueenFill<W>,
    pub(in crate::search) canonizer: Canonizer<W>,
    pub(in crate::search) scrambler: Scrambler<W>,
    /// Longest plays that each thread may remember.
    pub(in crate::search) longest_plays: usize,
}

impl BoardData {
    /// Most regions remembered by anybody.
    pub(super) const MOST_LONGEST_PLAYS: usize = 1 << 20;

    /// The data of a board; `seed` stirs the keys.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more than 64 squares.
    pub fn new(board: Board, seed: u64) -> Result<Self, BoardError> {
        Self::with(Kings::new(board)?, Ground::whole(board), seed)
    }
}

impl<W: Word> BoardData<W> {
    /// The data of a ground of a board; `seed` stirs the keys.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more squares than the word has bits.
    pub(in crate::search) fn with(
        kings: Kings<W>,
        ground: Ground<W>,
        seed: u64,
    ) -> Result<Self, BoardError> {
        let board = kings.board();
        Ok(Self {
            isa: InstructionSet::detect(),
            rules: Rules::new(board)?,
            kings,
            lines: Lines::new(board)?,
            fill: QueenFill::new(board),
            canonizer: Canonizer::new(board),
            scrambler: Scrambler::new(ground, seed),
            longest_plays: BoardData::MOST_LONGEST_PLAYS,
        })
    }

    /// What the walls of one side leave to the other, contested.
    #[inline(always)]
    pub(in crate::search) fn contest(&self) -> Contest<'_, W> {
        Contest::new(&self.kings, self.rules.rays(), &self.lines)
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.rules.board()
    }

    /// The rules.
    pub fn rules(&self) -> &Rules<W> {
        &self.rules
    }
}
