//! Who wins the variants on small boards: the verdicts in `results/variants/`, found again.

use std::fs;
use std::path::Path;

use amazons::game::board::Board;
use amazons::game::rules::Amazons;
use amazons::game::variants::{RuleSet, VariantPosition};
use amazons::machine::progress::StopFlag;
use amazons::proof::Part;
use amazons::proof::variants::check::verify_part;
use amazons::search::variants::VariantSolver;
use amazons::{Colour, Outcome, Solver, SolverSettings};

use amazons_test_support::long::long_tests;

fn solved(rules: RuleSet, board: Board, amazons: Amazons) -> (VariantPosition, VariantSolver) {
    let start = VariantPosition::start(rules, board, Some(amazons)).unwrap();
    let solver = VariantSolver::new(board, rules, 256 << 20, StopFlag::new()).unwrap();
    (start, solver)
}

/// A line of the file of verdicts.
struct Verdict {
    line: &'static str,
    rules: RuleSet,
    board: Board,
    amazons: Amazons,
    winner: &'static str,
    played: &'static str,
    /// Nodes of the search; none of a verdict that a table gave.
    nodes: Option<u64>,
    /// Whether it has a certificate; else it rests on the search or a table alone.
    is_certified: bool,
}

fn verdicts() -> impl Iterator<Item = Verdict> {
    include_str!("../../results/variants/verdicts.csv").lines().skip(1).map(|line| {
        // Turns are the one field with commas.
        let (rules, rest) = line.split_once(',').unwrap();
        let (turns, rest) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once("\",").unwrap(),
            None => rest.split_once(',').unwrap(),
        };
        let [board, amazons, winner, played, nodes, proved_by] =
            rest.split(',').collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        let is_certified = match proved_by {
            "certificate" => true,
            "search" | "table" => false,
            _ => panic!("{line}"),
        };
        let mut rules: RuleSet = rules.parse().unwrap();
        if !turns.is_empty() {
            rules.turns = turns.parse().unwrap();
        }
        let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
        let nodes = (proved_by != "table").then(|| nodes.parse().unwrap());
        Verdict { line, rules, board, amazons, winner, played, nodes, is_certified }
    })
}

#[test]
fn verdicts_on_file_are_found_again() {
    // Nodes that a verdict may have taken: those of one took five minutes.
    let most = if long_tests() { 5_000_000 } else { 2_000 };
    let mut checked = 0;
    for Verdict { line, rules, board, amazons, winner, played, nodes, .. } in verdicts() {
        if nodes.is_none_or(|nodes| nodes > most) {
            continue;
        }
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
fn certificates_prove_the_verdicts() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/variants/proofs");
    // Bytes of a certificate that is checked.
    let most = if long_tests() { u64::MAX } else { 20_000 };
    let (mut checked, mut proved) = (0, 0);
    for Verdict { line, rules, board, amazons, winner, is_certified, .. } in verdicts() {
        if !is_certified {
            continue;
        }
        let name = rules.to_string().replace(" --turns ", "-");
        let path = directory.join(format!("{name}-{board}-{amazons}.proof"));
        let bytes = fs::metadata(&path).expect(line).len();
        proved += 1;
        if bytes > most {
            continue;
        }
        let open = || fs::File::open(&path);
        let (claim, _) = verify_part(open, Part::WHOLE, 1 << 30, &(), &StopFlag::new()).unwrap();
        let start = VariantPosition::start(rules, board, Some(amazons)).unwrap();
        assert_eq!(claim.position, start, "{line}");
        assert_eq!(claim.winner().to_string(), winner, "{line}");
        checked += 1;
    }
    assert!(checked >= 100, "only {checked} certificates were checked");
    let files = fs::read_dir(&directory).unwrap().count();
    assert_eq!(files, proved, "each certificate is that of a verdict");
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
