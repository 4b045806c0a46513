//! What an amazon sees from every square of a board, and what other amazons hide from it.

use crate::game::board::{Bitboard, Board, Leaps, Rays, SquareIndex};
use crate::tables::counting::Mask;
use crate::tables::index::TableRules;

/// What amazons hide: `hidden[o][b]` is the square o and all squares behind it, seen from b.
#[derive(Debug)]
pub(super) struct Shadows<M: Mask> {
    hidden: Box<[M::Lanes]>,
    sight: Sight,
    squares: usize,
}

/// What an amazon sees, and so where it steps and shoots.
#[derive(Debug)]
enum Sight {
    Queen(Rays<u64>),
    Knight(Leaps<u64>),
}

impl Sight {
    fn new(rules: TableRules, board: Board) -> Self {
        let fits = "tables are for boards of at most 64 squares";
        match rules {
            TableRules::Amazons | TableRules::Pencil | TableRules::Killer => {
                Self::Queen(Rays::new(board).expect(fits))
            }
            TableRules::Cowboys => Self::Knight(Leaps::new(board).expect(fits)),
        }
    }

    fn reach(&self, from: SquareIndex, free: Bitboard<u64>) -> Bitboard<u64> {
        match self {
            Self::Queen(rays) => rays.reach(from, free),
            Self::Knight(leaps) => leaps.from(from) & free,
        }
    }
}

impl<M: Mask> Shadows<M> {
    pub(super) fn new(rules: TableRules, board: Board) -> Self {
        let sight = Sight::new(rules, board);
        let all = board.all::<u64>();
        let hidden = all.iter().map(|blocker| {
            let mut lanes = M::EMPTY_LANES;
            for from in all {
                let past = sight.reach(from, all.without(Bitboard::of(blocker)));
                let hidden = sight.reach(from, all).without(past);
                lanes.as_mut()[from.index()] = M::of(hidden.word());
            }
            lanes
        });
        Self { hidden: hidden.collect(), squares: board.squares(), sight }
    }

    /// What an amazon sees from every square, past the squares that are not free.
    pub(super) fn reach(&self, free: M) -> M::Lanes {
        let mut lanes = M::EMPTY_LANES;
        let free = Bitboard::<u64>::from_word(free.word());
        for square in free {
            lanes.as_mut()[square.index()] = M::of(self.sight.reach(square, free).word());
        }
        lanes
    }

    /// What every square sees past the arrows and the opponent, where `reach` is what it sees past
    /// the arrows.
    #[inline(always)]
    pub(super) fn seen_past(&self, reach: &M::Lanes, opponent: M) -> M::Lanes {
        let mut seen = *reach;
        let mut left = opponent;
        while !left.is_empty() {
            let hidden = &self.hidden[left.lowest() % self.squares];
            left = left.without_lowest();
            for (lane, &bits) in seen.as_mut().iter_mut().zip(hidden.as_ref()) {
                *lane &= !bits;
            }
        }
        seen
    }
}
