//! Nobody is asked about a position of another board without saying so: two boards of equally many
//! squares hold the same bits.

use amazons::game::board::OtherBoard;
use amazons::game::rules::{Colour, Rules, start};
use amazons::game::{Outcome, Position};
use amazons::machine::progress::StopFlag;
use amazons::proof::Claim;
use amazons::search::{
    CheckpointError, ForeignPosition, Settings, Solver, SolverError, StrategyError, Survey, Wanted,
    write_certificate,
};
use amazons::tables::format::{Table, TableError};
use amazons::tables::opening::Opening;
use amazons::tables::retrograde::{BuildOptions, build};

fn solver(board: &str) -> Solver<'static> {
    let settings = Settings { table_bytes: 1 << 22, ..Settings::default() };
    Solver::new(board.parse().unwrap(), settings, StopFlag::new()).unwrap()
}

#[test]
fn a_table_answers_its_board_either_way_round_and_no_other() {
    let directory = tempfile::tempdir().unwrap();
    let options = BuildOptions::new(1 << 30);
    let (board, amazons) = ("4x3".parse().unwrap(), "1v1".parse().unwrap());
    build(directory.path(), board, amazons, &options, &(), &StopFlag::new()).unwrap();
    let table = Table::open(directory.path()).unwrap();
    // Taken for squares of 4x3, these of 3x4 have another value.
    let mut differ = 0;
    for text in ["q2/3/3/2Q w", "2q/2*/1**/1Q* w", "Q*1/**1/*1q/2* w", "*2/1*1/Q*1/*q1 w"] {
        let position: Position = text.parse().unwrap();
        let mut solver = solver("3x4");
        let truth = solver.solve(&position).unwrap().unwrap();
        assert_eq!(table.value(&position).unwrap(), truth, "{text}");
        assert_eq!(table.answer(&position).unwrap().outcome, truth, "{text}");
        let bits = position.bitboards::<u64>().unwrap();
        let misread = Position::new(board, &bits, Colour::White).unwrap();
        differ += usize::from(table.value(&misread).unwrap() != truth);
    }
    assert_eq!(differ, 3, "these positions tell the boards apart");
    let other = "q3/4/3Q w".parse::<Position>().unwrap();
    assert_eq!(other.board(), board);
    let larger = "q4/5/4Q w".parse().unwrap();
    assert!(matches!(table.value(&larger), Err(TableError::OtherGame { .. })));
    assert!(matches!(table.answer(&larger), Err(TableError::OtherGame { .. })));
}

#[test]
fn a_search_refuses_positions_of_other_boards() {
    let (mut solver, position) = (solver("4x4"), start("5x5".parse().unwrap()).unwrap());
    let other = OtherBoard::check(solver.board_data().board(), position.board()).unwrap_err();
    assert_eq!(other.to_string(), "the position is on 5x5, expected one on 4x4");
    assert!(
        matches!(solver.solve(&position), Err(SolverError::Foreign(ForeignPosition::Board(found))) if found == other)
    );
    assert!(matches!(
        solver.best_move(&position),
        Err(SolverError::Foreign(ForeignPosition::Board(_)))
    ));
    let foreign = ForeignPosition::Board(other);
    assert_eq!(solver.known(&position), Err(foreign));
    assert_eq!(solver.line(&position), Err(foreign));
    assert_eq!(solver.follower(&position).unwrap_err(), foreign);
    assert_eq!(Survey::new(&solver, &position, Wanted::One).unwrap_err(), foreign);
    let own = start("4x4".parse().unwrap()).unwrap();
    let mut survey = Survey::new(&solver, &own, Wanted::One).unwrap();
    let run = survey.run(&mut self::solver("5x5"), |_| None, |_| ());
    assert!(matches!(run, Err(SolverError::Foreign(ForeignPosition::Board(_)))));
    let path = tempfile::tempdir().unwrap().path().join("checkpoint");
    assert!(matches!(solver.save(&path, &position), Err(CheckpointError::OtherBoard(_))));
    assert!(matches!(solver.load(&path, &position), Err(CheckpointError::OtherBoard(_))));
    let claim = Claim { position, outcome: Outcome::Win, leaf: 9, walls: false };
    let written = write_certificate(&mut solver, &claim, &mut Vec::new(), &());
    assert!(matches!(written, Err(StrategyError::Solver(SolverError::Foreign(_)))));
}

#[test]
fn the_best_move_wins() {
    let mut solver = solver("5x4");
    let position = start("5x4".parse().unwrap()).unwrap();
    let best = solver.best_move(&position).unwrap().unwrap();
    let after = position.play(best).unwrap();
    assert_eq!(solver.solve(&after).unwrap(), Some(Outcome::Loss));
    assert_eq!(solver.best_move(&after).unwrap(), None);
}

#[test]
fn an_opening_table_refuses_positions_of_other_boards() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/results/4x6-4v4/opening-4x6.amz");
    let opening = Opening::read(std::fs::File::open(path).unwrap()).unwrap();
    let other = start("6x4".parse().unwrap()).unwrap();
    assert!(opening.value(opening.start()).unwrap().is_some());
    assert!(opening.value(&other).is_err() && opening.answer(&other).is_err());
}

#[test]
fn the_moves_of_a_position_are_those_on_its_own_board() {
    let position = start("4x5".parse().unwrap()).unwrap();
    let bits = position.bitboards::<u64>().unwrap();
    let listed =
        |board: &str| Rules::<u64>::new(board.parse().unwrap()).unwrap().moves(&bits).len();
    assert_eq!(position.moves().len(), listed("4x5"));
    assert_ne!(listed("5x4"), listed("4x5"), "the bits alone do not tell the boards apart");
}
