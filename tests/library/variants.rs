//! Who wins the variants on small boards: the verdicts in `results/variants/`, found again.

use amazons::game::board::Board;
use amazons::game::rules::Amazons;
use amazons::game::variants::{RuleSet, VariantPosition, variant_start};
use amazons::machine::progress::StopFlag;
use amazons::search::variants::VariantSolver;
use amazons::{Colour, Outcome, Solver, SolverSettings};

use crate::long::long_tests;

fn solved(rules: RuleSet, board: Board, amazons: Amazons) -> (VariantPosition, VariantSolver) {
    let start = variant_start(rules, board, Some(amazons)).unwrap();
    let solver = VariantSolver::new(board, rules, 256 << 20, StopFlag::new()).unwrap();
    (VariantPosition::new(rules, start), solver)
}

#[test]
fn verdicts_on_file_are_found_again() {
    // Nodes that a verdict may have taken.
    let most = if long_tests() { u64::MAX } else { 2_000 };
    let mut checked = 0;
    for line in include_str!("../../results/variants/verdicts.csv").lines().skip(1) {
        // Turns are the one field with commas.
        let (rules, rest) = line.split_once(',').unwrap();
        let (turns, rest) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once("\",").unwrap(),
            None => rest.split_once(',').unwrap(),
        };
        let [board, amazons, winner, played, nodes] = rest.split(',').collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        if nodes.parse::<u64>().unwrap() > most {
            continue;
        }
        let mut rules: RuleSet = rules.parse().unwrap();
        if !turns.is_empty() {
            rules.turns = turns.parse().unwrap();
        }
        let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
        let (start, mut solver) = solved(rules, board, amazons);
        let outcome = solver.solve(&start).unwrap().unwrap();
        assert_eq!(outcome.winner(Colour::White).to_string(), winner, "{line}");
        assert_eq!(outcome == Outcome::Win, !played.is_empty(), "{line}");
        if outcome == Outcome::Win {
            let after = start.play_text(played).unwrap();
            let goes_on = after.turn() == Colour::White;
            let reply = solver.solve(&after).unwrap().unwrap();
            assert_eq!(reply == Outcome::Win, goes_on, "{line}");
        }
        checked += 1;
    }
    assert!(checked >= 50, "only {checked} lines were checked");
}

#[test]
fn under_the_rules_of_amazons_both_searches_agree() {
    for (board, amazons) in [("3x4", "2v2"), ("4x3", "2v1"), ("4x4", "4v4")] {
        let (board, amazons): (Board, Amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
        let (start, mut solver) = solved(RuleSet::AMAZONS, board, amazons);
        let mut other = Solver::new(board, SolverSettings::default(), StopFlag::new()).unwrap();
        let mut wins = 0;
        for (played, outcome) in solver.solve_moves(&start).unwrap() {
            let after = start.play(played).unwrap();
            let reply = other.solve(after.position()).unwrap().unwrap();
            assert_eq!(
                outcome,
                Some(Outcome::win_if(reply == Outcome::Loss)),
                "{board} {played:?}"
            );
            wins += usize::from(reply == Outcome::Loss);
        }
        assert_eq!(solver.solve(&start), Ok(Some(Outcome::win_if(wins > 0))), "{board} {amazons}");
    }
}
