//! What is known of a position, against the naive solver and against searches.

use std::sync::Arc;

use amazons::Outcome;
use amazons::game::board::{Bitboard, Board};
use amazons::game::naive::NaiveSolver;
use amazons::game::rules::{Bitboards, Colour, Position, Rules};
use amazons::knowledge::{Basis, CertificateSource, Knowledge, Source};
use amazons::machine::progress::StopFlag;
use amazons::search::{Settings, Solver};
use rand::rngs::StdRng;
use rand::seq::{IteratorRandom, SliceRandom};
use rand::{Rng, SeedableRng};

use amazons_test_support::long::long_tests;
use amazons_test_support::proofs::{settings, written};

/// A position of a board of any size with few empty squares, which lie together.
fn late_position(board: Board, random: &mut StdRng) -> Position {
    let squares = board.squares() as u32;
    let (columns, rows) = (board.columns() as u32, board.rows() as u32);
    // A window of the board holds what is not burned.
    let (width, height) = (columns.min(4), rows.min(3));
    let left = random.random_range(0..=columns - width);
    let low = random.random_range(0..=rows - height);
    let inside = |square: &u32| {
        let (column, row) = (square % columns, square / columns);
        (left..left + width).contains(&column) && (low..low + height).contains(&row)
    };
    let mut free: Vec<u32> = (0..squares).filter(inside).collect();
    free.shuffle(random);
    let set = |squares: &[u32]| {
        Bitboard::<u128>::from_word(squares.iter().fold(0, |set, square| set | 1u128 << square))
    };
    let (mover, opponent) = (random.random_range(1..=2), random.random_range(1..=2));
    let empty = random.random_range(0..=free.len() - mover - opponent).min(7);
    let (mover, rest) = free.split_at(mover);
    let (opponent, rest) = rest.split_at(opponent);
    let (mover, opponent, empty) = (set(mover), set(opponent), set(&rest[..empty]));
    let arrows = board.all::<u128>().without(mover | opponent | empty);
    let turn = if random.random() { Colour::White } else { Colour::Black };
    Position::new(board, &Bitboards { mover, opponent, arrows }, turn).unwrap()
}

#[test]
fn what_is_known_of_late_positions_is_what_the_naive_solver_says() {
    let knowledge = Knowledge::default();
    let mut random = StdRng::seed_from_u64(5);
    let (mut known, mut unknown) = (0, 0);
    for board in ["3x3", "4x4", "5x3", "6x5", "8x8", "9x8", "10x10"] {
        let board: Board = board.parse().unwrap();
        let rules = Rules::<u128>::new(board).unwrap();
        for _ in 0..if long_tests() { 3000 } else { 60 } {
            let position = late_position(board, &mut random);
            let plain = position.bitboards::<u128>().unwrap();
            let mut naive = NaiveSolver::new(rules.clone());
            let finding = knowledge.of(&position).unwrap();
            match finding.value() {
                Some(value) => assert_eq!(value, naive.outcome(&plain), "{position}"),
                None => unknown += 1,
            }
            for &(played, value) in finding.moves() {
                let Some(value) = value else { continue };
                let after = naive.outcome(&rules.play_unchecked(&plain, played));
                assert_eq!(value, after.reversed(), "{position} {played:?}");
                known += 1;
            }
        }
    }
    assert!(known > 500 && unknown > 20, "{known} moves known, {unknown} positions not");
}

#[test]
fn what_is_known_along_games_is_what_a_search_says() {
    let knowledge = Knowledge::default();
    let mut random = StdRng::seed_from_u64(6);
    let mut kinds = std::collections::BTreeSet::new();
    for board in ["4x4", "5x4", "4x5"] {
        let board: Board = board.parse().unwrap();
        let settings = Settings { table_bytes: 64 << 20, threads: 1, seed: 0 };
        let mut solver = Solver::new(board, settings, StopFlag::new()).unwrap();
        for _ in 0..if long_tests() { 40 } else { 3 } {
            let mut at = Position::start(board).unwrap();
            loop {
                let finding = knowledge.of(&at).unwrap();
                if let Some(value) = finding.value() {
                    assert_eq!(solver.solve(&at).unwrap(), Some(value), "{at}");
                }
                for (played, value) in finding.named_moves().into_iter().step_by(9) {
                    let Some(value) = value else { continue };
                    let after = solver.solve(&at.play(played).unwrap()).unwrap();
                    assert_eq!(after.map(Outcome::reversed), Some(value), "{at} {played}");
                }
                kinds.extend(finding.basis().map(|basis| match basis {
                    Basis::Table { .. } => "table",
                    Basis::Opening { .. } => "opening",
                    Basis::Bounds => "bounds",
                    Basis::Rules => "rules",
                    other => panic!("{other}"),
                }));
                let Some(played) = at.moves().choose(&mut random) else { break };
                at = at.play(played).unwrap();
            }
        }
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["bounds", "opening", "rules", "table"]);
}

/// A certificate is named where its list decides, and not for what holds without it.
#[test]
fn a_position_that_a_certificate_does_not_list_does_not_rest_on_it() {
    let knowledge = Knowledge::default();
    let basis = |position: &str| {
        let finding = knowledge.of(&position.parse().unwrap()).unwrap();
        (finding.value(), finding.basis().cloned())
    };
    let listed = Basis::Certificate { name: "5x6.proof".into() };
    let start = Position::start("5x6".parse().unwrap()).unwrap();
    let finding = knowledge.of(&start).unwrap();
    assert_eq!((finding.value(), finding.basis()), (Some(Outcome::Win), Some(&listed)));
    // No game by the certificate leads here, and the other side wins.
    let elsewhere = "Q1*q*/*q*1q/*1***/QQ*1*/2Q2/***1q b";
    assert_eq!(basis(elsewhere), (Some(Outcome::Win), Some(Basis::Proof)));
}

/// Colours stand in the header of a certificate alone.
#[test]
fn a_certificate_of_unequal_sides_is_asked_either_way_round() {
    let text = ["1q1q1/5/5/1Q3 w", "1Q1Q1/5/5/1q3 b"];
    let [start, other]: [Position; 2] = text.map(|text| text.parse().unwrap());
    let (bytes, claim) = written(settings(), start, 0, false);
    assert_eq!(claim.outcome, Outcome::Loss);
    let source = CertificateSource::new("y.proof", bytes).unwrap();
    let knowledge = Knowledge::new([Arc::new(source) as Arc<dyn Source>]);
    for position in [start, other] {
        let finding = knowledge.of(&position).unwrap();
        let named = Some(&Basis::Certificate { name: "y.proof".into() }).cloned();
        assert_eq!((finding.value(), finding.basis().cloned()), (Some(Outcome::Loss), named));
    }
}
