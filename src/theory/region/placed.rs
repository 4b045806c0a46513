//! From squares of a board to local games, and their moves back to the board.

use super::local::{Cell, LocalGame, LocalMove, Player};
use crate::game::board::{Bitboard, Kings, SquareIndex, U512};
use crate::game::notation::LocalPosition;
use crate::game::rules::IndexedMove;
use crate::machine::bits::ones;

/// A component of a position on a board: the local game, and where on the board its squares are.
#[derive(Clone, Debug)]
pub struct Placed {
    game: LocalGame,
    /// The board's square of every bit of the game.
    squares: Vec<Option<SquareIndex>>,
}

/// A component is too large for a local game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a part of {squares} squares that fills a box of {columns}x{rows} is too large: the squares of a \
     box and its shorter side come to at most 64 together, found {}",
    columns * rows + columns.min(rows)
)]
#[non_exhaustive]
pub struct PartTooLarge {
    /// Its squares.
    pub squares: usize,
    /// Columns of the box around it.
    pub columns: usize,
    /// Rows of the box around it.
    pub rows: usize,
}

impl Placed {
    /// The components of a position that have an amazon, by their lowest square.
    ///
    /// # Errors
    /// [`PartTooLarge`] if one does not fit a local game.
    pub fn components(position: &LocalPosition) -> Result<Vec<Self>, PartTooLarge> {
        let amazons = position.left | position.right;
        let kings = Kings::<U512>::new(position.board).expect("512 bits hold every board");
        let cells = kings.all().without(position.burned);
        let parts = kings.components(cells, cells);
        parts
            .filter(|part| part.intersects(amazons))
            .map(|part| Self::new(position, part))
            .collect()
    }

    fn new(position: &LocalPosition, part: Bitboard<U512>) -> Result<Self, PartTooLarge> {
        let board = position.board;
        let place =
            |square: SquareIndex| (board.rows() - 1 - board.rank(square), board.file(square));
        let cell = |square: SquareIndex| match () {
            () if position.left.contains(square) => Cell::Amazon(Player::Left),
            () if position.right.contains(square) => Cell::Amazon(Player::Right),
            () => Cell::Empty,
        };
        let cells: Vec<_> = part.iter().map(|s| (place(s).0, place(s).1, cell(s))).collect();
        let (top, side) = corner(&cells);
        let game = LocalGame::from_cells(&cells).ok_or_else(|| PartTooLarge {
            squares: cells.len(),
            columns: cells.iter().map(|c| c.1 - side + 1).max().unwrap_or(0),
            rows: cells.iter().map(|c| c.0 - top + 1).max().unwrap_or(0),
        })?;
        // `from_cells` keeps the corner and at most exchanges rows and columns.
        let turned = ones(game.squares()).any(|bit| {
            let (row, column) = game.place(bit);
            !cells.iter().any(|&(r, c, _)| (r, c) == (row + top, column + side))
        });
        let square = |bit: u32| {
            let (row, column) = game.place(bit);
            let (row, column) = if turned { (column, row) } else { (row, column) };
            board.square(column + side, (board.rows() - 1).checked_sub(row + top)?)
        };
        Ok(Self { game, squares: (0..64).map(square).collect() })
    }

    /// The local game.
    pub fn game(&self) -> &LocalGame {
        &self.game
    }

    /// A move of the local game as a move on the board; `None` if the move is not of this game.
    pub fn on_board(&self, played: LocalMove) -> Option<IndexedMove> {
        let square = |bit: u32| *self.squares.get(bit as usize)?;
        Some(IndexedMove {
            from: square(played.from)?,
            to: square(played.to)?,
            arrow: square(played.arrow)?,
        })
    }
}

fn corner(cells: &[(usize, usize, Cell)]) -> (usize, usize) {
    let top = cells.iter().map(|c| c.0).min().unwrap_or(0);
    (top, cells.iter().map(|c| c.1).min().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{any_board, any_set};
    use crate::game::notation::LocalPosition;
    use crate::game::rules::{Colour, Rules};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn local_moves_are_the_moves_of_the_rules(board in any_board(), sets in prop::array::uniform5(any_set())) {
            let [a, b, c, d, e] = sets;
            let left = a & b & c & board.all();
            let right = (a & b & d & board.all()).without(left);
            let position = LocalPosition { board, left, right, burned: (d & e & board.all()).without(left | right) };
            let Ok(parts) = Placed::components(&position) else { return Ok(()) };
            for (player, turn) in [(Player::Left, Colour::Black), (Player::Right, Colour::White)] {
                let mut found = Vec::new();
                for part in &parts {
                    part.game().for_each_move(player, |played, _| found.push(part.on_board(played).unwrap()));
                }
                found.sort_unstable();
                let rules = Rules::<U512>::new(board).unwrap();
                prop_assert_eq!(found, rules.moves(&position.with_turn(turn)));
            }
        }
    }
}
