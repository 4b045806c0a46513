//! Start positions for any number of amazons.
//!
//! With four a side on boards from 4x4 on it is the start of the literature. Otherwise White's
//! amazons take, in this order, the points of that start (b1, its mirror image, a2, its mirror
//! image), then the free squares of the lower half rank by rank from the middle file outwards;
//! Black's stand as White's would, mirrored top to bottom.

use crate::game::board::{Bitboard, Board, SquareIndex};
use crate::game::rules::{self, Amazons, Colour, Position, Setup};

/// Why there is no start position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{found} amazons of one side do not fit {room} squares, its half of {board}; set the position up as FEN"
)]
pub(super) struct NoRoom {
    board: Board,
    room: usize,
    found: usize,
}

/// The start position with these amazons, White to move.
pub(super) fn start(board: Board, amazons: Amazons) -> Result<Position, NoRoom> {
    if let (Amazons { white: 4, black: 4 }, Ok(known)) = (amazons, rules::start(board)) {
        return Ok(known);
    }
    let order = order(board);
    let most = amazons.white.max(amazons.black);
    let no_room = NoRoom { board, room: order.len(), found: most };
    if most > order.len() {
        return Err(no_room);
    }
    let mirrored = |square: SquareIndex| {
        board.square(board.file(square), board.rows() - 1 - board.rank(square))
    };
    let white: Bitboard<u128> = order[..amazons.white].iter().copied().collect();
    let black: Bitboard<u128> =
        order[..amazons.black].iter().copied().filter_map(mirrored).collect();
    let setup = Setup { board, white, black, arrows: Bitboard::EMPTY, turn: Colour::White };
    setup.check().map_err(|_| no_room)
}

/// The squares of the lower half, those that are taken first in front. The middle rank is nobody's.
fn order(board: Board) -> Vec<SquareIndex> {
    let (columns, half) = (board.columns(), board.rows() / 2);
    let corners = [(1, 0), (columns.saturating_sub(2), 0), (0, 1), (columns - 1, 1)];
    let corners: &[(usize, usize)] = if columns >= 4 && half >= 2 { &corners } else { &[] };
    let mut files: Vec<usize> = (0..columns).collect();
    files.sort_by_key(|&file| (2 * file + 1).abs_diff(columns));
    let rest = (0..half).flat_map(|rank| files.iter().map(move |&file| (file, rank)));
    let mut order: Vec<SquareIndex> = Vec::new();
    for (file, rank) in corners.iter().copied().chain(rest) {
        let square = board.square(file, rank).filter(|square| !order.contains(square));
        order.extend(square);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::fen;

    fn at(board: &str, amazons: &str) -> String {
        start(board.parse().unwrap(), amazons.parse().unwrap())
            .map_or_else(|e| e.to_string(), |p| fen(&p))
    }

    #[test]
    fn known_starts_are_those_of_the_literature() {
        assert_eq!(at("4x4", "4v4"), "1qq1/q2q/Q2Q/1QQ1 w");
        assert_eq!(at("10x10", "4v4"), "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w");
        assert_eq!(at("5x5", "2v2"), "1q1q1/5/5/5/1Q1Q1 w");
        assert_eq!(at("3x3", "1v1"), "1q1/3/1Q1 w");
        assert_eq!(at("4x4", "1v0"), "4/4/4/1Q2 w");
    }

    #[test]
    fn any_amazons_that_fit_stand_apart() {
        for (columns, rows) in (1..=10).flat_map(|c| (1..=10).map(move |r| (c, r))) {
            let board = Board::new(columns, rows).unwrap();
            let room = columns * (rows / 2);
            for (white, black) in (0..=room).flat_map(|w| [(w, room), (room, w), (w, w)]) {
                if white + black > 0 {
                    let position = start(board, Amazons { white, black }).unwrap();
                    let found =
                        [Colour::White, Colour::Black].map(|colour| position.amazons(colour).len());
                    assert_eq!(found, [white, black], "{board}");
                }
            }
            assert!(start(board, Amazons { white: room + 1, black: 0 }).is_err());
        }
    }
}
