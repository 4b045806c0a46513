//! Random positions.

use amazons::game::board::{Bitboard, Board};
use amazons::game::rules::{Bitboards, Colour, Position};
use rand::Rng;
use rand::rngs::StdRng;

/// A position with so many amazons of the mover and of the opponent, and at most as many empty
/// squares. Either colour may be to move.
pub fn random_position(
    board: Board,
    [mover, opponent]: [usize; 2],
    empty: usize,
    random: &mut StdRng,
) -> Position {
    let squares = board.squares();
    let free = squares - mover - opponent;
    let arrows = random.random_range(free.saturating_sub(empty)..=free);
    let mut order: Vec<u32> = (0..squares as u32).collect();
    for i in (1..squares).rev() {
        order.swap(i, random.random_range(0..=i));
    }
    let mut take = |count: usize| order.drain(..count).fold(0u64, |set, square| set | 1 << square);
    let [mover, opponent, arrows] =
        [take(mover), take(opponent), take(arrows)].map(Bitboard::from_word);
    let turn = if random.random() { Colour::White } else { Colour::Black };
    Position::new(board, &Bitboards { mover, opponent, arrows }, turn).unwrap()
}
