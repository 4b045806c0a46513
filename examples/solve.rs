//! Who wins a position, and a move that does it: `cargo run --release --example solve [FEN]`.

use std::error::Error;

use amazons::{Outcome, Position, Solver, SolverSettings, StopFlag};

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).unwrap_or("1q1q1/q3q/Q3Q/1Q1Q1 w".to_string());
    let position: Position = text.parse()?;
    let settings = SolverSettings { threads: 2, ..SolverSettings::default() };
    let mut solver = Solver::new(position.board(), settings, StopFlag::new())?;
    let outcome = solver.solve(&position)?.ok_or("nobody stops this search")?;
    let winner = outcome.winner(position.turn());
    println!("{position}: {winner} wins ({} nodes)", solver.nodes());

    if let Some(played) = solver.best_move(&position)? {
        // After a winning move the opponent, who is then to move, loses.
        assert_eq!(solver.solve(&position.play(played)?)?, Some(Outcome::Loss));
        println!("  by {played}");
    }
    Ok(())
}
