//! Spare moves as a territory: a position beside a walled-off region in which one side alone has
//! moves.
//!
//! Nobody but its owner moves there, and each of its moves burns a square of it and does nothing
//! else. So an amazon that can burn `n` empty squares one after the other, and no more, is `n`
//! spare moves of its side. What is said of a position with spare moves ([`margin`](super::margin))
//! can be said of a position of the game so, and whatever proves or checks positions does the rest.

use super::Position;
use super::board::{Bitboard, Board};
use super::rules::Bitboards;

impl Position {
    /// The same position with `spare` spare moves of the side to move, or of the other side if it
    /// is below 0, as a territory on a larger board. The board keeps its place at a1, files and
    /// ranks keep their names. With 0 it is the position itself. `None` if that has room on no
    /// board of at most 64 squares, with at most 20 files and ranks.
    pub fn with_spare_territory(&self, spare: i16) -> Option<Self> {
        if spare == 0 {
            return Some(*self);
        }
        let (board, squares) = (self.board(), usize::from(spare.unsigned_abs()) + 1);
        let wider = squares.div_ceil(board.rows()) + 1;
        let higher = squares.div_ceil(board.columns()) + 1;
        let wider = Board::new(board.columns() + wider, board.rows()).ok();
        let higher = Board::new(board.columns(), board.rows() + higher).ok();
        let boards = [wider, higher].into_iter().flatten().filter(|board| board.fits::<u64>());
        let larger = boards.min_by_key(|board| board.squares())?;
        Some(self.beside_territory(larger, squares, spare))
    }

    /// The position on a larger board, with a territory of so many squares on what is new of it
    /// beyond a wall.
    fn beside_territory(&self, larger: Board, squares: usize, spare: i16) -> Self {
        let board = self.board();
        let plain: Bitboards = self.bitboards().expect("its board has no more squares");
        let at = |file: usize, rank: usize| larger.square(file, rank).expect("on the board");
        let moved = |set: Bitboard| -> Bitboard {
            set.iter().map(|square| at(board.file(square), board.rank(square))).collect()
        };
        // A way over all squares of the new part, to and fro: each is beside the one before it.
        let is_wider = larger.columns() > board.columns();
        let (first, end, length) = match is_wider {
            true => (board.columns() + 1, larger.columns(), larger.rows()),
            false => (board.rows() + 1, larger.rows(), larger.columns()),
        };
        let way = (first..end).flat_map(|line| {
            let is_back = (line - first) % 2 == 1;
            (0..length).map(move |step| (line, if is_back { length - 1 - step } else { step }))
        });
        let mut way =
            way.map(|(line, step)| if is_wider { at(line, step) } else { at(step, line) });
        let amazon = Bitboard::of(way.next().expect("a territory has a square"));
        let empty: Bitboard =
            way.take(squares - 1).collect::<Bitboard>() | moved(plain.empty(board));
        let (mut mover, mut opponent) = (moved(plain.mover), moved(plain.opponent));
        *(if spare < 0 { &mut opponent } else { &mut mover }) |= amazon;
        let arrows = larger.all().without(empty | mover | opponent);
        let sum = Bitboards { mover, opponent, arrows };
        Self::new(larger, &sum, self.turn()).expect("all squares are on the board, none twice")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::naive_margins::NaiveMargins;
    use crate::game::rules::Rules;

    #[test]
    fn a_territory_stands_beyond_a_wall() {
        let position: Position = "q1*/1Q1 w".parse().unwrap();
        for (spare, expected) in
            [(0, "q1*/1Q1 w"), (1, "q1**1/1Q1*Q w"), (-1, "q1**1/1Q1*q w"), (3, "q1**2/1Q1*Q1 w")]
        {
            assert_eq!(position.with_spare_territory(spare).unwrap().to_string(), expected);
        }
        let large: Position = Position::start("8x8".parse().unwrap()).unwrap();
        assert_eq!(large.with_spare_territory(1), None);
        assert_eq!(position.with_spare_territory(1000), None);
    }

    #[test]
    fn so_many_moves_of_it_are_so_many_spare_moves() {
        let position: Position = "q1*/1Q1 w".parse().unwrap();
        let threshold = |position: &Position| {
            let rules = Rules::<u64>::new(position.board()).unwrap();
            NaiveMargins::new(rules).threshold(&position.bitboards().unwrap()).spare()
        };
        let alone = threshold(&position);
        for spare in -7..=7 {
            let sum = position.with_spare_territory(spare).unwrap();
            assert_eq!(threshold(&sum), alone - spare, "{sum}");
        }
    }
}
