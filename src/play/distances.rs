//! How many queen moves each side is from each square: what the evaluation counts, as a map.

use super::board_data::BoardData;
use crate::game::board::{Bitboard, BoardError, Word, in_word};
use crate::game::rules::{Bitboards, Colour, Position};

/// Queen moves to each square, by its index; `None` for squares that the side does not reach and
/// those that are not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueenDistances {
    /// From White's amazons.
    pub white: Vec<Option<u8>>,
    /// From Black's amazons.
    pub black: Vec<Option<u8>>,
}

/// The queen distances of both sides; amazons and burned squares stay where they are.
///
/// # Errors
/// If the board fits no word; no board is that large.
pub fn queen_distances(position: &Position) -> Result<QueenDistances, BoardError> {
    in_word!(position.board(), W => {
        let data = BoardData::<W>::new(position.board())?;
        let plain: Bitboards<W> = position.bitboards().expect("the board fits the word");
        let free = plain.empty(position.board());
        let of = |amazons| distances(&data, amazons, free);
        let (mover, opponent) = (of(plain.mover), of(plain.opponent));
        Ok(match position.turn() {
            Colour::White => QueenDistances { white: mover, black: opponent },
            Colour::Black => QueenDistances { white: opponent, black: mover },
        })
    })
}

fn distances<W: Word>(
    data: &BoardData<W>,
    amazons: Bitboard<W>,
    free: Bitboard<W>,
) -> Vec<Option<u8>> {
    let mut distances = vec![None; data.board().squares()];
    let (mut last, mut seen) = (amazons, Bitboard::EMPTY);
    for distance in 1.. {
        last = (data.fill.reach(last, free) & free).without(seen);
        if last.is_empty() {
            break;
        }
        seen |= last;
        for square in last {
            distances[square.index()] = Some(distance);
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{U512, any_board, any_set};
    use crate::game::notation::parse_fen;
    use crate::game::rules::Rules;
    use proptest::prelude::*;

    #[test]
    fn a_square_behind_a_wall_is_not_reached() {
        let position = parse_fen("Q1*1/1**1/**2/3q w").unwrap();
        let found = queen_distances(&position).unwrap();
        let white: Vec<_> = found.white.iter().map(|distance| distance.unwrap_or(0)).collect();
        assert_eq!(white, [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]);
        let black: Vec<_> = found.black.iter().map(|distance| distance.unwrap_or(0)).collect();
        assert_eq!(black, [1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    }

    proptest! {
        /// One after the other, by the steps of the rules.
        #[test]
        fn distances_are_steps_of_the_rules(board in any_board(), sets in prop::array::uniform4(any_set())) {
            let [a, b, c, d] = sets;
            let white = a & b & c & board.all();
            let black = (a & b & d & board.all()).without(white);
            let arrows = (c & d & board.all()).without(white | black);
            let bitboards = crate::game::rules::Bitboards { mover: white, opponent: black, arrows };
            // A side without amazons is no position.
            let Ok(position) = Position::new(board, &bitboards, Colour::White) else { return Ok(()) };
            let found = queen_distances(&position).unwrap();
            let rules = Rules::<U512>::new(board).unwrap();
            let free = board.all().without(white | black | arrows);
            for (amazons, found) in [(white, &found.white), (black, &found.black)] {
                let mut expected = vec![None; board.squares()];
                let mut edge: Vec<_> = amazons.iter().collect();
                for distance in 1..=u8::MAX {
                    let mut next = Vec::new();
                    for from in edge {
                        for to in rules.rays().reach(from, free) {
                            if expected[to.index()].is_none() {
                                expected[to.index()] = Some(distance);
                                next.push(to);
                            }
                        }
                    }
                    edge = next;
                }
                prop_assert_eq!(found, &expected);
            }
        }
    }
}
