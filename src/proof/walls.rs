//! The wall rule: positions that need no strategy in a certificate, because holding the walls is
//! one.
//!
//! Let one side, the holder, keep its amazons where they are. `F` are the empty squares that the
//! other side's amazons can come to by king steps over empty squares, and `P` is the length of a
//! walk of the holder's amazons, one after the other, by king steps over empty squares outside `F`,
//! no square twice.
//!
//! **Claim.** The holder wins if it moves second and `P >= |F|`, or if it moves first and `P >
//! |F|`.
//!
//! **Proof.** In its turns the holder makes the steps of the walk, each with the shot back onto the
//! square just left.
//!
//! 1. *The other side moves and shoots only within `F` and the squares where its amazons stood at
//!    first.* What borders on these is burned or holds an amazon of the holder. Where such an
//!    amazon leaves, its shot burns the square. So no square is ever opened to the other side.
//! 2. *The other side has at most `|F|` moves.* Each of its moves burns one of these squares. They
//!    are `|F|` and as many more as it has amazons, and its amazons always stand on as many.
//! 3. *The holder has its `P` moves*, since nobody else comes to the squares of the walk.
//!
//! Who begins and has no more moves than the other runs out first.
//!
//! With `k` steps into `F` that the other side cannot prevent, `P - |F| + 2k` stands for `P - |F|`:
//! see [`super::steps`], which has the proof.
//!
//! The search's bounds ([`crate::theory::region::blocker`], [`crate::theory::region::contest`]) say
//! the same of a whole board. The rule is written a second time here, so that a check rests on
//! nothing of the search. The writer of certificates calls this code too, to know which positions
//! it may leave out. Certificates of boards too large to be spelled out to the last squares use the
//! rule; the others rest on the rules of the game alone.
//!
//! Cost: a tenth of a microsecond where `P - |F|` is far from 0; several where steps must be tried.

use super::steps::{ANSWERING, BEGINNING, StepPosition, Steps};
use crate::game::Outcome;
use crate::game::board::{Bitboard, Board, BoardError, Kings};
use crate::game::rules::{Bitboards, Rules};

/// Judges positions by the wall rule.
#[derive(Clone, Debug)]
pub struct Walls {
    steps: Steps,
}

/// Who moves next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Holder,
    Other,
}

impl First {
    /// Most steps that are looked for.
    fn most(self) -> i32 {
        match self {
            Self::Holder => BEGINNING,
            Self::Other => ANSWERING,
        }
    }

    /// By how many moves the holder must have more than the other side.
    fn lead(self) -> i32 {
        i32::from(self == Self::Holder)
    }
}

/// The walk of the holder's amazons.
struct Walk {
    /// Its length.
    moves: i32,
    /// Amazons that have no part in it.
    idle: Bitboard,
    /// Amazons whose part is one move.
    single: Bitboard,
}

impl Walls {
    /// For a board of at most 64 squares.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if it has more.
    pub fn new(board: Board) -> Result<Self, BoardError> {
        Ok(Self { steps: Steps { kings: Kings::new(board)?, rules: Rules::new(board)? } })
    }

    /// Whether the side to move wins by holding its walls.
    #[inline]
    pub fn win(&self, position: &Bitboards) -> bool {
        self.holds(position, position.mover, position.opponent, First::Holder)
    }

    /// Whether a certificate may leave out this position of the winner, to move: it wins by the
    /// rule, or has a move after which the other side loses by it. Cost: that of the rule for each
    /// move until one is found.
    #[inline]
    pub fn covers(&self, position: &Bitboards) -> bool {
        self.win(position) || self.win_by_move(position)
    }

    fn win_by_move(&self, position: &Bitboards) -> bool {
        let rules = &self.steps.rules;
        rules
            .moves(position)
            .into_iter()
            .any(|played| self.lose(&rules.play_unchecked(position, played)))
    }

    /// Whether the side to move loses because the other holds its walls.
    #[inline]
    pub fn lose(&self, position: &Bitboards) -> bool {
        self.holds(position, position.opponent, position.mover, First::Other)
    }

    /// What the side to move reaches, if the rule tells.
    #[inline]
    pub fn verdict(&self, position: &Bitboards) -> Option<Outcome> {
        let win = self.win(position).then_some(Outcome::Win);
        win.or_else(|| self.lose(position).then_some(Outcome::Loss))
    }

    /// Whether a holder wins.
    fn holds(&self, position: &Bitboards, holder: Bitboard, other: Bitboard, first: First) -> bool {
        let kings = &self.steps.kings;
        let empty = kings.all().without(position.occupied());
        let area = kings.flood(other, empty) & empty;
        let kept = empty.without(area);
        let needed = first.lead() + area.len() as i32;
        if needed > kept.len() as i32 + 2 * first.most() {
            return false;
        }
        let walk = Walk::new(kings, holder, area, kept);
        let missing = needed - walk.moves;
        missing <= 0
            || self.gains(&walk, StepPosition { steppers: walk.idle, other, area }, missing, first)
    }

    /// Whether the holder gains as many moves as are missing by steps.
    fn gains(&self, walk: &Walk, at: StepPosition, missing: i32, first: First) -> bool {
        let sure = |steppers: Bitboard, steps: i32| {
            let at = StepPosition { steppers, ..at };
            match first {
                First::Holder => self.steps.moving(&at, steps as usize),
                First::Other => self.steps.answering(&at, steps as usize),
            }
        };
        let most = first.most();
        let steps = (missing + 1) / 2;
        if steps <= most && sure(walk.idle, steps) {
            return true;
        }
        let singles = walk.single.len() as i32;
        let enough = |&steps: &i32| 2 * steps - steps.min(singles) >= missing;
        singles > 0
            && (steps..=most).find(enough).is_some_and(|steps| sure(walk.idle | walk.single, steps))
    }
}

