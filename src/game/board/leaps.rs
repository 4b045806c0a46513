//! Knight's leaps: over whatever stands between.

use super::{Bitboard, Board, BoardError, SquareIndex, Word};

/// Where a knight leaps to, from each square of one board.
#[derive(Clone, Debug)]
pub struct Leaps<W: Word> {
    by_square: Box<[Bitboard<W>]>,
}

impl<W: Word> Leaps<W> {
    /// The leaps of a board.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more squares than `W` has bits.
    pub fn new(board: Board) -> Result<Self, BoardError> {
        board.must_fit::<W>()?;
        let all = board.all::<W>();
        let leaps = all.iter().map(|from| {
            let is_leap = |to: &SquareIndex| {
                let files = board.file(from).abs_diff(board.file(*to));
                let ranks = board.rank(from).abs_diff(board.rank(*to));
                (files, ranks) == (1, 2) || (files, ranks) == (2, 1)
            };
            all.iter().filter(is_leap).collect()
        });
        Ok(Self { by_square: leaps.collect() })
    }

    /// The squares a leap away from `from`.
    #[inline]
    pub fn from(&self, from: SquareIndex) -> Bitboard<W> {
        self.by_square[from.index()]
    }

    /// What a knight can reach from `seed` over squares of `within`, the seed included.
    pub fn flood(&self, seed: Bitboard<W>, within: Bitboard<W>) -> Bitboard<W> {
        flood(seed, within, |from| self.from(from))
    }
}

/// What is reached from `seed` over squares of `within`, the seed included, where `near` gives the
/// squares a step away from a square.
pub(crate) fn flood<W: Word>(
    seed: Bitboard<W>,
    within: Bitboard<W>,
    near: impl Fn(SquareIndex) -> Bitboard<W>,
) -> Bitboard<W> {
    let (mut reached, mut last) = (seed, seed);
    while !last.is_empty() {
        let next = last.iter().fold(Bitboard::EMPTY, |all, from| all | near(from));
        last = (next & within).without(reached);
        reached |= last;
    }
    reached
}
