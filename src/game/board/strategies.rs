//! Boards and sets of squares for property tests.

use proptest::prelude::*;

use super::{Bitboard, Board, U512};

/// Boards of every size. Half of them have at most ten columns and rows, so that each word that a
/// board may fit has its turn.
pub(crate) fn any_board() -> impl Strategy<Value = Board> {
    let sides = prop_oneof![(1..=10usize, 1..=10usize), (1..=20usize, 1..=20usize)];
    sides.prop_map(|(columns, rows)| Board::new(columns, rows).expect("sides of a board"))
}

/// Any squares, on a board or not.
pub(crate) fn any_set() -> impl Strategy<Value = Bitboard<U512>> {
    any::<[u64; 8]>().prop_map(|limbs| {
        let limbs = limbs.into_iter().zip([0, 64, 128, 192, 256, 320, 384, 448]);
        let word = limbs.fold(U512::ZERO, |word, (limb, at)| word | U512::from_low(limb) << at);
        Bitboard::from_word(word)
    })
}
