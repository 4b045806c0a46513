//! Checkpoints of a search.

use std::cell::LazyCell;
use std::fs;

use amazons::game::Position;
use amazons::machine::progress::StopFlag;
use amazons::search::{Settings, Solver};

use super::sums;

/// The position whose search is taken up.
const SEARCHED: &str = "1q1/3/3/1Q1 w";

/// A solver with a small table, and the position.
pub fn solver() -> (Solver<'static>, Position) {
    let position: Position = SEARCHED.parse().expect("a position");
    let settings = Settings { table_bytes: 1 << 18, threads: 1, seed: 0 };
    let solver = Solver::new(position.board(), settings, StopFlag::new());
    (solver.expect("a small table"), position)
}

/// A checkpoint is taken up or refused, and the search comes to an end after it. The sum is
/// repaired first.
pub fn checkpoint(bytes: &[u8]) {
    thread_local! {
        static PLACE: LazyCell<tempfile::TempDir> =
            LazyCell::new(|| tempfile::tempdir().expect("a place for files"));
    }
    let mut file = bytes.to_vec();
    sums::checkpoint(&mut file);
    PLACE.with(|place| {
        let path = place.path().join("checkpoint");
        fs::write(&path, file).expect("a file can be written");
        let (mut solver, position) = solver();
        if solver.load(&path, &position).is_ok() {
            let solved = solver.solve(&position).expect("the table is there");
            assert!(solved.is_some());
        }
    });
}
