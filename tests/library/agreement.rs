//! The two solvers, which share nothing but board and rules, and the naive one: positions of every
//! tier, either way round.

use amazons::game::Outcome;
use amazons::game::board::Board;
use amazons::game::naive::NaiveSolver;
use amazons::game::rules::{Amazons, Position, Rules};
use amazons::machine::progress::StopFlag;
use amazons::proof::WallRule;
use amazons::search::{Settings, Solver};
use amazons::tables::format::Table;
use amazons::tables::retrograde::{BuildOptions, build};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use amazons_test_support::positions::random_position;

fn table(directory: &tempfile::TempDir, board: &str, amazons: &str) -> Table {
    let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
    build(directory.path(), board, amazons, &BuildOptions::new(4 << 30), &(), &StopFlag::new())
        .unwrap();
    Table::open(directory.path()).unwrap()
}

/// A random position with a random number of arrows, either side to move.
fn of_either_side(random: &mut StdRng, board: Board, amazons: Amazons) -> Position {
    let mut sides = [amazons.white, amazons.black];
    if random.random() {
        sides.reverse();
    }
    random_position(board, sides, usize::MAX, random)
}

fn search_agrees(board: &str, amazons: &str, positions: usize) {
    let directory = tempfile::tempdir().unwrap();
    let table = table(&directory, board, amazons);
    let settings = Settings { table_bytes: 64 << 20, threads: 1, seed: 1 };
    let mut solver = Solver::new(table.board(), settings, StopFlag::new()).unwrap();
    let mut random = StdRng::seed_from_u64(7);
    let mut wins = 0;
    for _ in 0..positions {
        let position = of_either_side(&mut random, table.board(), amazons.parse().unwrap());
        let value = table.value(&position).unwrap();
        assert_eq!(solver.solve(&position).unwrap(), Some(value), "{board} {amazons} {position}");
        wins += usize::from(value.is_win());
    }
    assert!((positions / 10..positions).contains(&wins), "{wins} of {positions} are wins");
}

#[test]
fn proofs_and_tables_agree() {
    search_agrees("4x4", "2v2", 600);
    search_agrees("4x4", "4v4", 600);
    search_agrees("3x5", "1v2", 300);
}

#[test]
#[ignore = "minutes"]
fn proofs_and_tables_agree_on_thousands_of_positions() {
    search_agrees("4x4", "4v4", 10_000);
    search_agrees("4x5", "4v4", 300);
}

/// Five minutes of one core.
#[test]
#[ignore = "minutes"]
fn proofs_and_tables_agree_on_ten_thousand_positions_of_4x5() {
    search_agrees("4x5", "4v4", 10_000);
}

/// The rule that certificates may rest on, and the move that they may leave to it, on as many
/// positions that it decides.
fn the_wall_rule_agrees(board: &str, amazons: &str, least: usize) {
    let directory = tempfile::tempdir().unwrap();
    let table = table(&directory, board, amazons);
    let walls: WallRule = WallRule::new(table.board()).unwrap();
    let mut random = StdRng::seed_from_u64(5);
    let (mut decided, mut positions) = (0, 0);
    while decided < least {
        positions += 1;
        let position = of_either_side(&mut random, table.board(), amazons.parse().unwrap());
        let bitboards = position.bitboards().unwrap();
        let by_move = || walls.covers(&bitboards).then_some(Outcome::Win);
        if let Some(outcome) = walls.verdict(&bitboards).or_else(by_move) {
            assert_eq!(table.value(&position).unwrap(), outcome, "{board} {amazons} {position}");
            decided += 1;
        }
    }
    println!("{board} {amazons}: {decided} of {positions} are decided");
    assert!(decided > positions / 4, "{decided} of {positions} are decided");
}

#[test]
fn the_wall_rule_and_tables_agree() {
    the_wall_rule_agrees("4x4", "2v2", 2000);
    the_wall_rule_agrees("4x4", "4v4", 5000);
    the_wall_rule_agrees("3x5", "1v2", 2000);
}

#[test]
#[ignore = "minutes"]
fn the_wall_rule_and_tables_agree_on_hundreds_of_thousands_of_positions() {
    the_wall_rule_agrees("4x4", "4v4", 250_000);
    the_wall_rule_agrees("5x5", "1v1", 50_000);
    the_wall_rule_agrees("4x5", "4v4", 250_000);
}

#[test]
fn a_table_answers_its_board_either_way_round() {
    let directory = tempfile::tempdir().unwrap();
    let table = table(&directory, "3x4", "2v1");
    let (board, mut random) = ("4x3".parse::<Board>().unwrap(), StdRng::seed_from_u64(3));
    let rules = Rules::<u64>::new(board).unwrap();
    let mut naive = NaiveSolver::new(rules.clone());
    for _ in 0..200 {
        let position = of_either_side(&mut random, board, "2v1".parse().unwrap());
        let answer = table.answer(&position).unwrap();
        let position = position.bitboards().unwrap();
        assert_eq!(answer.outcome, naive.outcome(&position), "{position:?}");
        assert_eq!(answer.moves.len(), rules.moves(&position).len());
        for (played, outcome) in answer.moves {
            assert_eq!(
                outcome,
                !naive.outcome(&rules.play_unchecked(&position, played)),
                "{position:?} {played:?}"
            );
        }
    }
    assert!(!table.answers(&amazons::game::rules::start("4x4".parse().unwrap()).unwrap()));
}