impl Walk {
    /// A walk over free squares; amazons beside the area come last, since they have steps to make.
    #[inline]
    fn new(kings: &Kings<u64>, amazons: Bitboard, area: Bitboard, free: Bitboard) -> Self {
        let mut walk = Self { moves: 0, idle: Bitboard::EMPTY, single: Bitboard::EMPTY };
        if free.is_empty() {
            return Self { idle: amazons, ..walk };
        }
        let beside = kings.neighbours(area) & amazons;
        let mut left = free;
        for amazon in amazons.without(beside).iter().chain(beside) {
            let (mut at, mut moves) = (amazon, 0);
            let narrowest = |ways: Bitboard, left: Bitboard| {
                ways.iter().min_by_key(|&way| (kings.neighbours(Bitboard::of(way)) & left).len())
            };
            while let Some(next) = narrowest(kings.neighbours(Bitboard::of(at)) & left, left) {
                left = left.without(Bitboard::of(next));
                (at, moves) = (next, moves + 1);
            }
            match moves {
                0 => walk.idle = walk.idle.with(amazon),
                1 => walk.single = walk.single.with(amazon),
                _ => {}
            }
            walk.moves += moves;
        }
        walk
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::SquareIndex;
    use crate::game::naive::NaiveSolver;
    use crate::game::rules::colourings;
    use proptest::prelude::*;

    /// Holds the rule against the naive solver; whether it decides the position, and whether it
    /// needs steps for that.
    fn checked(walls: &Walls, naive: &mut NaiveSolver, position: &Bitboards) -> (bool, bool) {
        let (outcome, win, lose) =
            (naive.outcome(position), walls.win(position), walls.lose(position));
        assert!(!win || outcome.is_win(), "{position:?} is lost");
        assert!(!lose || !outcome.is_win(), "{position:?} is won");
        assert_eq!(walls.verdict(position), (win || lose).then_some(outcome));
        assert!(outcome.is_win() || !walls.covers(position), "{position:?} has no winning move");
        let decided = win || lose;
        (decided, decided && !stands_still(walls, position))
    }

    /// Whether `P - |F|` alone decides a position.
    fn stands_still(walls: &Walls, position: &Bitboards) -> bool {
        let (Bitboards { mover, opponent, .. }, kings) = (*position, &walls.steps.kings);
        let empty = kings.all().without(position.occupied());
        let surplus = |holder: Bitboard, other: Bitboard| {
            let area = kings.flood(other, empty) & empty;
            Walk::new(kings, holder, area, empty.without(area)).moves - area.len() as i32
        };
        surplus(mover, opponent) > 0 || surplus(opponent, mover) >= 0
    }

    fn walls_are_right(board: &str) {
        let board: Board = board.parse().unwrap();
        let (walls, mut naive) =
            (Walls::new(board).unwrap(), NaiveSolver::new(Rules::new(board).unwrap()));
        let (mut decided, mut by_steps) = (0, 0);
        for position in colourings(board) {
            let (is_decided, needs_steps) = checked(&walls, &mut naive, &position);
            decided += usize::from(is_decided);
            by_steps += usize::from(needs_steps);
        }
        println!("{board}: {decided} decided, {by_steps} by steps");
        assert!(by_steps > 10_000 && decided > by_steps, "{decided} decided, {by_steps} by steps");
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

    /// A position with some amazons and empty squares, by the order of the squares.
    fn dealt(board: Board, order: &[u8], mover: usize, opponent: usize, empty: usize) -> Bitboards {
        let set = |squares: &[u8]| {
            squares.iter().map(|&index| SquareIndex::new(index)).collect::<Bitboard>()
        };
        let amazons = mover + opponent;
        Bitboards {
            mover: set(&order[..mover]),
            opponent: set(&order[mover..amazons]),
            arrows: board.all().without(set(&order[..(amazons + empty).min(order.len())])),
        }
    }

    const DEALS: u32 = if cfg!(feature = "long-tests") { 100_000 } else { 1000 };

    #[test]
    fn the_rule_never_contradicts_the_naive_solver_on_larger_boards() {
        for (board, least) in [("4x3", 200), ("3x4", 200), ("5x3", 200), ("4x4", 200)] {
            let board: Board = board.parse().unwrap();
            let (walls, rules) = (Walls::new(board).unwrap(), Rules::new(board).unwrap());
            let order = Just((0..board.squares() as u8).collect::<Vec<_>>()).prop_shuffle();
            let (seen, by_steps) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
            let deals = (order, 1..=3usize, 1..=3usize, 3..=8usize);
            let config =
                ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(DEALS) };
            let mut runner = proptest::test_runner::TestRunner::new(config);
            let outcome = runner.run(&deals, |(order, mover, opponent, empty)| {
                let position = dealt(board, &order, mover, opponent, empty);
                let mut naive = NaiveSolver::new(rules.clone());
                let (decided, needs_steps) = checked(&walls, &mut naive, &position);
                seen.set(seen.get() + u32::from(decided));
                by_steps.set(by_steps.get() + u32::from(needs_steps));
                Ok(())
            });
            outcome.unwrap();
            println!("{board}: {} decided, {} by steps", seen.get(), by_steps.get());
            assert!(
                by_steps.get() * 1000 > DEALS * least,
                "{board}: steps decide {} of {DEALS}",
                by_steps.get()
            );
        }
    }
}
