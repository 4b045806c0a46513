//! Margins: the naive solver and the search against thresholds of another program, and against what
//! must hold.

use amazons::game::board::{Bitboard, Board, SquareIndex};
use amazons::game::naive::NaiveSolver;
use amazons::game::naive_margins::NaiveMargins;
use amazons::game::rules::{Bitboards, Colour, Rules};
use amazons::knowledge::Knowledge;
use amazons::machine::progress::StopFlag;
use amazons::play::{Engine, Limits};
use amazons::search::{Settings, Solver};
use amazons::theory::region::Lead;
use amazons::{Position, Threshold, ThresholdRange};
use amazons_test_support::long::long_tests;
use amazons_test_support::margins::golden_thresholds;
use amazons_test_support::positions::random_position;
use rand::SeedableRng;
use rand::rngs::StdRng;

fn naive(position: &Position) -> Threshold {
    let rules = Rules::<u64>::new(position.board()).unwrap();
    NaiveMargins::new(rules).threshold(&position.bitboards().unwrap())
}

fn searched(position: &Position) -> Threshold {
    let settings = Settings { table_bytes: 1 << 20, ..Settings::default() };
    let mut solver = Solver::new(position.board(), settings, StopFlag::new()).unwrap();
    solver.threshold(position).unwrap().exact().expect("a search that is not stopped")
}

#[test]
fn thresholds_equal_those_of_another_program() {
    let mut checked = 0;
    for (position, expected) in golden_thresholds() {
        let threshold = naive(&position);
        assert_eq!(threshold, expected, "{position}");
        assert_eq!(searched(&position), expected, "{position}");
        let rules = Rules::<u64>::new(position.board()).unwrap();
        let bitboards = position.bitboards().unwrap();
        assert_eq!(threshold.outcome(), NaiveSolver::new(rules).outcome(&bitboards), "{position}");
        checked += 1;
    }
    assert_eq!(checked, 160);
}

/// All positions of small boards with an amazon a side: what is known of one with one side to move
/// bounds it with the other.
#[test]
fn the_thresholds_with_either_side_to_move_make_at_most_two() {
    let (mut checked, mut equal) = (0, 0);
    for board in ["2x3", "3x3"].map(|board| board.parse::<Board>().unwrap()) {
        let mut naive = NaiveMargins::new(Rules::<u64>::new(board).unwrap());
        let squares = board.squares();
        let pairs = (0..squares).flat_map(|one| (0..one).map(move |other| (one, other)));
        for (mover, opponent) in pairs {
            let [mover, opponent] = [mover, opponent].map(|square| 1u64 << square);
            for arrows in (0..1u64 << squares).filter(|arrows| arrows & (mover | opponent) == 0) {
                let [mover, opponent, arrows] =
                    [mover, opponent, arrows].map(Bitboard::<u64>::from_word);
                let position = Bitboards { mover, opponent, arrows };
                let passed = Bitboards { mover: opponent, opponent: mover, arrows };
                let [own, other] = [&position, &passed].map(|position| naive.threshold(position));
                assert!(own.spare() + other.spare() <= 2, "{position:?}: {own:?} {other:?}");
                let all = ThresholdRange::of_empty(squares - 2 - arrows.len());
                let bounded = all.with_other_side(other.into()).unwrap();
                assert!(bounded.and(own.into()).is_some(), "{position:?}");
                checked += 1;
                equal += usize::from(own.spare() + other.spare() == 2);
            }
        }
    }
    assert_eq!(checked, 15 * 16 + 36 * 128);
    assert!(equal > 1000 && equal < checked, "{equal} of {checked}");
}

#[test]
fn the_mirror_with_colours_exchanged_has_the_same_threshold() {
    for (position, expected) in golden_thresholds() {
        let board = position.board();
        let mirrored = |set: Bitboard| -> Bitboard {
            let square = |s: SquareIndex| {
                board.square(board.columns() - 1 - board.file(s), board.rank(s)).unwrap()
            };
            set.iter().map(square).collect()
        };
        let plain: Bitboards = position.bitboards().unwrap();
        let image = Bitboards {
            mover: mirrored(plain.mover),
            opponent: mirrored(plain.opponent),
            arrows: mirrored(plain.arrows),
        };
        let image = Position::new(board, &image, position.turn().other()).unwrap();
        assert_eq!(searched(&image), expected, "{position}");
    }
}

#[test]
fn a_territory_of_n_moves_is_n_spare_moves() {
    let mut checked = 0;
    for (position, expected) in golden_thresholds().step_by(2) {
        for moves in [-4, -2, -1, 1, 3] {
            let sum = position.with_spare_territory(moves).unwrap();
            let threshold = Threshold::new(expected.spare() - moves);
            assert_eq!(searched(&sum), threshold, "{position} and {moves}");
            checked += 1;
        }
    }
    assert_eq!(checked, 400);
}

#[test]
fn a_position_and_its_negative_are_worth_nothing() {
    let nothing = Threshold::new(1);
    let mut random = StdRng::seed_from_u64(5);
    let count = if long_tests() { 400 } else { 30 };
    for size in ["3x3", "2x4", "3x4"] {
        let board: Board = size.parse().unwrap();
        for _ in 0..count {
            let position = random_position(board, [1, 1], 3, &mut random);
            let shift = board.columns() + 1;
            let wide = Board::new(shift + board.columns(), board.rows()).unwrap();
            let at = |set: Bitboard, shift: usize| -> Bitboard {
                let square =
                    |s: SquareIndex| wide.square(shift + board.file(s), board.rank(s)).unwrap();
                set.iter().map(square).collect()
            };
            let plain: Bitboards = position.bitboards().unwrap();
            let both = |one: Bitboard, other: Bitboard| at(one, 0) | at(other, shift);
            let mover = both(plain.mover, plain.opponent);
            let opponent = both(plain.opponent, plain.mover);
            let empty = both(plain.empty(board), plain.empty(board));
            let arrows = wide.all().without(empty | mover | opponent);
            let sum = Bitboards { mover, opponent, arrows };
            let sum = Position::new(wide, &sum, Colour::White).unwrap();
            assert_eq!(searched(&sum), nothing, "{sum}");
            assert_eq!(naive(&sum), nothing, "{sum}");
        }
    }
}

