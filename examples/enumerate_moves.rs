//! Lists, plays and counts moves: `cargo run --release --example enumerate_moves`.
//!
//! It uses modules that are public with the feature `internals` alone, of which nothing is promised
//! from one version to the next. `tour.rs` uses only the names at the root of the library, which
//! are promised.

use std::error::Error;

use amazons::game::board::Board;
use amazons::game::notation::{Symbols, diagram, fen, move_text, play_text};
use amazons::game::perft::perft;
use amazons::game::rules::{Rules, start};

fn main() -> Result<(), Box<dyn Error>> {
    let board = Board::new(5, 5)?;
    let position = start(board)?;
    print!("{}", diagram(&position, Symbols::Ascii));

    // The rules know no colours: mover, opponent, burned squares. 64 bits are enough for up to 64
    // squares.
    let rules = Rules::<u64>::new(board)?;
    let plain = position.bitboards::<u64>().ok_or("25 squares fit 64 bits")?;
    let moves = rules.moves(&plain);
    println!("{} moves, for example:", moves.len());
    for &played in moves.iter().take(3) {
        let after = rules.play(&plain, played)?;
        println!("  {} leaves {} replies", move_text(board, played), rules.count(&after));
    }
    assert_eq!(moves.len() as u64, perft(&rules, &plain, 1));

    // Moves as text are read in any notation, and refused with the reason.
    let (_, after) = play_text(&position, "b1-b3/d3")?;
    println!("after b1-b3/d3: {}", fen(&after));
    if let Err(error) = play_text(&after, "b5-b2/b5") {
        println!("{error}");
    }
    Ok(())
}
