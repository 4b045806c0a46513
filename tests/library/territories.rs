//! Territories, values and bounds against the rules and the naive solver, on every small region.

use std::collections::HashMap;

use amazons::game::board::{Bitboard, Board, SquareIndex};
use amazons::game::naive::NaiveSolver;
use amazons::game::rules::{Bitboards, Rules};
use amazons::theory::region::{
    Cell, Growth, LocalGame, Player, Region, Territories, dead_end_bound,
};
use amazons::theory::values::{Evaluator, OutcomeClass};

/// The position on the board that the region's box is; everything outside the region is burned.
fn on_board(region: &Region, left: u32, right: u32) -> (Board, Bitboards<u64>) {
    let board = Board::new(region.width(), region.height()).unwrap();
    let square = |(row, column): (usize, usize)| board.square(column, row).unwrap();
    let squares: Vec<SquareIndex> = region.squares().map(square).collect();
    let of = |set: u32| -> Bitboard {
        (0..squares.len())
            .filter(|&place| set >> place & 1 != 0)
            .map(|place| squares[place])
            .collect()
    };
    let all: Bitboard = squares.iter().copied().collect();
    let position =
        Bitboards { mover: of(left), opponent: of(right), arrows: board.all::<u64>().without(all) };
    (board, position)
}

/// The longest sequence of moves of one side, by the rules alone.
fn longest(
    rules: &Rules,
    position: &Bitboards<u64>,
    known: &mut HashMap<Bitboards<u64>, u32>,
) -> u32 {
    if let Some(&known) = known.get(position) {
        return known;
    }
    let moves = rules.moves(position);
    let after =
        |&played| longest(rules, &rules.play_unchecked(position, played).swapped(), known) + 1;
    let best = moves.iter().map(after).max().unwrap_or(0);
    known.insert(*position, best);
    best
}

/// Territories on every region with up to `amazons` amazons, and the bound by dead ends below them.
fn longest_plays_up_to(largest: usize, amazons: u32) {
    let territories = Territories::new();
    for size in 1..=largest {
        for task in Growth::tasks(size) {
            task.for_each(size, &mut |region| {
                let mut known = HashMap::new();
                for left in (1u32..1 << size).filter(|set| set.count_ones() <= amazons) {
                    let (board, position) = on_board(&region, left, 0);
                    let expected = longest(&Rules::new(board).unwrap(), &position, &mut known);
                    let game = LocalGame::on_region(&region, left, 0);
                    assert_eq!(territories.moves(&game), expected, "{game}");
                    assert!(
                        dead_end_bound(&game) <= game.empty().count_ones() - expected,
                        "{game}"
                    );
                }
            });
        }
    }
}

#[test]
fn territories_give_the_longest_play() {
    longest_plays_up_to(6, 3);
}

#[test]
#[ignore = "minutes"]
fn territories_give_the_longest_play_to_size_8() {
    longest_plays_up_to(8, 2);
}

/// Both players on every region, as many amazons as fit, two of one colour side by side among them.
fn outcomes_up_to(largest: usize, most_amazons: u32) {
    let evaluator = Evaluator::new();
    for size in 1..=largest {
        for task in Growth::tasks(size) {
            task.for_each(size, &mut |region| {
                let (board, _) = on_board(&region, 0, 0);
                let mut naive = NaiveSolver::new(Rules::new(board).unwrap());
                for left in 1u32..1 << size {
                    for right in (1u32..1 << size).filter(|right| left & right == 0) {
                        if (left | right).count_ones() > most_amazons {
                            continue;
                        }
                        let (_, position) = on_board(&region, left, right);
                        let expected = match (
                            naive.outcome(&position).is_win(),
                            naive.outcome(&position.swapped()).is_win(),
                        ) {
                            (true, false) => OutcomeClass::Left,
                            (false, true) => OutcomeClass::Right,
                            (true, true) => OutcomeClass::Next,
                            (false, false) => OutcomeClass::Previous,
                        };
                        let game = LocalGame::on_region(&region, left, right);
                        let value = evaluator.value(&game).unwrap();
                        assert_eq!(evaluator.values().outcome(value), expected, "{game}");
                    }
                }
            });
        }
    }
}

#[test]
fn values_decide_as_the_naive_solver_does() {
    outcomes_up_to(5, 5);
    outcomes_up_to(6, 3);
}

#[test]
#[ignore = "minutes"]
fn values_decide_as_the_naive_solver_does_to_size_8() {
    outcomes_up_to(6, 6);
    outcomes_up_to(8, 3);
}

/// Values are equal exactly when no sum tells them apart; sums with a territory are told by the
/// naive solver.
#[test]
fn values_hold_in_sums_with_a_territory() {
    let evaluator = Evaluator::new();
    let values = evaluator.values();
    for task in Growth::tasks(5) {
        task.for_each(5, &mut |region| {
            for (left, right) in [(1u32, 2u32), (1, 16), (4, 2), (8, 1), (3, 16), (4, 17)] {
                for spare in 1..=2usize {
                    // A row of its own for Right: an amazon and `spare` empty squares, below an
                    // empty burned row.
                    let cells: Vec<_> = LocalGame::on_region(&region, left, right).cells();
                    let height = region.height();
                    let mut sum = cells.clone();
                    sum.push((height + 1, 0, Cell::Amazon(Player::Right)));
                    sum.extend((1..=spare).map(|column| (height + 1, column, Cell::Empty)));
                    let whole = evaluator.value(&LocalGame::from_cells(&sum).unwrap()).unwrap();
                    let part =
                        evaluator.value(&LocalGame::on_region(&region, left, right)).unwrap();
                    assert_eq!(whole, values.sum(part, values.integer(-(spare as i32))));
                    let width = region.width().max(spare + 1);
                    let board = Board::new(width, height + 2).unwrap();
                    let of = |wanted: Cell| -> Bitboard {
                        let found = sum.iter().filter(|cell| cell.2 == wanted);
                        found.map(|&(row, column, _)| board.square(column, row).unwrap()).collect()
                    };
                    let (mover, opponent) =
                        (of(Cell::Amazon(Player::Left)), of(Cell::Amazon(Player::Right)));
                    let arrows = board.all::<u64>().without(mover | opponent | of(Cell::Empty));
                    let position = Bitboards { mover, opponent, arrows };
                    let mut naive = NaiveSolver::new(Rules::new(board).unwrap());
                    let left_first = naive.outcome(&position).is_win();
                    let right_first = naive.outcome(&position.swapped()).is_win();
                    let outcome = values.outcome(whole);
                    assert_eq!(
                        left_first,
                        matches!(outcome, OutcomeClass::Left | OutcomeClass::Next)
                    );
                    assert_eq!(
                        right_first,
                        matches!(outcome, OutcomeClass::Right | OutcomeClass::Next)
                    );
                }
            }
        });
    }
}
