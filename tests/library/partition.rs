//! The bounds of the partition against exact values and the naive solver, on every small position.

use amazons::game::board::{Bitboard, Board, Kings};
use amazons::game::naive::NaiveSolver;
use amazons::game::notation::LocalPosition;
use amazons::game::rules::{Bitboards, Rules};
use amazons::theory::region::partition::{Component, partition};
use amazons::theory::region::{Allowance, Placed, Territories};
use amazons::theory::values::Evaluator;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// A position of up to 64 squares, Left and Right.
#[derive(Clone, Copy, Debug)]
struct Local {
    left: Bitboard,
    right: Bitboard,
    empty: Bitboard,
}

struct Bench {
    board: Board,
    kings: Kings<u64>,
    territories: Territories,
    naive: NaiveSolver<u64>,
    evaluator: Evaluator,
    tested: u64,
    decided: u64,
}

impl Bench {
    fn new(columns: usize, rows: usize) -> Self {
        let board = Board::new(columns, rows).unwrap();
        Self {
            board,
            kings: Kings::new(board).unwrap(),
            territories: Territories::new(),
            naive: NaiveSolver::new(Rules::new(board).unwrap()),
            evaluator: Evaluator::new(),
            tested: 0,
            decided: 0,
        }
    }

    fn parted(&self, local: &Local) -> Vec<Component> {
        let allowance = Allowance::default();
        let Local { left, right, empty } = *local;
        partition(&self.kings, &self.territories, &allowance, left, right, empty)
    }

    /// The bounds of the sum never contradict who wins when either begins.
    fn check_naive(&mut self, local: &Local) {
        let found = self.parted(local);
        let (low, high) = found.iter().fold((0, 0), |(low, high), c| (low + c.low, high + c.high));
        assert!(low <= high, "{local:?}");
        let arrows = self.board.all().without(local.left | local.right | local.empty);
        let seen = |mover, opponent| Bitboards { mover, opponent, arrows };
        let left_first = self.naive.outcome(&seen(local.left, local.right)).is_win();
        let right_first = self.naive.outcome(&seen(local.right, local.left)).is_win();
        assert!(low <= 0 || left_first, "Left begins and loses, low {low}: {local:?}");
        assert!(low < 0 || !right_first, "Right begins and wins, low {low}: {local:?}");
        assert!(high >= 0 || right_first, "Right begins and loses, high {high}: {local:?}");
        assert!(high > 0 || !left_first, "Left begins and wins, high {high}: {local:?}");
        self.tested += 1;
        self.decided += u64::from(low > 0 || high < 0);
    }

    /// The bounds of every component hold its exact value, and its parts share its empty squares
    /// out.
    fn check_values(&mut self, local: &Local) {
        let wide = |set: Bitboard| set.widen();
        let burned = self.board.all::<u64>().without(local.left | local.right | local.empty);
        let (left, right) = (wide(local.left), wide(local.right));
        let position = LocalPosition { board: self.board, left, right, burned: wide(burned) };
        let (found, placed) = (self.parted(local), Placed::components(&position).unwrap());
        assert_eq!(found.len(), placed.len());
        let values = self.evaluator.values();
        for (component, placed) in found.iter().zip(&placed) {
            let value = self.evaluator.value(placed.game()).unwrap();
            let [low, high] = [component.low, component.high].map(|bound| values.integer(bound));
            let text = || {
                format!(
                    "{position}: {} .. {} .. {}",
                    component.low,
                    values.text(value),
                    component.high
                )
            };
            assert!(values.le(low, value) && values.le(value, high), "{}", text());
            let mut seen = Bitboard::EMPTY;
            for part in &component.parts {
                assert!(!seen.intersects(part.empty), "{}", text());
                assert!(
                    part.left.least <= part.left.most && part.right.least <= part.right.most,
                    "{}",
                    text()
                );
                seen |= part.empty;
            }
            assert_eq!(seen, component.squares & local.empty, "{}", text());
        }
        self.tested += 1;
    }
}

/// Calls `visit` with every placement of amazons over every set of burned squares.
fn each(board: Board, left: usize, right: usize, mut visit: impl FnMut(&Local)) {
    let squares = board.squares();
    let sets =
        |count: usize| (0..1u64 << squares).filter(move |set| set.count_ones() as usize == count);
    for mine in sets(left) {
        for theirs in sets(right).filter(|set| set & mine == 0) {
            let rest = !(mine | theirs) & ((1 << squares) - 1);
            let mut empty = rest;
            loop {
                let [left, right, empty_set] = [mine, theirs, empty].map(Bitboard::from_word);
                visit(&Local { left, right, empty: empty_set });
                if empty == 0 {
                    break;
                }
                empty = (empty - 1) & rest;
            }
        }
    }
}

#[test]
fn bounds_never_contradict_the_naive_solver() {
    for ((columns, rows), amazons) in [
        ((3, 3), [(1, 1), (2, 1), (2, 2)].as_slice()),
        ((4, 2), &[(1, 1), (2, 1), (2, 2)]),
        ((9, 1), &[(1, 1), (2, 2)]),
    ] {
        let mut bench = Bench::new(columns, rows);
        for &(left, right) in amazons {
            each(bench.board, left, right, |local| bench.check_naive(local));
        }
        assert!(bench.decided > bench.tested / 10, "{} of {} decided", bench.decided, bench.tested);
    }
}

#[test]
fn bounds_hold_the_exact_values() {
    for ((columns, rows), (left, right)) in [((3, 3), (1, 1)), ((3, 3), (2, 1)), ((4, 2), (2, 2))] {
        let mut bench = Bench::new(columns, rows);
        each(bench.board, left, right, |local| bench.check_values(local));
        assert!(bench.tested > 1000);
    }
}

#[test]
fn bounds_hold_on_random_larger_positions() {
    let mut rng = StdRng::seed_from_u64(20_011_011);
    for (columns, rows, burned) in [(4, 4, 0.6), (5, 4, 0.65), (4, 3, 0.4)] {
        let mut bench = Bench::new(columns, rows);
        for _ in 0..150 {
            let mut local =
                Local { left: Bitboard::EMPTY, right: Bitboard::EMPTY, empty: Bitboard::EMPTY };
            for square in bench.board.all::<u64>() {
                let set = match rng.random::<f64>() {
                    x if x < burned => continue,
                    x if x < burned + 0.12 => &mut local.left,
                    x if x < burned + 0.24 => &mut local.right,
                    _ => &mut local.empty,
                };
                *set = set.with(square);
            }
            bench.check_values(&local);
            bench.check_naive(&local);
        }
    }
}
