//! Margins: the naive solver against thresholds of another program, and against what must hold.

use amazons::game::naive::NaiveSolver;
use amazons::game::naive_margins::NaiveMargins;
use amazons::game::rules::Rules;
use amazons::{Position, Threshold};

#[test]
fn thresholds_equal_those_of_another_program() {
    let mut checked = 0;
    for line in include_str!("../data/margins.csv").lines().skip(2) {
        let (fen, expected) = line.split_once(',').unwrap();
        let position: Position = fen.parse().unwrap();
        let bitboards = position.bitboards::<u64>().unwrap();
        let rules = Rules::<u64>::new(position.board()).unwrap();
        let threshold = NaiveMargins::new(rules).threshold(&bitboards);
        assert_eq!(threshold, Threshold::new(expected.parse().unwrap()), "{fen}");
        let rules = Rules::<u64>::new(position.board()).unwrap();
        assert_eq!(threshold.outcome(), NaiveSolver::new(rules).outcome(&bitboards), "{fen}");
        checked += 1;
    }
    assert_eq!(checked, 160);
}
