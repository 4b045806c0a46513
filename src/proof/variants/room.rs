//! How many moves a position can still see.

use crate::game::board::Board;
use crate::game::variants::{RuleSet, Side, State, Step};

/// How many moves of both sides together a position can see at the most.
///
/// Each move burns an empty square, or builds a wall where none is. Without captures that leaves
/// one empty square fewer, or one side without a wall. A capture leaves as many empty squares and
/// one amazon fewer, so amazons count where they can be taken.
pub(crate) fn room(board: Board, rules: RuleSet, state: &State) -> usize {
    if !rules.burns() {
        let open = |side: Side| {
            let squares = board.all::<u64>().iter();
            squares.filter(|&square| !state.walls.is_closed(board, square, side)).count()
        };
        return open(Side::North) + open(Side::East);
    }
    let taken = match rules.step {
        Step::Capturing => state.squares.mover.len() + state.squares.opponent.len(),
        Step::Queen | Step::Knight | Step::Neighbour => 0,
    };
    state.squares.empty(board).len() + taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::{VariantPosition, VariantRules};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_move_takes_of_it(
            at in 0..6usize, columns in 2..=5usize, rows in 3..=5usize, choices: [u16; 40],
        ) {
            let (_, rules) = RuleSet::NAMED[at];
            let board = Board::new(columns, rows).unwrap();
            let Ok(start) = VariantPosition::start(rules, board, None) else { return Ok(()) };
            let game = VariantRules::<u64>::new(board, rules).unwrap();
            let mut state = start.state().unwrap();
            for choice in choices {
                let moves = game.moves(&state);
                let room_before = room(board, rules, &state);
                prop_assert!(room_before > 0 || moves.is_empty(), "{rules} {state:?}");
                for &played in &moves {
                    let after = room(board, rules, &game.play_unchecked(&state, played));
                    prop_assert!(after < room_before, "{rules} {state:?} {played:?}");
                }
                let choice = usize::from(choice) % moves.len().max(1);
                let Some(&played) = moves.get(choice) else { break };
                state = game.play_unchecked(&state, played);
            }
        }
    }
}
