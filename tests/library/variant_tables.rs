//! Tables by other rules than those of Amazons, held against the naive judge of the family and
//! against its search.

use std::path::Path;

use amazons::Outcome;
use amazons::game::board::{Bitboard, Board};
use amazons::game::rules::{Bitboards, Colour, Position};
use amazons::game::variants::naive::NaiveVariantSolver;
use amazons::game::variants::{RuleSet, State, VariantPosition, VariantRules};
use amazons::machine::progress::StopFlag;
use amazons::search::variants::VariantSolver;
use amazons::tables::format::{Keep, Manifest, SampleBy, Sampler, Table, TableError};
use amazons::tables::index::{TableRules, TableSubject, TierShape};
use amazons::tables::retrograde::{BuildError, BuildOptions, Plan, build};
use amazons::verify::table::{verify_all, verify_sample};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use amazons_test_support::long::long_tests;
use amazons_test_support::positions::random_position;
use amazons_test_support::tables;

const OTHERS: &[TableRules] = &[TableRules::Cowboys, TableRules::Pencil, TableRules::Killer];
const PLENTY: u64 = 4 << 30;

fn built(
    directory: &Path,
    rules: TableRules,
    board: &str,
    amazons: &str,
    keep: Keep,
    least_arrows: usize,
) -> Manifest {
    let options = BuildOptions { rules, keep, least_arrows, ..BuildOptions::new(PLENTY) };
    let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
    build(directory, board, amazons, &options, &(), &StopFlag::new()).unwrap()
}

fn naive(rules: TableRules, board: Board) -> NaiveVariantSolver {
    NaiveVariantSolver::new(VariantRules::new(board, rules.set()).unwrap())
}

fn coloured(rules: TableRules, board: Board, squares: &Bitboards<u64>) -> VariantPosition {
    VariantPosition::new(rules.set(), Position::new(board, squares, Colour::White).unwrap())
}

/// Every set of so many squares of a set.
fn subsets(of: Bitboard<u64>, size: usize) -> Vec<Bitboard<u64>> {
    let Some(left) = size.checked_sub(1) else { return vec![Bitboard::EMPTY] };
    let above = |square| of.iter().filter(|&other| other > square).collect();
    let with = |square| subsets(above(square), left).into_iter().map(move |set| set.with(square));
    of.iter().flat_map(with).collect()
}

/// Every position of a tier, all images of its arrow sets included.
fn positions(shape: &TierShape) -> Vec<Bitboards<u64>> {
    let all = shape.board().all::<u64>();
    let mut found = Vec::new();
    for arrows in subsets(all, shape.arrows()) {
        for mover in subsets(all.without(arrows), shape.mover()) {
            for opponent in subsets(all.without(arrows | mover), shape.opponent()) {
                found.push(Bitboards { mover, opponent, arrows });
            }
        }
    }
    found
}

#[test]
fn every_entry_and_count_is_that_of_the_naive_judge() {
    let mut boards = vec![("3x3", "1v1"), ("3x3", "2v1"), ("3x4", "1v1"), ("2x5", "2v2")];
    if long_tests() {
        boards.extend([("4x4", "1v1"), ("3x4", "2v2"), ("4x3", "3v1")]);
    }
    for &rules in OTHERS {
        for &(board, amazons) in &boards {
            for keep in [Keep::All, Keep::Odd] {
                let directory = tempfile::tempdir().unwrap();
                let manifest = built(directory.path(), rules, board, amazons, keep, 0);
                let table = Table::open_any(directory.path()).unwrap();
                let mut naive = naive(rules, table.board());
                for record in &manifest.tiers {
                    let shape = manifest.shape(record).unwrap();
                    assert_eq!(record.stored, manifest.stays(record.arrows));
                    let (mut count, mut wins) = (0, 0);
                    for squares in positions(&shape) {
                        let position = coloured(rules, table.board(), &squares);
                        let expected = naive.outcome(&State::new(squares, 1));
                        let found = table.variant_value(&position).unwrap();
                        assert_eq!(found, expected, "{rules} {squares:?}");
                        count += 1;
                        wins += u64::from(expected.is_win());
                    }
                    assert_eq!((record.positions, record.wins), (count, wins), "{shape}");
                }
            }
        }
    }
}

#[test]
fn counts_on_file_are_found_again() {
    // Positions of a board that is built again.
    let most = if long_tests() { 2_000_000_000 } else { 5_000_000 };
    let lines = include_str!("../../results/variants/tables.csv").lines().skip(1);
    let tiers: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let mut checked = 0;
    // A table with captures has tiers of fewer amazons, behind those that it is named by.
    let is_of_one = |one: &Vec<&str>, next: &Vec<&str>| {
        one[..4] == next[..4] || one[..2] == next[..2] && one[0] == "killer"
    };
    for table in tiers.chunk_by(is_of_one) {
        let [rules, board, mover, opponent, ..] = table[0][..] else { panic!("{table:?}") };
        let positions: u64 = table.iter().map(|tier| tier[5].parse::<u64>().unwrap()).sum();
        if positions > most {
            continue;
        }
        let rules = TableRules::of(rules.parse().unwrap()).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let amazons = format!("{mover}v{opponent}");
        let manifest = built(directory.path(), rules, board, &amazons, Keep::Odd, 0);
        assert_eq!(manifest.tiers.len(), table.len());
        for (record, tier) in manifest.tiers.iter().zip(table) {
            let [amazons, opponents] = [record.mover, record.opponent].map(|sides| sides as u64);
            let figures = [amazons, opponents, record.arrows as u64, record.positions, record.wins];
            let claimed = [2, 3, 4, 5, 6].map(|column: usize| tier[column].parse::<u64>().unwrap());
            assert_eq!(figures, claimed, "{rules} {board} {amazons}");
        }
        checked += 1;
    }
    assert!(checked >= 4, "{checked}");
}

