//! What is fixed for a board: instruction set, rules, king steps, queen fills, canonical forms,
//! keys.

use super::canonical::Canonizer;
use super::key::Scrambler;
use crate::game::board::{Board, BoardError, Kings, QueenFill};
use crate::game::rules::Rules;
use crate::machine::isa::InstructionSet;
use crate::theory::region::contest::Contest;

/// Everything about a board that the search looks up.
#[derive(Debug)]
pub struct BoardData {
    pub(in crate::search) isa: InstructionSet,
    pub(in crate::search) rules: Rules,
    pub(in crate::search) kings: Kings<u64>,
    pub(in crate::search) fill: QueenFill<u64>,
    pub(in crate::search) canonizer: Canonizer,
    pub(in crate::search) scrambler: Scrambler,
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
        Ok(Self {
            isa: InstructionSet::detect(),
            rules: Rules::new(board)?,
            kings: Kings::new(board)?,
            fill: QueenFill::new(board),
            canonizer: Canonizer::new(board),
            scrambler: Scrambler::new(board, seed),
            longest_plays: Self::MOST_LONGEST_PLAYS,
        })
    }

    /// What the walls of one side leave to the other, contested.
    #[inline(always)]
    pub(in crate::search) fn contest(&self) -> Contest<'_> {
        Contest::new(&self.kings, self.rules.rays())
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.rules.board()
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}
