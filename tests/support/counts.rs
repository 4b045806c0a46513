//! The golden counts of `tests/data/counts.csv`. This file names nothing of the library, so that
//! unit tests inside of it can read it too.

/// One tier: all placements of its amazons over all sets of its arrows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Count {
    pub(crate) board: &'static str,
    pub(crate) mover: usize,
    pub(crate) opponent: usize,
    pub(crate) arrows: usize,
    pub(crate) positions: u64,
    /// Positions that the mover wins.
    pub(crate) wins: u64,
}

/// Every line of the file, board by board, fewest arrows first.
pub(crate) fn counts() -> Vec<Count> {
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
