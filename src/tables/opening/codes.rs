//! The codes of a ply.

use crate::game::board::Board;
use crate::game::code::Code;

/// Codes, increasing. Those of a board of at most 32 squares, with two bits a square, fit 64 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Codes {
    Narrow(Vec<u64>),
    Wide(Vec<u128>),
}

/// A word that codes are held in.
pub(super) trait CodeWord: Copy + Ord + Send + Sync {
    /// The code as a word; it must fit.
    fn of(code: Code) -> Self;
    /// The code.
    fn code(self) -> Code;
}

impl CodeWord for u64 {
    fn of(code: Code) -> Self {
        debug_assert!(code.0 <= Self::MAX.into());
        code.0 as Self
    }

    fn code(self) -> Code {
        Code(self.into())
    }
}

impl CodeWord for u128 {
    fn of(code: Code) -> Self {
        code.0
    }

    fn code(self) -> Code {
        Code(self)
    }
}

/// Whether the codes of a board fit 64 bits.
pub(super) fn is_narrow(board: Board) -> bool {
    board.squares() <= 32
}

/// Bytes of a code of this board.
pub(super) fn code_bytes(board: Board) -> u64 {
    if is_narrow(board) { size_of::<u64>() as u64 } else { size_of::<u128>() as u64 }
}

impl Codes {
    /// None yet, of a board.
    pub(super) fn none(board: Board) -> Self {
        if is_narrow(board) { Self::Narrow(Vec::new()) } else { Self::Wide(Vec::new()) }
    }

    /// Adds a code that is larger than all that are there, and one of the board.
    pub(super) fn push(&mut self, code: Code) {
        match self {
            Self::Narrow(codes) => codes.push(CodeWord::of(code)),
            Self::Wide(codes) => codes.push(CodeWord::of(code)),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Narrow(codes) => codes.len(),
            Self::Wide(codes) => codes.len(),
        }
    }

    /// A code by its place.
    ///
    /// # Panics
    /// If there are not so many.
    pub(super) fn get(&self, at: usize) -> Code {
        match self {
            Self::Narrow(codes) => codes[at].code(),
            Self::Wide(codes) => codes[at].code(),
        }
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = Code> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    /// The place of a code.
    pub(super) fn find(&self, code: Code) -> Option<usize> {
        match self {
            Self::Narrow(codes) => codes.binary_search(&u64::try_from(code.0).ok()?).ok(),
            Self::Wide(codes) => codes.binary_search(&code.0).ok(),
        }
    }
}
