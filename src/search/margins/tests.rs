//! Margins of positions and moves held against the naive solver of margins.

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

use super::survey::MarginSurvey;
use crate::game::board::{Bitboard, Board};
use crate::game::naive_margins::NaiveMargins;
use crate::game::rules::{Bitboards, Colour, Rules};
use crate::game::{Outcome, Position, Threshold, ThresholdRange};
use crate::machine::clock::Instant;
use crate::machine::long::long_tests;
use crate::machine::progress::StopFlag;
use crate::search::solver::SolverError;
use crate::search::tests::naive;
use crate::search::{Settings, Solver};

fn solver(board: Board, table_bytes: u64, threads: usize) -> Solver<'static> {
    let settings = Settings { table_bytes, threads, seed: 0 };
    Solver::new(board, settings, StopFlag::new()).unwrap()
}

/// A random position with some empty squares, one to three amazons a side.
fn random_position(board: Board, random: &mut StdRng) -> Position {
    let mut order: Vec<_> = board.all::<u64>().iter().collect();
    order.shuffle(random);
    let mut take = |count: usize| order.drain(..count).collect::<Bitboard>();
    let (mover, opponent) = (take(random.random_range(1..=3)), take(random.random_range(1..=3)));
    let most = if long_tests() { 8 } else { 6 };
    let empty = take(random.random_range(0..=most));
    let arrows = board.all().without(mover | opponent | empty);
    let plain = Bitboards { mover, opponent, arrows };
    let turn = if random.random() { Colour::White } else { Colour::Black };
    Position::new(board, &plain, turn).unwrap()
}

/// Calls `check` with random positions of some boards.
fn on_random_positions(
    count: usize,
    seed: u64,
    mut check: impl FnMut(&mut NaiveMargins, Position),
) {
    let mut random = StdRng::seed_from_u64(seed);
    for size in ["4x4", "5x3", "3x5", "4x5"] {
        let board: Board = size.parse().unwrap();
        for _ in 0..count {
            check(&mut naive(board), random_position(board, &mut random));
        }
    }
}

#[test]
fn thresholds_are_those_of_the_naive_solver() {
    let count = if long_tests() { 10_000 } else { 250 };
    let (mut searched, mut of_value) = (0, [0; 2]);
    on_random_positions(count, 1, |naive, position| {
        let plain = position.bitboards().unwrap();
        let expected = naive.threshold(&plain);
        // Small tables forget.
        for (bytes, threads) in [(1 << 20, 1), (1 << 14, 1), (1 << 18, 2)] {
            let mut solver = solver(position.board(), bytes, threads);
            let known = solver.known_threshold(&position).unwrap();
            assert!(known.least() <= expected && expected <= known.most(), "{position}: {known}");
            searched += u32::from(known.exact().is_none());
            assert_eq!(solver.threshold(&position).unwrap(), expected.into(), "{position}");
            assert_eq!(
                solver.known_threshold(&position).unwrap().outcome(),
                Some(expected.outcome())
            );
        }
        of_value[usize::from(expected.outcome().is_win())] += 1;
    });
    assert!(searched > 100 && of_value.iter().all(|&count| count > 200), "{searched} {of_value:?}");
}

#[test]
fn every_number_of_spare_moves_is_answered() {
    let count = if long_tests() { 2000 } else { 60 };
    on_random_positions(count, 2, |naive, position| {
        let threshold = naive.threshold(&position.bitboards().unwrap());
        let mut all: Vec<i16> = (-10..=10).chain([i16::MIN, -300, 300, i16::MAX]).collect();
        // In any order, on one table.
        all.shuffle(&mut StdRng::seed_from_u64(count as u64));
        let mut solver = solver(position.board(), 1 << 20, 1);
        for spare in all {
            let outcome = solver.solve_with_spare_in_runs(&position, spare, |_| None).unwrap();
            assert_eq!(outcome, Some(threshold.outcome_with(spare)), "{position} with {spare}");
            let played = solver.best_move_with_spare(&position, spare, |_| None).unwrap();
            if let Some(played) = played {
                let after = position.play_indexed(played).unwrap().bitboards().unwrap();
                assert!(!naive.wins(&after, spare.saturating_neg()), "{position} with {spare}");
            }
            let spent = solver.wins_by_spending_in_runs(&position, spare, |_| None).unwrap();
            let passed = position.bitboards().unwrap().swapped();
            assert_eq!(spent, Some(spare > 0 && !naive.wins(&passed, spare.saturating_neg() + 1)));
        }
    });
}

#[test]
fn every_move_has_its_margin_and_the_best_one_is_found() {
    let count = if long_tests() { 1000 } else { 30 };
    let (mut found, mut spent) = (0, 0);
    on_random_positions(count, 3, |naive, position| {
        let rules = Rules::<u64>::new(position.board()).unwrap();
        let plain: Bitboards = position.bitboards().unwrap();
        let mut solver = solver(position.board(), 1 << 20, 1);
        let mut survey = MarginSurvey::new(&solver, &position).unwrap();
        survey.run(&mut solver, |_| None, |_| ()).unwrap();
        assert!(survey.is_complete());
        let threshold = naive.threshold(&plain);
        assert_eq!(survey.range(), threshold.into(), "{position}");
        let moves: Vec<_> = survey.moves().collect();
        assert_eq!(
            moves.iter().map(|&(played, _)| played).collect::<Vec<_>>(),
            rules.moves(&plain)
        );
        for &(played, range) in &moves {
            let after = naive.threshold(&rules.play_unchecked(&plain, played));
            assert_eq!(range, Threshold::of_move(after).into(), "{position}: {played:?}");
            assert!(range.least() >= threshold);
        }
        let spare = threshold.spare();
        let best = solver.best_move_with_spare(&position, spare, |_| None).unwrap();
        let wins = |range: ThresholdRange| range.outcome_with(spare) == Some(Outcome::Win);
        match best {
            Some(best) => {
                assert!(moves.iter().any(|&(played, range)| played == best && wins(range)))
            }
            None => assert!(spare > 0 && !moves.iter().any(|&(_, range)| wins(range))),
        }
        found += u32::from(best.is_some());
        spent += u32::from(best.is_none() && !moves.is_empty());
    });
    // All but a few have a best move.
    assert!(found > 30 && spent < found / 4, "{found}, {spent}");
}

