//! Solves a small board into a table, then asks it: `cargo run --release --example look_up [DIR]`.

use std::error::Error;
use std::path::PathBuf;

use amazons::{BuildOptions, Position, StopFlag, Table, build};

fn main() -> Result<(), Box<dyn Error>> {
    let scratch = tempfile::tempdir()?;
    let directory = std::env::args_os().nth(1).map_or(scratch.path().join("4x4"), PathBuf::from);
    // Every position of 4x4 with two amazons a side, backwards from the full boards; what is there
    // already is kept.
    let options = BuildOptions::new(256 << 20);
    build(&directory, "4x4".parse()?, "2v2".parse()?, &options, &(), &StopFlag::new())?;

    // Any position of this board with these amazons, whatever is burned.
    let table = Table::open(&directory)?;
    let position: Position = "q2q/4/1*2/Q2Q w".parse()?;
    println!("{} to move: {}", position.turn(), table.value(&position)?);
    let moves = table.moves(&position)?;
    let winning = moves.iter().filter(|(_, outcome)| outcome.is_win());
    println!("{} of {} moves win, among them:", winning.clone().count(), moves.len());
    for (played, _) in winning.take(5) {
        println!("  {played}");
    }
    Ok(())
}