#[test]
fn all_moves_have_the_values_of_what_they_lead_to() {
    for &rules in OTHERS {
        let directory = tempfile::tempdir().unwrap();
        built(directory.path(), rules, "3x4", "2v1", Keep::Odd, 0);
        let table = Table::open_any(directory.path()).unwrap();
        // The table of 3x4 answers 4x3.
        let board: Board = "4x3".parse().unwrap();
        let mut naive = naive(rules, board);
        let mut moves = 0;
        for squares in positions(&TierShape::new(board, 1, 1, 2).unwrap()).iter().step_by(9) {
            let position = coloured(rules, board, squares);
            for (played, outcome) in table.variant_moves(&position).unwrap() {
                let after = position.play(played).unwrap();
                assert_eq!(!naive.outcome(&after.state().unwrap()), outcome);
                moves += 1;
            }
        }
        assert!(moves > 500, "{moves}");
    }
}

#[test]
fn the_search_of_the_family_agrees() {
    for &rules in OTHERS {
        let directory = tempfile::tempdir().unwrap();
        built(directory.path(), rules, "4x4", "2v2", Keep::All, 0);
        let table = Table::open_any(directory.path()).unwrap();
        let board = table.board();
        let mut solver = VariantSolver::new(board, rules.set(), 64 << 20, StopFlag::new()).unwrap();
        let count = if long_tests() { 2000 } else { 150 };
        let (mut wins, mut all) = (0, 0);
        for position in Sampler::new(&table, SampleBy::Tiers, 3).unwrap().take(count) {
            let position = VariantPosition::new(rules.set(), position);
            let found = table.variant_value(&position).unwrap();
            assert_eq!(solver.solve(&position), Ok(Some(found)), "{position:?}");
            wins += usize::from(found == Outcome::Win);
            all += 1;
        }
        assert!(wins > all / 10 && wins < all, "{rules}: {wins} wins of {all}");
    }
}

#[test]
fn verification_passes_and_finds_what_is_wrong() {
    for &rules in OTHERS {
        for (keep, amazons) in [(Keep::All, "2v1"), (Keep::Odd, "2v1"), (Keep::All, "2v2")] {
            let directory = tempfile::tempdir().unwrap();
            built(directory.path(), rules, "3x4", amazons, keep, 0);
            let table = Table::open_any(directory.path()).unwrap();
            let all = verify_all(&table, PLENTY, &(), &StopFlag::new()).unwrap();
            assert!(all.checked > 1000 && all.mismatches == 0, "{rules} {amazons} {all:?}");
            let mut random = StdRng::seed_from_u64(1);
            let stop = StopFlag::new();
            let sample = verify_sample(&table, 900, PLENTY, &mut random, &(), &stop).unwrap();
            assert_eq!((sample.checked, sample.mismatches), (900, 0));
        }
    }
    // The values of Amazons are not those of other rules.
    let directory = tempfile::tempdir().unwrap();
    let manifest = built(directory.path(), TableRules::Amazons, "3x4", "2v1", Keep::All, 0);
    for &rules in OTHERS {
        let subject = TableSubject { rules, ..manifest.subject };
        let claimed = Manifest { subject, ..manifest.clone() };
        let table = Table::with_manifest(directory.path(), claimed).unwrap();
        let refused = verify_all(&table, PLENTY, &(), &StopFlag::new()).unwrap_err();
        assert!(matches!(refused, TableError::Damaged { .. }), "{refused}");
        // Also where every file says that they are.
        let directory = tempfile::tempdir().unwrap();
        tables::build_as(rules, directory.path(), "3x4", "2v1", Keep::All, 1 << 12);
        let table = Table::open_any(directory.path()).unwrap();
        let all = verify_all(&table, PLENTY, &(), &StopFlag::new()).unwrap();
        assert!(all.mismatches > 1000, "{rules}: {all:?}");
    }
}

#[test]
fn a_build_goes_on_and_contents_depend_on_nothing_else() {
    for &rules in OTHERS {
        for keep in [Keep::All, Keep::Odd] {
            let [whole, parts] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
            let expected = built(whole.path(), rules, "3x4", "2v1", keep, 0);
            for least in [7, 4, 3, 0] {
                built(parts.path(), rules, "3x4", "2v1", keep, least);
            }
            let found = Manifest::load(parts.path()).unwrap();
            assert_eq!(found.tiers, expected.tiers, "{rules}");
            assert_eq!(Manifest::load(whole.path()).unwrap().tiers, expected.tiers);
            let stored = |directory: &Path| {
                let files = std::fs::read_dir(directory).unwrap();
                let mut names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
                names.sort();
                names
            };
            assert_eq!(stored(parts.path()), stored(whole.path()));
        }
    }
}

