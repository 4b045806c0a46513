//! Who wins a position, and a move that does it: `cargo run --release --example solve [FEN]`.
//!
//! It uses modules that are public with the feature `internals` alone, of which nothing is promised
//! from one version to the next. `tour.rs` uses only the names at the root of the library, which
//! are promised.

use std::error::Error;

use amazons::game::Outcome;
use amazons::game::notation::{fen, parse_fen};
use amazons::game::rules::Position;
use amazons::machine::progress::StopFlag;
use amazons::search::{Settings, Solver};

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).unwrap_or("1q1q1/q3q/Q3Q/1Q1Q1 w".to_string());
    let position: Position = parse_fen(&text)?;
    let board = position.board();
    // The search knows no colours: mover, opponent, burned squares, in 64 bits.

    let settings = Settings { table_bytes: 256 << 20, threads: 2, seed: 0 };
    let mut solver = Solver::new(board, settings, StopFlag::new())?;
    let outcome = solver.solve(&position)?.ok_or("nobody stops this search")?;
    let winner = outcome.winner(position.turn());
    println!("{}: {winner} wins ({} nodes)", fen(&position), solver.nodes());

    if outcome.is_win() {
        for played in position.moves() {
            // After a winning move the opponent, who is then to move, loses.
            if solver.solve(&position.play(played)?)? == Some(Outcome::Loss) {
                println!("by {played}");
                break;
            }
        }
    }
    Ok(())
}
