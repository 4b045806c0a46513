//! The naive solver against outcomes of small boards computed by CGSuite.

use amazons::game::naive::NaiveSolver;
use amazons::game::notation::LocalPosition;
use amazons::game::rules::{Colour, Rules};

#[test]
fn outcomes_equal_those_of_cgsuite() {
    let mut checked = 0;
    // A row may begin with a burned square, so only '# ' begins a remark.
    for line in
        include_str!("../data/outcomes.csv").lines().filter(|line| !line.starts_with("# ")).skip(1)
    {
        let [rows, black_first, white_first] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let local: LocalPosition = rows.parse().unwrap();
        let mut solver = NaiveSolver::new(Rules::new(local.board).unwrap());
        for (colour, expected) in [(Colour::Black, black_first), (Colour::White, white_first)] {
            let found = solver.outcome(&local.with_turn(colour));
            assert_eq!(found.to_string(), expected, "{rows}, {colour} first");
        }
        checked += 1;
    }
    assert!(checked >= 48, "only {checked} lines were checked");
}
