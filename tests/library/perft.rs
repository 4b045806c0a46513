//! Move generation against the perft figures of other programs.

use amazons::game::board::{Board, U512, Word};
use amazons::game::perft::divide;
use amazons::game::rules::{self, Position, Rules};
use amazons::machine::progress::StopFlag;

use amazons_test_support::long::long_tests;

/// The sequences from a position, with squares as the bits of a word; `None` if they do not fit it.
fn counted_in<W: Word>(start: &Position, depth: u32) -> Option<u64> {
    let (rules, position) = (Rules::<W>::new(start.board()).ok()?, start.bitboards()?);
    let leaves = divide(&rules, &position, depth, &StopFlag::new(), &()).unwrap();
    Some(leaves.iter().map(|leaf| leaf.1).sum())
}

#[test]
fn perft_equals_the_published_figures() {
    let most = if long_tests() { u64::MAX } else { 100_000_000 };
    let mut lines = 0;
    for line in
        include_str!("../data/perft.csv").lines().filter(|line| !line.starts_with('#')).skip(1)
    {
        let [board, depth, nodes] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let (board, nodes): (Board, u64) = (board.parse().unwrap(), nodes.parse().unwrap());
        if nodes > most {
            continue;
        }
        let start = rules::start(board).unwrap();
        let depth = depth.parse().unwrap();
        let counted = [
            counted_in::<u64>(&start, depth),
            counted_in::<u128>(&start, depth),
            // Of boards that fit a narrower word a few are enough in this one.
            (nodes < 1_000_000 || !board.fits::<u128>())
                .then(|| counted_in::<U512>(&start, depth))
                .flatten(),
        ];
        let counted: Vec<u64> = counted.into_iter().flatten().collect();
        assert!(!counted.is_empty() && counted.iter().all(|&found| found == nodes), "{line}");
        lines += 1;
    }
    assert!(lines >= 42, "only {lines} lines were checked");
}
