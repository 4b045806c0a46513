//! Round trips through text of every position and move of random games on random boards.

use amazons::game::board::{Bitboard, Board, SquareIndex, U512};
use amazons::game::notation::{LocalPosition, fen, move_text, parse_fen, parse_move};
use amazons::game::rules::{Bitboards, Colour, Position, Rules};
use proptest::prelude::*;

/// A board, amazons a side that fit, and numbers that choose squares and moves.
fn games() -> impl Strategy<Value = (Board, Bitboards<U512>, Vec<u32>)> {
    let sides = (2..=20usize, 2..=20usize, 0..=8usize, 0..=8usize);
    let choices = prop::collection::vec(any::<u32>(), 8..40);
    (sides, choices).prop_map(|((columns, rows, mover, opponent), choices)| {
        let board = Board::new(columns, rows).unwrap();
        let mut position = Bitboards {
            mover: Bitboard::EMPTY,
            opponent: Bitboard::EMPTY,
            arrows: Bitboard::EMPTY,
        };
        for (index, choice) in choices.iter().take(mover + opponent).enumerate() {
            let square = SquareIndex::new((choice % board.squares() as u32) as u16);
            match index < mover {
                _ if position.occupied().contains(square) => {}
                true => position.mover = position.mover.with(square),
                false => position.opponent = position.opponent.with(square),
            }
        }
        (board, position, choices)
    })
}

proptest! {
    #[test]
    fn games_survive_being_written_down((board, start, choices) in games()) {
        let rules = Rules::<U512>::new(board).unwrap();
        let (mut position, mut turn) = (start, Colour::White);
        for choice in choices {
            let Ok(coloured) = Position::new(board, &position, turn) else { break };
            prop_assert_eq!(parse_fen(&fen(&coloured)), Ok(coloured));
            let local = LocalPosition::of(&coloured);
            prop_assert_eq!(local.to_string().parse(), Ok(local));
            prop_assert_eq!(local.with_turn(turn), position);
            let moves = rules.moves(&position);
            let Some(&played) = moves.get(choice as usize % moves.len().max(1)) else { break };
            prop_assert_eq!(parse_move(board, &move_text(board, played)), Ok(played));
            position = rules.play(&position, played).unwrap();
            turn = turn.other();
        }
    }
}
