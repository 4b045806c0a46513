//! The squares that a position and all that come from it are about: at most 64 of a board, each
//! with a bit in every key of a search and two in every code of a certificate.
//!
//! A square that is burned at the root never takes part. So a position of a large board needs no
//! more bits than the root has squares on which something can happen, and keys and codes stay
//! lossless. On boards of at most 64 squares the ground is the whole board, in place.
//!
//! On a larger board the bits of a set are moved together, in seven rounds: in round `k` those move
//! that have a place `2^k` lower, all at once (Warren, *Hacker's Delight*, 7-4). Each round costs
//! four word operations, whatever the set.

use crate::game::board::{Bitboard, Board, Kings, U512, Word};
use crate::game::rules::{Bitboards, Position};

/// Rounds that move a bit by up to 127 places.
const ROUNDS: usize = 7;

/// At most 64 squares of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ground<W: Word = u64> {
    squares: Bitboard<W>,
    /// Where the bits that move in each round stand before it.
    moving: [W; ROUNDS],
}

/// More squares of a position than a ground has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.reason())]
#[non_exhaustive]
pub struct GroundTooLarge {
    /// The squares that are not burned, in components that have an amazon and an empty square.
    pub squares: usize,
    /// The board.
    pub board: Board,
}

impl GroundTooLarge {
    /// The most squares of a ground.
    pub const MOST: usize = u64::BITS as usize;
    /// The most squares of a board whose late positions are searched.
    const MOST_OF_BOARD: usize = u128::BITS as usize;

    fn reason(&self) -> String {
        let Self { squares, board } = *self;
        let (all, most, most_of_board) = (board.squares(), Self::MOST, Self::MOST_OF_BOARD);
        if all > most_of_board {
            return format!(
                "{board} has {all} squares, a search takes boards of at most {most}, and late \
                 positions of those of at most {most_of_board}"
            );
        }
        format!(
            "{squares} squares of {board} are not burned and within reach of an amazon, a search \
             takes at most {most}"
        )
    }

    /// That there is a search for a position: its board has at most 64 squares, or so many of them
    /// take part.
    ///
    /// # Errors
    /// If there is none.
    pub fn check(position: &Position) -> Result<(), Self> {
        match position.board().fits::<u64>() {
            true => Ok(()),
            false => Ground::in_position(position).map(|_| ()),
        }
    }
}

impl Ground<u128> {
    /// The ground of a position of a board of at most 128 squares, as [`Self::of`].
    ///
    /// # Errors
    /// If it has too many squares, or its board has.
    pub(crate) fn in_position(position: &Position) -> Result<Self, GroundTooLarge> {
        let board = position.board();
        match (Kings::new(board), position.bitboards()) {
            (Ok(kings), Some(plain)) => Self::of(&kings, &plain),
            _ => Err(GroundTooLarge { squares: live_squares(position), board }),
        }
    }
}

impl<W: Word> Ground<W> {
    /// All squares of a board of at most 64.
    ///
    /// # Panics
    /// If it has more.
    pub(crate) fn whole(board: Board) -> Self {
        assert!(board.fits::<u64>(), "{board} has more squares than a ground");
        Self { squares: board.all(), moving: [W::ZERO; ROUNDS] }
    }

    /// What files about a position are about: the whole board if it has at most 64 squares, else
    /// the ground of the position.
    ///
    /// # Errors
    /// If that has too many squares.
    pub(crate) fn of_file(
        kings: &Kings<W>,
        position: &Bitboards<W>,
    ) -> Result<Self, GroundTooLarge> {
        match kings.board().fits::<u64>() {
            true => Ok(Self::whole(kings.board())),
            false => Self::of(kings, position),
        }
    }

    /// The squares on which something can happen in a position, or in any that comes from it: those
    /// that are not burned, in components that have an amazon and an empty square.
    ///
    /// # Errors
    /// If they are too many.
    pub(crate) fn of(kings: &Kings<W>, position: &Bitboards<W>) -> Result<Self, GroundTooLarge> {
        const { assert!(W::BITS <= 1 << ROUNDS, "the rounds move a bit by at most 127 places") };
        let squares = live(kings, position);
        match squares.len() {
            0..=GroundTooLarge::MOST => Ok(Self { squares, moving: moving(squares.word()) }),
            squares => Err(GroundTooLarge { squares, board: kings.board() }),
        }
    }