#[test]
fn a_search_that_is_over_tells_between_what_the_threshold_lies() {
    let start = Position::start("5x5".parse().unwrap()).unwrap();
    let mut solver = solver(start.board(), 1 << 24, 1).with_deadline(Some(Instant::now()));
    let range = solver.threshold(&start).unwrap();
    assert_eq!((range.exact(), range.outcome()), (None, None));
    let mut survey = MarginSurvey::new(&solver, &start).unwrap();
    survey.run(&mut solver, |_| None, |_| ()).unwrap();
    assert!(!survey.is_complete());
    assert_eq!(survey.range().and(range), Some(survey.range()), "it knows no less");
}

#[test]
fn the_line_of_a_search_with_spare_moves_is_one_of_moves() {
    let start = Position::start("5x6".parse().unwrap()).unwrap();
    let mut solver = solver(start.board(), 1 << 24, 1);
    let mut lengths = Vec::new();
    for spare in [1, -1] {
        let line = |solver: &Solver<'_>| solver.line(&start).unwrap();
        let plain = start.bitboards().unwrap();
        solver.attempt_with(&plain, spare, 20_000, |_| None).unwrap();
        lengths.push(line(&solver).len());
    }
    assert!(lengths.iter().all(|&length| length > 0), "{lengths:?}");
}

#[test]
fn what_is_known_of_a_position_is_believed() {
    let start = Position::start("4x5".parse().unwrap()).unwrap();
    let mut solver = solver(start.board(), 1 << 24, 1).with_deadline(Some(Instant::now()));
    let lost = solver.known_threshold(&start).unwrap().with(0, Outcome::Loss).unwrap();
    let range = solver.threshold_in_runs(&start, lost, |_| None, |_| ()).unwrap();
    assert_eq!(range, lost);
    let mut survey = MarginSurvey::new(&solver, &start).unwrap();
    survey.learn(lost).unwrap();
    assert_eq!(survey.range().outcome(), Some(Outcome::Loss));
    assert!(survey.moves().all(|(_, range)| range.outcome() == Some(Outcome::Loss)));
}

#[test]
fn what_cannot_be_is_refused() {
    let start = Position::start_with("3x3".parse().unwrap(), "1v1".parse().unwrap()).unwrap();
    let mut solver = solver(start.board(), 1 << 20, 1);
    let known = solver.threshold(&start).unwrap().exact().unwrap();
    let other: ThresholdRange = Threshold::new(known.spare() + 1).into();
    let refused = solver.threshold_in_runs(&start, other, |_| None, |_| ());
    assert!(matches!(refused, Err(SolverError::Contradiction)), "{refused:?}");
    let mut survey = MarginSurvey::new(&solver, &start).unwrap();
    assert!(matches!(survey.learn(other), Err(SolverError::Contradiction)));
    let mut survey = MarginSurvey::new(&solver, &start).unwrap();
    let moves: Vec<_> = survey.moves().map(|(played, _)| (played, other)).collect();
    assert!(!moves.is_empty());
    let refused = survey.learn_moves(&moves);
    assert!(matches!(refused, Err(SolverError::Contradiction)), "{refused:?}");
}

#[test]
fn nothing_known_is_not_won_with_any_number_of_spare_moves() {
    // The walk that bounds Black's moves from below fills 56 of the 63 empty squares, and 63 are
    // the most that there are.
    let position: Position = "8/8/8/8/4q3/8/8/8 w".parse().unwrap();
    let solver = solver(position.board(), 1 << 20, 1);
    let plain = position.bitboards().unwrap();
    let range = solver.known_threshold(&position).unwrap();
    assert_eq!(range.most(), Threshold::new(64), "Black may have 63 moves: {range}");
    for spare in range.least().spare()..range.most().spare() {
        assert_eq!(solver.proved_with(&plain, spare), None, "{spare}");
    }
}

#[test]
fn a_position_that_is_its_own_mirror_image_is_lost_by_a_single_tempo_at_most() {
    for (text, is_alike) in [("4x5", true), ("6x6", true), ("4x5 b1-b2/b1", false)] {
        let mut words = text.split(' ');
        let mut position = Position::start(words.next().unwrap().parse().unwrap()).unwrap();
        for played in words {
            position = position.play(played.parse().unwrap()).unwrap();
        }
        let known = solver(position.board(), 1 << 16, 1).known_threshold(&position).unwrap();
        assert_eq!(known.most().spare() <= 1, is_alike, "{text}: {known}");
        assert_eq!(position.is_own_image_exchanged(), is_alike, "{text}");
    }
}
