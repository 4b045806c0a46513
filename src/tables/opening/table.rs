//! The positions of the first plies, and how they are looked up.

use super::codes::{Codes, code_bytes};
use crate::game::Outcome;
use crate::game::board::{Board, OtherBoard};
use crate::game::code::{Code, Coder};
use crate::game::rules::{Bitboards, IndexedMove, Position, Rules};

/// Largest board, in squares: a code has two bits a square.
pub(super) const MAX_SQUARES: usize = 64;

/// Bytes that a position of this board takes in memory.
pub(super) fn stored_bytes(board: Board) -> u64 {
    code_bytes(board) + size_of::<Outcome>() as u64
}

/// The positions of the first plies from a start, and who wins them.
#[derive(Clone, Debug)]
pub struct Opening {
    pub(super) start: Position,
    pub(super) rules: Rules,
    pub(super) coder: Coder,
    pub(super) plies: Vec<Ply>,
}

/// All positions after some number of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    pub(super) codes: Codes,
    /// What the side to move reaches, for each code.
    pub(super) outcomes: Vec<Outcome>,
}

/// What an opening table says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningAnswer {
    /// What the side to move reaches.
    pub outcome: Outcome,
    /// Every legal move, and what its maker reaches by it, in the order of [`Rules::moves`];
    /// `None` at the last ply.
    pub moves: Option<Vec<(IndexedMove, Outcome)>>,
}

impl Ply {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of them the side to move wins.
    pub fn wins(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.is_win()).count()
    }

    /// The positions with their values, in increasing order of their codes.
    pub fn entries(&self) -> impl Iterator<Item = (Code, Outcome)> + '_ {
        self.codes.iter().zip(self.outcomes.iter().copied())
    }

    /// A position and its value, by its place in the order of the codes.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn entry(&self, at: usize) -> (Code, Outcome) {
        (self.codes.get(at), self.outcomes[at])
    }

    /// Where a code stands among them, and what the side to move reaches; `None` if it is
    /// not there.
    pub fn find(&self, code: Code) -> Option<(usize, Outcome)> {
        self.codes.find(code).map(|at| (at, self.outcomes[at]))
    }
}

impl Opening {
    /// Where the moves begin.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.start.board()
    }

    /// The rules on the board.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The codes of the board's positions.
    pub fn coder(&self) -> &Coder {
        &self.coder
    }

    /// Bytes that the positions take.
    #[cfg(any(feature = "cli", feature = "serve"))]
    pub(crate) fn memory(&self) -> u64 {
        self.plies.iter().map(|ply| ply.len() as u64 * stored_bytes(self.board())).sum()
    }

    /// The same of at most so many plies after the start.
    pub fn beginning(&self, plies: usize) -> Self {
        let held = self.plies.iter().take(plies.saturating_add(1)).cloned().collect();
        let (rules, coder) = (self.rules.clone(), self.coder.clone());
        Self { start: self.start, rules, coder, plies: held }
    }

    /// The positions by number of moves from the start, which is ply 0; never empty.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// What the side to move reaches; `None` if the table does not hold the position.
    ///
    /// # Errors
    /// If the position is of another board.
    pub fn value(&self, position: &Position) -> Result<Option<Outcome>, OtherBoard> {
        OtherBoard::check(self.board(), position.board())?;
        Ok(position.bitboards().and_then(|position| self.value_of(&position)))
    }

    /// As [`Self::value`], for a position that is known to be of the table's board.
    fn value_of(&self, position: &Bitboards) -> Option<Outcome> {
        self.ply(position)?.find(self.coder.code(position)).map(|(_, outcome)| outcome)
    }

    /// The value of a position and of its moves; `None` if the table does not hold it.
    ///
    /// Colours do not matter, only who is to move: the value of a position with the colours
    /// exchanged is the same.
    ///
    /// # Errors
    /// If the position is of another board.
    pub fn answer(&self, position: &Position) -> Result<Option<OpeningAnswer>, OtherBoard> {
        OtherBoard::check(self.board(), position.board())?;
        Ok(position.bitboards().and_then(|position| self.answer_of(&position)))
    }

    fn answer_of(&self, position: &Bitboards) -> Option<OpeningAnswer> {
        let outcome = self.value_of(position)?;
        let value = |played: IndexedMove| {
            let child = self.rules.play_unchecked(position, played);
            self.value_of(&child).map(|outcome| (played, !outcome))
        };
        let moves = self.rules.moves(position).into_iter().map(value).collect();
        Some(OpeningAnswer { outcome, moves })
    }

    /// The positions with as many arrows.
    fn ply(&self, position: &Bitboards) -> Option<&Ply> {
        let arrows = position.arrows.len().checked_sub(self.first_arrows())?;
        self.plies.get(arrows)
    }

    fn first_arrows(&self) -> usize {
        self.start.setup().arrows.len()
    }
}