    /// Whether something can happen on squares of the ground alone.
    pub(crate) fn holds(&self, kings: &Kings<W>, position: &Bitboards<W>) -> bool {
        self.len() == kings.board().squares() || live(kings, position).is_subset(self.squares)
    }

    /// The squares.
    pub(crate) fn squares(&self) -> Bitboard<W> {
        self.squares
    }

    /// Number of squares.
    pub(crate) fn len(&self) -> usize {
        self.squares.len()
    }

    /// A position of a board with all that is not of the ground burned. If the ground
    /// [holds](Self::holds) the position, the same moves can be made in both.
    pub(crate) fn part(&self, board: Board, position: &Bitboards<W>) -> Bitboards<W> {
        let arrows = (position.arrows & self.squares) | board.all().without(self.squares);
        let (mover, opponent) = (position.mover & self.squares, position.opponent & self.squares);
        Bitboards { mover, opponent, arrows }
    }

    /// A set of squares of the ground as 64 bits.
    #[inline(always)]
    pub(crate) fn gather(&self, set: Bitboard<W>) -> u64 {
        let mut word = set.word();
        if W::BITS > u64::BITS {
            for (round, &moving) in self.moving.iter().enumerate() {
                word = (word & !moving) | ((word & moving) >> (1u32 << round));
            }
        }
        word.low()
    }

    /// The set of some bits, the inverse of [`Self::gather`].
    #[inline(always)]
    pub(crate) fn spread(&self, bits: u64) -> Bitboard<W> {
        let mut word = W::from_low(bits);
        if W::BITS > u64::BITS {
            for (round, &moving) in self.moving.iter().enumerate().rev() {
                let moved = (word << (1u32 << round)) & moving;
                word = (word & !(moving >> (1u32 << round))) | moved;
            }
        }
        Bitboard::from_word(word)
    }
}

/// How many squares those are in a position of any board.
fn live_squares(position: &Position) -> usize {
    let board = position.board();
    let every = "512 bits hold every board";
    let (kings, plain) = (Kings::<U512>::new(board), position.bitboards::<U512>());
    live(&kings.expect(every), &plain.expect(every)).len()
}

/// The squares of components in which somebody may have a move, now or later.
fn live<W: Word>(kings: &Kings<W>, position: &Bitboards<W>) -> Bitboard<W> {
    let cells = kings.all().without(position.arrows);
    let amazons = position.mover | position.opponent;
    let components = kings.components(amazons, cells);
    components
        .filter(|&component| !component.is_subset(amazons))
        .fold(Bitboard::EMPTY, |all, component| all | component)
}

/// The bits that move in each round, where they stand then.
fn moving<W: Word>(squares: W) -> [W; ROUNDS] {
    let mut moving = [W::ZERO; ROUNDS];
    for (to, from) in Bitboard::from_word(squares).iter().enumerate() {
        let (distance, mut at) = (from.index() - to, from.index() as u32);
        for (round, moving) in moving.iter_mut().enumerate() {
            if distance >> round & 1 != 0 {
                *moving = *moving | (W::ONE << at);
                at -= 1 << round;
            }
        }
    }
    moving
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_gathered_is_spread_again(mask: u128, more: u128, set: u128) {
            let squares = Bitboard::from_word(mask & more & (u128::MAX >> 28));
            prop_assume!(squares.len() <= 64);
            let ground = Ground { squares, moving: moving(squares.word()) };
            let set = squares & Bitboard::from_word(set);
            let bits = ground.gather(set);
            prop_assert_eq!(bits.count_ones() as usize, set.len());
            prop_assert!(ground.len() == 64 || bits >> ground.len() == 0);
            prop_assert_eq!(ground.spread(bits), set);
        }
    }
}
