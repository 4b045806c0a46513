//! The golden counts of `tests/data/counts.csv`. This file names nothing of the library, so that
//! unit tests inside of it can read it too.

// Unit tests of the library take this file in as a private module.
#![allow(unreachable_pub)]

/// One tier: all placements of its amazons over all sets of its arrows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    pub board: &'static str,
    pub mover: usize,
    pub opponent: usize,
    pub arrows: usize,
    pub positions: u64,
    /// Positions that the mover wins.
    pub wins: u64,
}

/// Every line of the file, board by board, fewest arrows first.
pub fn counts() -> Vec<Count> {
    let lines = include_str!("../data/counts.csv").lines();
    lines.filter(|line| !line.starts_with('#')).skip(1).map(count).collect()
}

fn count(line: &'static str) -> Count {
    let cells: Vec<&str> = line.split(',').collect();
    let &[board, mover, opponent, arrows, positions, wins] = &cells[..] else { panic!("{line}") };
    let [mover, opponent, arrows] = [mover, opponent, arrows].map(|cell| cell.parse().unwrap());
    let [positions, wins] = [positions, wins].map(|cell| cell.parse().unwrap());
    Count { board, mover, opponent, arrows, positions, wins }
}
