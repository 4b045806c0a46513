//! What the library does, with the names at its root alone; every line is asserted.
//!
//! ```text
//! cargo run --release --example tour
//! ```

use std::error::Error;
use std::io::Cursor;

use amazons::{
    Board, BuildOptions, Claim, Colour, Engine, EngineSettings, Evaluator, Limits, LocalPosition,
    Move, Outcome, Placed, Position, Solver, SolverSettings, Square, StopFlag, Table, build,
    read_records, verify_certificate, write_certificate,
};

fn main() -> Result<(), Box<dyn Error>> {
    positions()?;
    one_position()?;
    all_positions()?;
    parts()?;
    play()
}

/// Boards, squares, moves and positions are read and written as text.
fn positions() -> Result<(), Box<dyn Error>> {
    let board: Board = "10x10".parse()?;
    let start = Position::start(board)?;
    assert_eq!((start.turn(), start.moves().len()), (Colour::White, 2176));

    let played: Move = "d1-d7/g7".parse()?;
    assert_eq!(played.to, "d7".parse::<Square>()?);
    assert!(start.moves().any(|legal| legal == played));
    let after = start.play(played)?;
    assert_eq!(after.to_string(), "3q2q3/10/10/q2Q2*2q/10/10/Q8Q/10/10/6Q3 b");

    let error = after.play(played).unwrap_err();
    println!("{error}");
    assert_eq!(error.to_string(), "d1-d7/g7 is illegal: black to move has no amazon on d1");
    let off_board = played.on("4x4".parse()?).unwrap_err();
    println!("{off_board}");
    assert!(off_board.to_string().contains("4x4"));

    // A record is read in any form, and written as SGF.
    let game = &read_records(b"1. D1-D7 x G7")?[0];
    assert_eq!(game.last(), &after);
    assert_eq!(&read_records(game.sgf().as_bytes())?[0], game);
    Ok(())
}

/// A proof search says who wins and by which move, and writes down why.
fn one_position() -> Result<(), Box<dyn Error>> {
    let position = Position::start("5x4".parse()?)?;
    let settings = SolverSettings { threads: 2, ..SolverSettings::default() };
    let mut solver = Solver::new(position.board(), settings, StopFlag::new())?;
    let outcome = solver.solve(&position)?.ok_or("nobody stops this search")?;
    let best = solver.best_move(&position)?.ok_or("a won position has a winning move")?;
    println!("{position}: {} wins by {best}", outcome.winner(position.turn()));
    assert_eq!(outcome, Outcome::Win);
    assert_eq!(solver.known(&position.play(best)?)?, Some(Outcome::Loss));

    // Another board has an error, not an answer.
    let other = Position::start("4x5".parse()?)?;
    println!("{}", solver.solve(&other).unwrap_err());

    let claim = Claim { position, outcome, leaf: 9, walls: false };
    let mut bytes = Vec::new();
    write_certificate(&mut solver, &claim, &mut bytes, &())?;
    let open = || Ok(Cursor::new(&bytes));
    let (proved, checked) = verify_certificate(open, 1 << 28, &(), &StopFlag::new())?;
    println!("{} positions of a certificate prove it", checked.positions);
    assert_eq!(proved, claim);
    Ok(())
}

/// A table holds every position of a board.
fn all_positions() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let (board, amazons) = ("3x4".parse()?, "1v1".parse()?);
    let options = BuildOptions::new(256 << 20);
    build(directory.path(), board, amazons, &options, &(), &StopFlag::new())?;
    let table = Table::open(directory.path())?;

    let start = Position::start_with(board, amazons)?;
    let outcome = table.value(&start)?;
    let moves = table.moves(&start)?;
    let winning = moves.iter().filter(|(_, outcome)| outcome.is_win()).count();
    println!("{start}: {outcome}, {winning} of {} moves win", moves.len());
    assert_eq!(outcome.is_win(), winning > 0);
    for &(played, outcome) in &moves {
        assert_eq!(table.value(&start.play(played)?)?, !outcome);
    }

    let mut wins = 0;
    for listed in table.tier(4)? {
        let (position, outcome) = listed?;
        assert_eq!(position.burned(), 4);
        wins += u32::from(outcome.is_win());
    }
    println!("{wins} positions with four burned squares are won");
    assert!(wins > 0);
    Ok(())
}

/// A part of a position has a value of its own.
fn parts() -> Result<(), Box<dyn Error>> {
    let rows: LocalPosition = "x..o".parse()?;
    let evaluator = Evaluator::new();
    let value = evaluator.value(Placed::components(&rows)?[0].game())?;
    println!("{rows} = {}", evaluator.values().text(value));
    assert_eq!(evaluator.values().text(value), "{1|-1}");
    Ok(())
}

/// The engine chooses a move on any board.
fn play() -> Result<(), Box<dyn Error>> {
    let start = Position::start("6x6".parse()?)?;
    let mut engine = Engine::new(start.board(), EngineSettings::default())?;
    let limits = Limits { nodes: Some(2_000), ..Limits::default() };
    let decision = engine.choose(&start, &limits, &StopFlag::new(), &mut |_| {})?;
    let played = Move::of(start.board(), decision.played.ok_or("there are moves")?)?;
    println!("{played}, {} for white", decision.score);
    assert!(start.play(played).is_ok());
    Ok(())
}
