//! Legal moves on one board: listing, counting, checking and playing them.

use super::{Bitboards, IllegalMove, IndexedMove};
use crate::game::board::{Bitboard, Board, BoardError, Rays, SquareIndex, Word};
use crate::game::perft::MoveGenerator;

/// The rules on one board, with the rays of its squares worked out.
#[derive(Clone, Debug)]
pub struct Rules<W: Word = u64> {
    board: Board,
    all: Bitboard<W>,
    rays: Rays<W>,
}

impl<W: Word> Rules<W> {
    /// The rules on `board`.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more squares than `W` has bits.
    pub fn new(board: Board) -> Result<Self, BoardError> {
        let rays = Rays::new(board)?;
        Ok(Self { board, all: board.all(), rays })
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The queen rays of the board.
    #[inline]
    pub fn rays(&self) -> &Rays<W> {
        &self.rays
    }

    /// Calls `visit(from, to, shots)` for every step of the mover, with the squares it can burn
    /// from there. Never calls it with no shots: the square just left can always be burned.
    #[inline(always)]
    pub fn for_each_step(
        &self,
        position: &Bitboards<W>,
        mut visit: impl FnMut(SquareIndex, SquareIndex, Bitboard<W>),
    ) {
        let empty = self.all.without(position.occupied());
        for from in position.mover {
            let vacated = empty.with(from);
            for to in self.rays.reach(from, empty) {
                visit(from, to, self.rays.reach(to, vacated));
            }
        }
    }

    /// The legal moves, by origin, then destination, then arrow, each in increasing order.
    pub fn moves(&self, position: &Bitboards<W>) -> Vec<IndexedMove> {
        let mut moves = Vec::new();
        self.for_each_step(position, |from, to, shots| {
            moves.extend(shots.iter().map(|arrow| IndexedMove { from, to, arrow }));
        });
        moves
    }

    /// How many legal moves there are, without listing them.
    pub fn count(&self, position: &Bitboards<W>) -> u64 {
        let mut count = 0;
        self.for_each_step(position, |_, _, shots| count += shots.len() as u64);
        count
    }

    /// Whether the mover can move at all.
    pub fn can_move(&self, position: &Bitboards<W>) -> bool {
        let empty = self.all.without(position.occupied());
        position.mover.iter().any(|from| !self.rays.reach(from, empty).is_empty())
    }

    /// Whether a move is legal, and if not, why.
    ///
    /// # Errors
    /// The first reason that applies, in the order of [`IllegalMove`].
    pub fn check(&self, position: &Bitboards<W>, played: IndexedMove) -> Result<(), IllegalMove> {
        let IndexedMove { from, to, arrow } = played;
        if [from, to, arrow].iter().any(|square| square.index() >= self.board.squares()) {
            return Err(IllegalMove::OffBoard);
        }
        if !position.mover.contains(from) {
            return Err(IllegalMove::NoAmazon);
        }
        let empty = self.all.without(position.occupied());
        if !self.rays.reach(from, empty).contains(to) {
            return Err(IllegalMove::Step);
        }
        if !self.rays.reach(to, empty.with(from)).contains(arrow) {
            return Err(IllegalMove::Shot);
        }
        Ok(())
    }

    /// The position after a move, seen by the other side.
    ///
    /// # Errors
    /// Why the move is not legal.
    pub fn play(
        &self,
        position: &Bitboards<W>,
        played: IndexedMove,
    ) -> Result<Bitboards<W>, IllegalMove> {
        self.check(position, played)?;
        Ok(self.play_unchecked(position, played))
    }

    /// The position after a move that is known to be legal. After any other move the result is some
    /// position, not necessarily one with disjoint sets.
    #[inline(always)]
    pub fn play_unchecked(&self, position: &Bitboards<W>, played: IndexedMove) -> Bitboards<W> {
        Bitboards {
            mover: position.opponent,
            opponent: position.mover.without(Bitboard::of(played.from)).with(played.to),
            arrows: position.arrows.with(played.arrow),
        }
    }
}

impl<W: Word> MoveGenerator for Rules<W> {
    type Position = Bitboards<W>;
    type Move = IndexedMove;

    fn moves(&self, position: &Bitboards<W>) -> Vec<IndexedMove> {
        Self::moves(self, position)
    }

    fn count(&self, position: &Bitboards<W>) -> u64 {
        Self::count(self, position)
    }

    fn play_unchecked(&self, position: &Bitboards<W>, played: IndexedMove) -> Bitboards<W> {
        Self::play_unchecked(self, position, played)
    }
}
