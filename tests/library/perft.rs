//! Move generation against the perft figures of other programs.

use amazons::game::board::Board;
use amazons::game::perft::{divide, perft};
use amazons::game::rules::{self, Rules};
use amazons::machine::progress::StopFlag;

use amazons_test_support::long::long_tests;

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
        let rules = Rules::<u128>::new(board).unwrap();
        let (position, depth) = (start.bitboards().unwrap(), depth.parse().unwrap());
        let leaves = divide(&rules, &position, depth, &StopFlag::new(), &()).unwrap();
        assert_eq!(leaves.iter().map(|leaf| leaf.1).sum::<u64>(), nodes, "{line}");
        if let (Ok(narrow), Some(position)) = (Rules::<u64>::new(board), start.bitboards()) {
            assert_eq!(perft(&narrow, &position, depth), nodes, "{line} in 64 bits");
        }
        lines += 1;
    }
    assert!(lines >= 34, "only {lines} lines were checked");
}