#[test]
fn what_is_known_without_a_search_encloses_what_is_so() {
    let knowledge = Knowledge::default();
    let (mut exact, mut moves) = (0, 0);
    for (position, expected) in golden_thresholds() {
        let known = knowledge.margins(&position).unwrap();
        let range = known.position();
        assert!(range.least() <= expected && expected <= range.most(), "{position}: {range}");
        exact += u32::from(range.exact().is_some());
        // A lead of x moves, whoever moves next, is the threshold 1 - x.
        let lead = Lead::in_position(&position, position.turn());
        let margin = 1 - i32::from(expected.spare());
        assert!(lead.least <= margin && margin <= lead.most, "{position}: {lead:?}");
        let best = known.moves().iter().map(|(_, range)| range.least()).min();
        assert!(best.is_none_or(|best| best <= expected || expected.spare() > 0), "{position}");
        moves += known.moves().len();
    }
    assert!(exact > 20 && moves > 1000, "{exact}, {moves}");
}

/// Where somebody must win, the engine wins by as much as can be, and loses by as little.
#[test]
fn the_engine_makes_the_move_of_the_best_margin() {
    let (mut best, mut worse, mut checked) = (0, 0, 0);
    for (position, threshold) in golden_thresholds().step_by(6) {
        let board = position.board();
        let rules = Rules::<u64>::new(board).unwrap();
        let settings = amazons::play::Settings { memory: 4 << 20, ..Default::default() };
        let mut engine = Engine::new(board, settings).unwrap();
        let limits = Limits { nodes: Some(1 << 20), ..Limits::default() };
        let decision = engine.choose(&position, &limits, &StopFlag::new(), &mut |_| ()).unwrap();
        let Some(played) = decision.played else { continue };
        let after = rules.play_unchecked(&position.bitboards().unwrap(), played);
        let mut naive = NaiveMargins::new(rules.clone());
        let reached = Threshold::of_move(naive.threshold(&after));
        assert_eq!(reached.outcome(), threshold.outcome(), "{position}");
        match reached == threshold {
            true => best += 1,
            // A spare move would be better than every move.
            false if threshold.spare() > 0 => worse += 1,
            false => panic!("{position}: {reached} by {played:?}, not {threshold}"),
        }
        checked += 1;
    }
    assert!(best > 15 && worse * 10 < checked, "{best}, {worse} of {checked}");
}

/// Zugzwangs are numbers, here as Black sees them: who moves first in a number `x` needs `1 - x`
/// spare moves.
#[test]
fn zugzwangs_have_the_thresholds_of_their_numbers() {
    for (fen, value) in [
        ("1***/*q*1/**Q*/*1**", 0),
        ("*q1*/1**Q/*2*", 0),
        ("1*Q1/*q**/4/*1**", 4),
        ("1q*2/**Q**/2*2/2*2", -3),
    ] {
        for (turn, value) in [("b", value), ("w", -value)] {
            let position: Position = format!("{fen} {turn}").parse().unwrap();
            assert_eq!(searched(&position), Threshold::new(1 - value), "{position}");
        }
    }
}

#[test]
#[ignore = "minutes"]
fn searches_and_the_naive_solver_agree_on_thousands_of_positions() {
    let mut random = StdRng::seed_from_u64(11);
    for size in ["3x4", "4x4", "4x5", "5x4", "2x6"] {
        let board: Board = size.parse().unwrap();
        for amazons in [[1, 1], [2, 1], [2, 2], [3, 3]] {
            for _ in 0..250 {
                let position = random_position(board, amazons, 8, &mut random);
                assert_eq!(searched(&position), naive(&position), "{position}");
            }
        }
    }
}

/// Every placement on a small board: more spare moves never hurt, and a threshold is where a win
/// begins.
#[test]
fn more_spare_moves_never_hurt() {
    let board: amazons::Board = "2x3".parse().unwrap();
    let mut solver = NaiveMargins::new(Rules::<u64>::new(board).unwrap());
    let squares = |code: u32, colour: u32| -> amazons::game::board::Bitboard {
        let all = board.all::<u64>().iter();
        all.filter(|square| code >> (2 * square.index()) & 3 == colour).collect()
    };
    let mut checked = 0;
    for code in 0..1u32 << 12 {
        let [mover, opponent, arrows] = [1, 2, 3].map(|colour| squares(code, colour));
        let position = amazons::game::rules::Bitboards { mover, opponent, arrows };
        let threshold = solver.threshold(&position);
        for spare in -8..=8 {
            let wins = solver.wins(&position, spare);
            assert_eq!(wins, threshold.outcome_with(spare).is_win(), "{position:?} with {spare}");
        }
        let empty = position.empty(board).len() as i16;
        assert!((1 - empty..=empty + 1).contains(&threshold.spare()), "{position:?}");
        checked += 1;
    }
    assert_eq!(checked, 4096);
}
