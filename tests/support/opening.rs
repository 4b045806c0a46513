//! A small table and the opening table made from it.

use amazons::game::notation::parse_fen;
use amazons::machine::progress::StopFlag;
use amazons::tables::format::{Keep, Table};
use amazons::tables::opening::Opening;

use crate::tables::build;

/// A 3x4 board with one amazon a side: three plies of it, its table, and a place for files.
pub struct Ground {
    pub directory: tempfile::TempDir,
    pub opening: Opening,
}

pub const START: &str = "q2/3/3/2Q w";

impl Ground {
    pub fn build() -> Self {
        let directory = tempfile::tempdir().unwrap();
        build(directory.path(), "3x4", "1v1", Keep::Odd, 500);
        let start = parse_fen(START).unwrap();
        let table = Table::open(directory.path()).unwrap();
        let opening = Opening::derive(&table, &start, 3, 1 << 30, &(), &StopFlag::new()).unwrap();
        Self { directory, opening }
    }

    pub fn written(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.opening.write(&mut bytes).unwrap();
        bytes
    }
}
