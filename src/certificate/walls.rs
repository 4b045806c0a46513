//! The wall rule: positions that need no strategy in a certificate, because standing still is one.
//!
//! Let one side, the holder, keep its amazons where they are. `F` are the empty squares that the other side's
//! amazons can come to by king steps over empty squares, and `P` is the length of a walk of the holder's amazons, one after
//! the other, by king steps over empty squares outside `F`, no square twice.
//!
//! **Claim.** The holder wins if it moves second and `P >= |F|`, or if it moves first and `P > |F|`.
//!
//! **Proof.** In its turns the holder makes the steps of the walk, each with the shot back onto the square just left. What
//! borders on `F` and the other side's amazons is burned or one of the holder's amazons, and where one of these leaves, its shot burns: no
//! square is ever opened to the other side. So it moves and shoots within `F` and the squares it stood on, and each of its moves burns one of
//! `|F|` and as many more as it has amazons, which always stand on as many: it has at most `|F|` moves. The holder
//! has its `P` moves, since nobody else comes to the squares of the walk. Who begins and has no more moves than the
//! other runs out first.
//!
//! This is the search's blocker bound ([`crate::region::blocker`]) written a second time, square by square, so that a
//! check rests on nothing of the search. Certificates of boards too large to be spelled out to the last squares use it; the others
//! rest on the rules alone.

use crate::board::{Bitboard, Board, Square};
use crate::rules::Position;

/// Judges positions by the wall rule.
#[derive(Clone, Debug)]
pub struct Walls {
    board: Board,
    /// The king neighbours of each square.
    near: Vec<Bitboard>,
}

impl Walls {
    /// For a board of at most 64 squares.
    pub fn new(board: Board) -> Self {
        let squares: Vec<Square> = board.all::<u64>().iter().collect();
        let near = |&a: &Square| {
            let touches = |&b: &Square| {
                let (files, ranks) =
                    (board.file(a).abs_diff(board.file(b)), board.rank(a).abs_diff(board.rank(b)));
                files.max(ranks) == 1
            };
            squares.iter().copied().filter(touches).collect()
        };
        Self { board, near: squares.iter().map(near).collect() }
    }

    /// Whether the side to move wins by holding its walls.
    pub fn win(&self, position: &Position) -> bool {
        self.surplus(position, position.mover, position.opponent) > 0
    }

    /// Whether the side to move loses because the other holds its walls.
    pub fn lose(&self, position: &Position) -> bool {
        self.surplus(position, position.opponent, position.mover) >= 0
    }

    /// Whether the side to move wins, if the rule tells.
    pub fn verdict(&self, position: &Position) -> Option<bool> {
        self.win(position).then_some(true).or_else(|| self.lose(position).then_some(false))
    }

    /// `P - |F|` of a holder.
    fn surplus(&self, position: &Position, holder: Bitboard, other: Bitboard) -> i64 {
        let empty = position.empty(self.board);
        let reached = self.reached(other, empty);
        let mut free = empty.without(reached);
        let kept = free.len();
        for amazon in holder {
            let mut at = amazon;
            while let Some(next) = self.next(at, free) {
                free = free.without(Bitboard::of(next));
                at = next;
            }
        }
        (kept - free.len()) as i64 - reached.len() as i64
    }

    /// The empty squares that some amazons can come to by king steps.
    fn reached(&self, amazons: Bitboard, empty: Bitboard) -> Bitboard {
        let (mut reached, mut edge) = (Bitboard::EMPTY, amazons);
        while let Some(square) = edge.first() {
            let found = (self.near[square.index()] & empty).without(reached);
            reached |= found;
            edge = edge.without(Bitboard::of(square)) | found;
        }
        reached
    }

    /// The next square of a walk: the one with the fewest ways on.
    fn next(&self, at: Square, free: Bitboard) -> Option<Square> {
        let ways = self.near[at.index()] & free;
        ways.iter().min_by_key(|way| (self.near[way.index()] & free).len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive::NaiveSolver;
    use crate::rules::{Rules, colourings};

    fn walls_are_right(board: &str) {
        let board: Board = board.parse().unwrap();
        let (walls, mut naive) = (Walls::new(board), NaiveSolver::new(Rules::new(board).unwrap()));
        let mut decided = 0;
        for position in colourings(board) {
            let wins = naive.wins(&position);
            assert!(!walls.win(&position) || wins, "{position:?}");
            assert!(!walls.lose(&position) || !wins, "{position:?}");
            decided += usize::from(walls.verdict(&position).is_some());
        }
        assert!(decided > 1000, "the rule decides {decided} positions");
    }

    #[test]
    fn the_rule_never_contradicts_the_naive_solver() {
        walls_are_right("3x3");
        walls_are_right("4x2");
        walls_are_right("9x1");
    }

    #[test]
    #[cfg(feature = "long-tests")]
    fn the_rule_never_contradicts_the_naive_solver_on_ten_squares() {
        walls_are_right("5x2");
    }
}
