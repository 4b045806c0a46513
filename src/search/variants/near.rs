//! Which squares of a position a move can lead on to, step by step.

use crate::game::board::{Bitboard, BoardError, Kings, Leaps, flood};
use crate::game::variants::{Shot, State, Step, VariantRules};

/// Two squares are *near* if a king step lies between them, in games of queens, if a leap does, in
/// games of knights, and if a side without a wall does, where walls are built.
///
/// Steps and shots go from square to near square. Which squares they may pass is told by the set
/// `within` that a caller gives.
#[derive(Debug)]
pub(super) enum Near {
    King(Kings<u64>),
    Leap(Leaps<u64>),
    Side,
}

impl Near {
    /// By these rules; `None` if steps and shots go differently.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more than 64 squares.
    pub(super) fn new(rules: &VariantRules) -> Result<Option<Self>, BoardError> {
        let board = rules.board();
        Ok(match (rules.rules().step, rules.rules().shot) {
            (Step::Queen | Step::Capturing, Shot::Queen) => Some(Self::King(Kings::new(board)?)),
            (Step::Knight, Shot::Knight) => Some(Self::Leap(Leaps::new(board)?)),
            (Step::Neighbour, Shot::Wall) => Some(Self::Side),
            _ => None,
        })
    }

    /// The connected sets of squares of `within` that hold a square of `seeds`, a part of it.
    pub(super) fn components(
        &self,
        rules: &VariantRules,
        state: &State,
        seeds: Bitboard,
        within: Bitboard,
    ) -> Vec<Bitboard> {
        let (mut rest, mut found) = (seeds, Vec::new());
        while let Some(seed) = rest.first() {
            let seed = Bitboard::of(seed);
            let squares = match self {
                Self::King(kings) => kings.flood(seed, within),
                Self::Leap(leaps) => leaps.flood(seed, within),
                Self::Side => flood(seed, within, |square| rules.beside(&state.walls, square)),
            };
            rest = rest.without(squares);
            found.push(squares);
        }
        found
    }
}
