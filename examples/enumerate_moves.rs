//! Lists, plays and counts moves: `cargo run --release --example enumerate_moves`.

use std::error::Error;

use amazons::Position;

fn main() -> Result<(), Box<dyn Error>> {
    let position = Position::start("5x5".parse()?)?;
    println!("{position}: {} moves, for example:", position.moves().len());
    for played in position.moves().take(3) {
        let after = position.play(played)?;
        println!("  {played} leaves {} replies: {after}", after.moves().len());
    }
    let mut pairs = 0;
    for played in position.moves() {
        pairs += position.play(played)?.moves().len();
    }
    println!("{pairs} ways to play two moves");
    // As `amazons perft 5x5 --depth 2` has it.
    assert_eq!((position.moves().len(), pairs), (260, 50_422));
    Ok(())
}
