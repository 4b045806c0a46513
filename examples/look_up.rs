//! Solves a small board into a table, then asks it: `cargo run --release --example look_up [DIR]`.
//!
//! It uses modules that are public with the feature `internals` alone, of which nothing is promised
//! from one version to the next. `tour.rs` uses only the names at the root of the library, which
//! are promised.

use std::error::Error;
use std::path::PathBuf;

use amazons::game::notation::{move_text, parse_fen};
use amazons::machine::progress::StopFlag;
use amazons::tables::format::Table;
use amazons::tables::retrograde::{BuildOptions, build};

fn main() -> Result<(), Box<dyn Error>> {
    let scratch = tempfile::tempdir()?;
    let directory = std::env::args_os().nth(1).map_or(scratch.path().join("4x4"), PathBuf::from);
    // Every position of 4x4 with two amazons a side, backwards from the full boards; what is there
    // already is kept.
    let options = BuildOptions::new(256 << 20);
    build(&directory, "4x4".parse()?, "2v2".parse()?, &options, &(), &StopFlag::new())?;

    // Any position of this board with these amazons, whatever is burned.
    let table = Table::open(&directory)?;
    let position = parse_fen("q2q/4/1*2/Q2Q w")?;
    let answer = table.answer(&position)?;
    println!("{} to move: {}", position.turn(), answer.outcome);
    let winning = answer.moves.iter().filter(|(_, outcome)| outcome.is_win());
    println!("{} of {} moves win, among them:", winning.clone().count(), answer.moves.len());
    for (played, _) in winning.take(5) {
        println!("  {}", move_text(position.board(), *played));
    }
    Ok(())
}
