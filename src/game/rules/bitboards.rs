//! A position seen by the side to move.

use crate::game::board::{Bitboard, Board, Symmetry, Word};
use crate::machine::fields::field;

/// A position without colours: the mover's amazons, the opponent's, and the burned squares. The
/// three sets are disjoint; whoever builds one by hand keeps them so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bitboards<W: Word = u64> {
    /// Amazons of the side to move.
    pub mover: Bitboard<W>,
    /// Amazons of the other side.
    pub opponent: Bitboard<W>,
    /// Burned squares.
    pub arrows: Bitboard<W>,
}

impl<W: Word> Bitboards<W> {
    /// Every square that is not empty.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard<W> {
        self.mover | self.opponent | self.arrows
    }

    /// The empty squares of `board`.
    ///
    /// # Panics
    /// If the board does not fit the word.
    #[inline(always)]
    pub fn empty(&self, board: Board) -> Bitboard<W> {
        board.all().without(self.occupied())
    }

    /// The same squares with the other side to move.
    #[inline(always)]
    pub fn swapped(&self) -> Self {
        Self { mover: self.opponent, opponent: self.mover, arrows: self.arrows }
    }

    /// The image under a symmetry of the board.
    pub fn mapped(&self, symmetry: &Symmetry) -> Self {
        Self {
            mover: symmetry.set(self.mover),
            opponent: symmetry.set(self.opponent),
            arrows: symmetry.set(self.arrows),
        }
    }

    /// The same position in another word, `None` if a square does not fit.
    pub fn resize<V: Word>(&self) -> Option<Bitboards<V>> {
        let (mover, opponent) = (self.mover.resize()?, self.opponent.resize()?);
        Some(Bitboards { mover, opponent, arrows: self.arrows.resize()? })
    }
}

impl Bitboards {
    /// The three sets as they stand in the headers of files: the mover's amazons, the opponent's,
    /// the burned squares, each as a little-endian number.
    pub(crate) fn to_bytes(self) -> [u8; 24] {
        let sets = [self.mover, self.opponent, self.arrows].map(|set| set.word().to_le_bytes());
        std::array::from_fn(|at| sets[at / 8][at % 8])
    }

    /// The sets of some bytes. They may be sets of no position of any board: whoever reads them
    /// asks [`Position::new`](super::Position::new).
    pub(crate) fn from_bytes(bytes: [u8; 24]) -> Self {
        let set = |at| Bitboard::from_word(u64::from_le_bytes(field(&bytes, at)));
        Self { mover: set(0), opponent: set(8), arrows: set(16) }
    }
}

impl Bitboards<u128> {
    /// As [`Bitboards::to_bytes`], for files about boards of more than 64 squares.
    pub(crate) fn to_wide_bytes(self) -> [u8; 48] {
        let sets = [self.mover, self.opponent, self.arrows].map(|set| set.word().to_le_bytes());
        std::array::from_fn(|at| sets[at / 16][at % 16])
    }

    /// As [`Bitboards::from_bytes`], for files about boards of more than 64 squares.
    pub(crate) fn from_wide_bytes(bytes: [u8; 48]) -> Self {
        let set = |at| Bitboard::from_word(u128::from_le_bytes(field(&bytes, at)));
        Self { mover: set(0), opponent: set(16), arrows: set(32) }
    }

    /// The sets as they stand in the headers of files about any board: as [`Bitboards::to_bytes`]
    /// where a set of the board's squares fits 64 bits, else as [`Self::to_wide_bytes`].
    pub(crate) fn to_bytes_on(self, board: Board) -> Vec<u8> {
        match self.resize::<u64>().filter(|_| board.fits::<u64>()) {
            Some(small) => small.to_bytes().to_vec(),
            None => self.to_wide_bytes().to_vec(),
        }
    }

    /// The sets of bytes that begin as [`Self::to_bytes_on`] gives them.
    ///
    /// # Panics
    /// If there are fewer bytes.
    pub(crate) fn from_bytes_on(board: Board, bytes: &[u8]) -> Option<Self> {
        match board.fits::<u64>() {
            true => Bitboards::from_bytes(field(bytes, 0)).resize(),
            false => Some(Self::from_wide_bytes(field(bytes, 0))),
        }
    }
}

/// Every position of a small board: each square empty, an amazon of either side, or burned.
#[cfg(test)]
pub(crate) fn colourings(board: Board) -> impl Iterator<Item = Bitboards> {
    (0..1u32 << (2 * board.squares())).map(move |code| {
        let squares = |colour: u32| -> Bitboard {
            board
                .all::<u64>()
                .iter()
                .filter(|square| code >> (2 * square.index()) & 3 == colour)
                .collect()
        };
        Bitboards { mover: squares(1), opponent: squares(2), arrows: squares(3) }
    })
}