#[test]
fn who_has_lost_all_amazons_has_lost() {
    let directory = tempfile::tempdir().unwrap();
    built(directory.path(), TableRules::Killer, "3x3", "2v1", Keep::All, 0);
    let table = Table::open_any(directory.path()).unwrap();
    let of = |mover: u64, opponent: u64| {
        let [mover, opponent] = [mover, opponent].map(Bitboard::from_word);
        let squares = Bitboards { mover, opponent, arrows: Bitboard::from_word(0b100) };
        table.variant_value(&coloured(TableRules::Killer, table.board(), &squares))
    };
    assert_eq!(of(0, 0b1).unwrap(), Outcome::Loss);
    assert_eq!(of(0, 0b11).unwrap(), Outcome::Loss);
    // Whoever can move then has the last move.
    assert_eq!(of(0b1, 0).unwrap(), Outcome::Win);
    let more = of(0, 0b1011).unwrap_err().to_string();
    assert!(more.contains("killer 3x3 2v1"), "{more}");
}

#[test]
fn the_least_memory_answers_all_kinds_on_several_threads() {
    let directory = tempfile::tempdir().unwrap();
    let rules = TableRules::Killer;
    built(directory.path(), rules, "3x4", "2v2", Keep::All, 0);
    let plenty = Table::open_any(directory.path()).unwrap();
    let (least, wanted) = (plenty.least_memory(3), plenty.wanted_memory(3));
    assert!(5 * least < wanted, "{least} of {wanted}: a decoder for each of many tiers");
    let table = Table::open_any(directory.path()).unwrap().without_maps().with_memory(least);
    let compare = |seed| {
        let mut random = StdRng::seed_from_u64(seed);
        for _ in 0..2000 {
            let sides = [random.random_range(1..=2), random.random_range(1..=2)];
            let position = random_position(table.board(), sides, 9, &mut random);
            let position = VariantPosition::new(rules.set(), position);
            let [found, expected] = [&table, &plenty].map(|table| table.variant_value(&position));
            assert_eq!(found.unwrap(), expected.unwrap());
        }
    };
    std::thread::scope(|scope| {
        for seed in 0..3 {
            scope.spawn(move || compare(seed));
        }
    });
}

#[test]
fn with_captures_the_least_memory_gives_the_same_files() {
    // Blocks of three kinds are decoded in turn where a tier does not stay in memory.
    let [plenty, least] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let rules = TableRules::Killer;
    let (board, amazons) = ("4x4".parse().unwrap(), "4v4".parse().unwrap());
    let expected = built(plenty.path(), rules, "4x4", "4v4", Keep::All, 4);
    let plan = Plan::new(TableSubject { rules, board, amazons }).unwrap();
    let memory = plan.with_least_arrows(4).memory_least().unwrap();
    let options = BuildOptions { rules, least_arrows: 4, ..BuildOptions::new(memory) };
    let found = build(least.path(), board, amazons, &options, &(), &StopFlag::new()).unwrap();
    assert_eq!(found.tiers, expected.tiers);
}

#[test]
fn other_rules_are_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let (board, amazons) = ("3x3".parse().unwrap(), "1v1".parse().unwrap());
    for &rules in OTHERS {
        let path = directory.path().join(rules.to_string());
        built(&path, rules, "3x3", "1v1", Keep::All, 0);
        let refused = Table::open(&path).unwrap_err();
        let expected = format!("is a table of {rules}, expected one of amazons");
        assert!(refused.to_string().ends_with(&expected), "{refused}");
        let table = Table::open_any(&path).unwrap();
        let position: Position = "q2/3/2Q w".parse().unwrap();
        let refused = table.value(&position).unwrap_err().to_string();
        let expected = format!("holds {rules} 3x3 1v1, the position is of amazons on 3x3");
        assert!(refused.ends_with(&expected), "{refused}");
        assert_eq!(table.known(&position).unwrap(), None);
        let tromazons = VariantPosition::new(RuleSet::TROMAZONS, position);
        let refused = table.variant_value(&tromazons).unwrap_err().to_string();
        assert!(refused.ends_with("the position is of tromazons on 3x3"), "{refused}");

        let none = BuildOptions { rules, keep: Keep::None, ..BuildOptions::new(PLENTY) };
        let refused = build(&path, board, amazons, &none, &(), &StopFlag::new()).unwrap_err();
        assert!(matches!(refused, BuildError::NoOpeningOf { .. }), "{refused}");
        let plain = BuildOptions::new(PLENTY);
        let refused = build(&path, board, amazons, &plain, &(), &StopFlag::new()).unwrap_err();
        assert!(refused.to_string().contains(&format!("holds a table of {rules} 3x3 1v1")));
    }
}
