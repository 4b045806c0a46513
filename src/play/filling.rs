//! The decided endgame: when no two colours share a part of the board, each side only fills its
//! own.
//!
//! Who has more moves left wins, so the one thing to do is to waste none. A greedy walk fills
//! nearly every territory; where it leaves squares over, the longest play is searched
//! ([`crate::theory::region::Territories`]), in territories of up to [`LARGEST`] empty squares.

use super::board_data::BoardData;
use super::score::Score;
use crate::game::board::{Bitboard, Word};
use crate::game::rules::{Bitboards, IndexedMove};
use crate::theory::region::blocker::greedy_walk;
use crate::theory::region::{Cell, LocalGame, Player, Territories};

/// Empty squares of a territory whose longest play is searched.
const LARGEST: usize = 12;

/// How many moves a side can make in its own territories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Moves {
    /// So many for certain.
    pub sure: usize,
    /// Never more.
    pub most: usize,
}

/// The longest plays found so far.
#[derive(Debug, Default)]
pub(super) struct Filling {
    territories: Territories,
}

impl Filling {
    /// The best move of a decided position and its score; `None` if colours still meet somewhere,
    /// or nobody can move.
    pub(super) fn choose<W: Word>(
        &self,
        data: &BoardData<W>,
        position: &Bitboards<W>,
    ) -> Option<(IndexedMove, Score)> {
        if !is_decided(data, position) {
            return None;
        }
        let moves = data.rules.moves(position);
        let rest = |played: &IndexedMove| {
            self.moves(data, &data.rules.play_unchecked(position, *played).swapped())
        };
        let now = self.moves(data, position);
        // The first move that wastes nothing will do.
        let (mut best, mut after) = (*moves.first()?, Moves { sure: 0, most: 0 });
        for played in moves {
            let left = rest(&played);
            if left.sure > after.sure || after.most == 0 {
                (best, after) = (played, left);
            }
            if after.sure + 1 == now.most {
                break;
            }
        }
        let his = self.moves(data, &position.swapped());
        let score = match () {
            () if after.sure + 1 > his.most => Score::WIN,
            () if now.most <= his.sure => Score::LOSS,
            () => Score::lead(100 * (after.sure as i32 + 1 - his.sure as i32)),
        };
        Some((best, score))
    }

    /// How many moves the side to move can make in a decided position.
    pub(super) fn moves<W: Word>(&self, data: &BoardData<W>, position: &Bitboards<W>) -> Moves {
        let mut moves = Moves { sure: 0, most: 0 };
        let cells = data.board().all::<W>().without(position.arrows);
        let mut rest = position.mover;
        while let Some(seed) = rest.first() {
            let part = data.kings.flood(Bitboard::of(seed), cells);
            rest = rest.without(part);
            let (amazons, empty) = (position.mover & part, part.without(position.mover));
            let walk = greedy_walk(&data.kings, amazons, empty);
            let exact =
                if walk < empty.len() { self.longest(data, amazons, empty) } else { Some(walk) };
            moves.sure += exact.unwrap_or(walk);
            moves.most += exact.unwrap_or(empty.len());
        }
        moves
    }

    /// The longest play in a territory, if it is small.
    fn longest<W: Word>(
        &self,
        data: &BoardData<W>,
        amazons: Bitboard<W>,
        empty: Bitboard<W>,
    ) -> Option<usize> {
        if empty.len() > LARGEST {
            return None;
        }
        let board = data.board();
        let cell = |(square, cell)| (board.rank(square), board.file(square), cell);
        let amazons = amazons.iter().map(|square| (square, Cell::Amazon(Player::Left)));
        let cells: Vec<_> =
            amazons.chain(empty.iter().map(|square| (square, Cell::Empty))).map(cell).collect();
        Some(self.territories.moves(&LocalGame::from_cells(&cells)?) as usize)
    }
}

/// Whether no part of the board has amazons of both colours.
fn is_decided<W: Word>(data: &BoardData<W>, position: &Bitboards<W>) -> bool {
    let cells = data.board().all::<W>().without(position.arrows);
    !data.kings.flood(position.mover, cells).intersects(position.opponent)
}
