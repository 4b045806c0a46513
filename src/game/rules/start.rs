//! Start positions.
//!
//! 10x10 is the classical game. On small boards the literature puts four amazons a side on the
//! (1,2)-points of the corners: White a2, b1 and their mirror images in the last files; Black is
//! the top-bottom mirror image.
//!
//! ```text
//!   4 | . q q .        5 | . q . q .
//!   3 | q . . q        4 | q . . . q
//!   2 | Q . . Q        3 | . . . . .
//!   1 | . Q Q .        2 | Q . . . Q
//!       a b c d        1 | . Q . Q .
//! ```
//!
//! With other numbers of amazons, or on smaller boards, White's amazons take, in this order, the
//! points of that start (b1, its mirror image, a2, its mirror image), then the free squares of the
//! lower half rank by rank from the middle file outwards. Black's stand as White's would, mirrored
//! top to bottom.

use super::{Amazons, Colour, Position, Setup};
use crate::game::board::{Bitboard, Board, SquareIndex, U512};

/// Why there is no start position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// No amazon is asked for.
    #[error("a start position has at least one amazon, found none")]
    NoAmazon,
    /// A side has more amazons than its half of the board has squares.
    #[error(
        "{found} amazons of one side do not fit {room} squares, its half of {board}: take fewer, or set the position up as FEN"
    )]
    NoRoom {
        /// The board.
        board: Board,
        /// Squares of its half.
        room: usize,
        /// Amazons of the side.
        found: usize,
    },
}

impl Position {
    /// The start position of a board, four amazons a side, White to move.
    ///
    /// # Errors
    /// [`StartError::NoRoom`] where they do not fit.
    pub fn start(board: Board) -> Result<Self, StartError> {
        start(board)
    }

    /// The start position of a board with these amazons, White to move. White's amazons stand in
    /// the lower half of the board, Black's where White's would, mirrored top to bottom.
    ///
    /// # Errors
    /// [`StartError`] if the amazons of a side do not fit its half of the board.
    pub fn start_with(board: Board, amazons: Amazons) -> Result<Self, StartError> {
        start_with(board, amazons)
    }
}

/// The start position of a board, four amazons a side, White to move.
///
/// # Errors
/// [`StartError::NoRoom`] where they do not fit.
pub fn start(board: Board) -> Result<Position, StartError> {
    start_with(board, Amazons { white: 4, black: 4 })
}

/// The start position of the literature, four amazons a side, White to move; `None` on boards with
/// fewer than 4 columns or rows.
fn known_start(board: Board) -> Option<Position> {
    if board.columns() < 4 || board.rows() < 4 {
        return None;
    }
    let white: &[(usize, usize)] = match (board.columns(), board.rows()) {
        (10, 10) => &[(0, 3), (3, 0), (6, 0), (9, 3)],
        (columns, _) => &[(0, 1), (1, 0), (columns - 2, 0), (columns - 1, 1)],
    };
    let squares = |mirror: bool| -> Bitboard<U512> {
        let rank = |rank: usize| if mirror { board.rows() - 1 - rank } else { rank };
        white.iter().filter_map(|&(file, r)| board.square(file, rank(r))).collect()
    };
    let setup = Setup {
        board,
        white: squares(false),
        black: squares(true),
        arrows: Bitboard::EMPTY,
        turn: Colour::White,
    };
    setup.check().ok()
}

/// The start position with these amazons, White to move.
///
/// # Errors
/// [`StartError::NoRoom`] if a side has more amazons than its half has squares,
/// [`StartError::NoAmazon`] if neither has any.
pub fn start_with(board: Board, amazons: Amazons) -> Result<Position, StartError> {
    if let (Amazons { white: 4, black: 4 }, Some(known)) = (amazons, known_start(board)) {
        return Ok(known);
    }
    if (amazons.white, amazons.black) == (0, 0) {
        return Err(StartError::NoAmazon);
    }
    let order = order(board);
    let most = amazons.white.max(amazons.black);
    let no_room = StartError::NoRoom { board, room: order.len(), found: most };
    if most > order.len() {
        return Err(no_room);
    }
    let mirrored = |square: SquareIndex| {
        board.square(board.file(square), board.rows() - 1 - board.rank(square))
    };
    let white: Bitboard<U512> = order[..amazons.white].iter().copied().collect();
    let black: Bitboard<U512> =
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
        start_with(board.parse().unwrap(), amazons.parse().unwrap())
            .map_or_else(|e| e.to_string(), |p| fen(&p))
    }

    #[test]
    fn no_amazons_are_no_start() {
        let board = "4x4".parse().unwrap();
        assert_eq!(start_with(board, Amazons { white: 0, black: 0 }), Err(StartError::NoAmazon));
        assert!(start_with(board, Amazons { white: 1, black: 0 }).is_ok());
        let most = Amazons { white: usize::MAX, black: usize::MAX };
        assert!(matches!(start_with(board, most), Err(StartError::NoRoom { .. })));
    }

    #[test]
    fn known_starts_are_those_of_the_literature() {
        assert_eq!(at("4x4", "4v4"), "1qq1/q2q/Q2Q/1QQ1 w");
        assert_eq!(at("10x10", "4v4"), "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w");
        assert_eq!(at("5x5", "2v2"), "1q1q1/5/5/5/1Q1Q1 w");
        assert_eq!(at("3x3", "1v1"), "1q1/3/1Q1 w");
        let board: Board = "3x4".parse().unwrap();
        assert_eq!(start(board), start_with(board, "4v4".parse().unwrap()));
        assert_eq!(at("4x4", "1v0"), "4/4/4/1Q2 w");
    }

    #[test]
    fn any_amazons_that_fit_stand_apart() {
        for (columns, rows) in [1, 2, 3, 5, 8, 10, 11, 20]
            .into_iter()
            .flat_map(|c| [1, 2, 3, 4, 7, 10, 13, 20].into_iter().map(move |r| (c, r)))
        {
            let board = Board::new(columns, rows).unwrap();
            let room = columns * (rows / 2);
            for (white, black) in (0..=room).flat_map(|w| [(w, room), (room, w), (w, w)]) {
                if white + black > 0 {
                    let position = start_with(board, Amazons { white, black }).unwrap();
                    let found =
                        [Colour::White, Colour::Black].map(|colour| position.amazons(colour).len());
                    assert_eq!(found, [white, black], "{board}");
                }
            }
            assert!(start_with(board, Amazons { white: room + 1, black: 0 }).is_err());
        }
    }
}
