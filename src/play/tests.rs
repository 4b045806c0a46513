//! The parts of the engine against the simplest program that does the same.

use std::collections::VecDeque;

use proptest::prelude::*;

use super::alphabeta::{SearchNode, Shared, Window, Worker};
use super::board_data::BoardData;
use super::evaluation::{Evaluation, Terms, evaluate};
use super::key::Keys;
use super::limits::{Control, Limits};
use super::score::Score;
use super::transposition::TranspositionTable;
use super::{Endgame, Engine, Settings};
use crate::game::Outcome;
use crate::game::board::{Bitboard, Board, SquareIndex, U512, Word, any_set};
use crate::game::naive::NaiveSolver;
use crate::game::rules::{Bitboards, Colour, Position};
use crate::machine::busy::Busy;
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::machine::threads::MOST_THREADS;

/// A position from random bits: a few amazons of each side, about a third of the squares burned.
fn scatter(board: Board, amazons: [Vec<u16>; 2], burned: [Bitboard<U512>; 2]) -> Bitboards<U512> {
    let pick = |list: &[u16], taken: Bitboard<U512>| -> Bitboard<U512> {
        let square = |&n: &u16| SquareIndex::new((usize::from(n) % board.squares()) as u16);
        list.iter().map(square).filter(|&s| !taken.contains(s)).collect()
    };
    let mover = pick(&amazons[0], Bitboard::EMPTY);
    let opponent = pick(&amazons[1], mover);
    let arrows = burned[0] & burned[1] & board.all();
    Bitboards { mover, opponent, arrows: arrows.without(mover | opponent) }
}

fn positions(
    sides: std::ops::RangeInclusive<usize>,
    most: usize,
) -> impl Strategy<Value = (Board, Bitboards<U512>)> {
    let amazons = || proptest::collection::vec(any::<u16>(), 1..=most);
    (sides.clone(), sides, amazons(), amazons(), [any_set(), any_set()]).prop_map(
        |(columns, rows, mine, his, burned)| {
            let board = Board::new(columns, rows).unwrap();
            (board, scatter(board, [mine, his], burned))
        },
    )
}

/// How far a piece moves at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    King,
    Queen,
}

/// Distances by breadth-first search, square by square; `usize::MAX` where nobody comes.
fn distances(board: Board, from: Bitboard<U512>, free: Bitboard<U512>, piece: Piece) -> Vec<usize> {
    let mut distance = vec![usize::MAX; board.squares()];
    let mut queue: VecDeque<(SquareIndex, usize)> = from.iter().map(|square| (square, 0)).collect();
    while let Some((square, steps)) = queue.pop_front() {
        for (x, y) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
            let (mut file, mut rank) = (board.file(square), board.rank(square));
            loop {
                (file, rank) = (file.wrapping_add_signed(x), rank.wrapping_add_signed(y));
                let Some(next) = board.square(file, rank).filter(|&next| free.contains(next))
                else {
                    break;
                };
                if distance[next.index()] == usize::MAX {
                    distance[next.index()] = steps + 1;
                    queue.push_back((next, steps + 1));
                }
                if piece == Piece::King {
                    break;
                }
            }
        }
    }
    distance
}

/// The terms of the evaluation, straight from their definitions.
fn slow_evaluation(board: Board, position: &Bitboards<U512>, terms: Terms) -> Score {
    let free = position.empty(board);
    let sides = [position.mover, position.opponent];
    let queen = sides.map(|side| distances(board, side, free, Piece::Queen));
    let king = sides.map(|side| distances(board, side, free, Piece::King));
    let steps = |side: usize| -> Vec<i32> {
        let one = |amazon| {
            distances(board, Bitboard::of(amazon), free, Piece::Queen)
                .iter()
                .filter(|&&d| d == 1)
                .count()
        };
        sides[side].iter().map(|amazon| one(amazon) as i32).collect()
    };
    let steps = [steps(0), steps(1)];
    if steps[0].iter().sum::<i32>() == 0 {
        return Score::LOSS;
    }
    let lead = |distance: &[Vec<usize>; 2]| -> i32 {
        let pairs =
            distance[0].iter().zip(&distance[1]).filter(|(a, b)| (**a).min(**b) < usize::MAX);
        pairs
            .map(|(a, b)| {
                if a == b {
                    20
                } else if a < b {
                    100
                } else {
                    -100
                }
            })
            .sum()
    };
    let t1 = lead(&queen);
    match terms {
        Terms::Mobility => {
            return Score::lead(10 * (steps[0].iter().sum::<i32>() - steps[1].iter().sum::<i32>()));
        }
        Terms::Distance => return Score::lead(t1),
        Terms::Full => {}
    }
    let mut closeness = 0;
    for level in 0..100 {
        let at = |side: usize| queen[side].iter().filter(|&&d| d == level + 1).count() as i32;
        closeness += ((at(0) - at(1)) * 100) >> level.min(8);
    }
    let near = |side: usize| king[side].iter().map(|&d| 7 - d.min(7) as i32).sum::<i32>();
    let c2 = (near(0) - near(1)) * 100 / 6;
    let mut open = 0;
    for (&a, &b) in queen[0].iter().zip(&queen[1]) {
        if a.max(b) < usize::MAX {
            open += 16 >> a.min(4).abs_diff(b.min(4));
        }
    }
    let open = (open / 16).min(48);
    let pinned = |side: usize| steps[side].iter().map(|n| 600 / (n + 4)).sum::<i32>();
    let shares =
        [(256, 90), (0, 44), (0, 44), (0, 78)].map(|(shut, wide)| shut * (48 - open) + wide * open);
    let sum: i32 =
        [t1, closeness, c2, lead(&king)].iter().zip(shares).map(|(term, share)| term * share).sum();
    Score::lead(sum / (256 * 48) + (pinned(1) - pinned(0)) * open / 48)
}

fn agrees<W: Word>(board: Board, position: &Bitboards<U512>) {
    let (Ok(data), Some(narrow)) = (BoardData::<W>::new(board), position.resize::<W>()) else {
        return;
    };
    for terms in [Terms::Mobility, Terms::Distance, Terms::Full] {
        let how = Evaluation { terms, territories: false };
        let expected = slow_evaluation(board, position, terms);
        assert_eq!(evaluate(&data, &narrow, how), expected, "{terms:?}");
    }
}

/// Plain negamax to a depth of at least 1. Proven evaluations count as the end of the game.
fn minimax<W: Word>(
    data: &BoardData<W>,
    position: &Bitboards<W>,
    depth: u32,
    how: Evaluation,
) -> Score {
    let value = |played| {
        let child = data.rules.play_unchecked(position, played);
        let score = evaluate(data, &child, how);
        -if depth == 1 || score.proven().is_some() {
            score
        } else {
            minimax(data, &child, depth - 1, how)
        }
    };
    data.rules.moves(position).into_iter().map(value).max().unwrap_or(Score::LOSS)
}

/// Alpha-beta with the full window.
fn alphabeta<W: Word>(
    data: &BoardData<W>,
    position: &Bitboards<W>,
    depth: u32,
    (how, memory, threads): (Evaluation, Option<&TranspositionTable<W>>, bool),
) -> Score {
    let (stop, busy) = (StopFlag::new(), Busy::new());
    let control = Control::new(Instant::now(), Limits::default(), &stop);
    let shared = Shared {
        data,
        memory,
        busy: threads.then_some(&busy),
        control: &control,
        evaluation: how,
        width: 0,
        reductions: false,
    };
    let node = SearchNode { position: *position, key: data.keys.key(position, 0), side: 0 };
    let window = Window { alpha: Score::LOSS, beta: Score::WIN, depth, ply: 0 };
    let mut result = Score::EVEN;
    for depth in 1..=depth {
        result = Worker::new(&shared).search(&node, Window { depth, ..window }).unwrap();
    }
    result
}

fn coloured(board: Board, position: &Bitboards<U512>) -> Position {
    Position::new(board, position, Colour::White).unwrap()
}

#[test]
fn no_number_of_threads_is_too_large_or_too_small() {
    let start = Position::start("4x4".parse().unwrap()).unwrap();
    for (wanted, threads) in [(0, 1), (MOST_THREADS + 1, MOST_THREADS), (usize::MAX, MOST_THREADS)]
    {
        let settings = Settings { threads: wanted, memory: 0, ..Settings::default() };
        let engine = Engine::new(start.board(), settings).unwrap();
        assert_eq!(engine.settings().threads, threads);
    }
}

/// A won position whose first moves by evaluation are lost.
#[test]
fn a_search_that_ends_among_lost_moves_does_not_call_the_position_lost() {
    let position: Position = "3Q/q1*Q/3*/*q*1 w".parse().unwrap();
    for nodes in (300..=800).step_by(20) {
        let settings =
            Settings { endgame: Endgame::Off, threads: 1, memory: 1 << 18, ..Settings::default() };
        let mut player = Engine::new(position.board(), settings).unwrap();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let decision = player.choose(&position, &limits, &StopFlag::new(), &mut |_| {}).unwrap();
        assert_ne!(decision.score, Score::LOSS, "{nodes} nodes: {decision:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_evaluation_is_what_its_terms_say((board, position) in positions(1..=20, 6)) {
        agrees::<u64>(board, &position);
        agrees::<u128>(board, &position);
        agrees::<U512>(board, &position);
    }

    #[test]
    fn proven_scores_are_true((board, position) in positions(2..=4, 3)) {
        let (data, narrow) = (BoardData::<u64>::new(board).unwrap(), position.resize().unwrap());
        prop_assume!(position.empty(board).len() <= 9);
        let score = evaluate(&data, &narrow, Evaluation::default());
        if let Some(outcome) = score.proven() {
            prop_assert_eq!(NaiveSolver::new(data.rules.clone()).outcome(&narrow), outcome);
        }
    }

    #[test]
    fn alphabeta_is_minimax((board, position) in positions(2..=4, 2), territories: bool, threads: bool) {
        let (data, narrow) = (BoardData::<u64>::new(board).unwrap(), position.resize().unwrap());
        let how = Evaluation { terms: Terms::Full, territories };
        let depth = if position.empty(board).len() <= 7 { 3 } else { 2 };
        let expected = minimax(&data, &narrow, depth, how);
        prop_assert_eq!(alphabeta(&data, &narrow, depth, (how, None, threads)), expected);
        if territories {
            // The memory may know more than a search of this depth, but nothing else.
            let memory = TranspositionTable::new(1 << 16).unwrap();
            let found = alphabeta(&data, &narrow, depth, (how, Some(&memory), threads));
            prop_assert!(found == expected || found.proven().is_some());
        }
    }

    #[test]
    fn proven_scores_are_true_when_all_keys_collide((board, position) in positions(2..=4, 3)) {
        let (mut data, narrow) = (BoardData::<u64>::new(board).unwrap(), position.resize().unwrap());
        prop_assume!(position.empty(board).len() <= 8);
        data.keys = Keys::colliding();
        let memory = TranspositionTable::new(1 << 12).unwrap();
        let mut naive = NaiveSolver::new(data.rules.clone());
        let mut root = narrow;
        // A game along which the memory is kept.
        for _ in 0..3 {
            let score = alphabeta(&data, &root, 4, (Evaluation::default(), Some(&memory), false));
            if let Some(outcome) = score.proven() {
                prop_assert_eq!(naive.outcome(&root), outcome);
            }
            let Some(&played) = data.rules.moves(&root).first() else { break };
            root = data.rules.play_unchecked(&root, played);
        }
    }

    /// However early the search ends, also while its first moves are lost and others not looked at.
    #[test]
    fn what_an_ended_search_calls_proven_is_true((board, position) in positions(3..=4, 3), lines in 1..=3usize) {
        prop_assume!(position.empty(board).len() <= 7);
        let rules = BoardData::<U512>::new(board).unwrap().rules;
        let mut naive = NaiveSolver::new(rules.clone());
        let outcome = naive.outcome(&position);
        let settings = Settings { endgame: Endgame::Off, threads: 1, memory: 1 << 16, lines, ..Settings::default() };
        for nodes in [0, 200, 500, 1000, 2000] {
            let mut player = Engine::new(board, settings).unwrap();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let decision = player.choose(&coloured(board, &position), &limits, &StopFlag::new(), &mut |_| {}).unwrap();
            if let Some(claimed) = decision.score.proven() {
                prop_assert_eq!(claimed, outcome, "{} nodes: {:?}", nodes, decision);
            }
            let begun: std::collections::HashSet<_> = decision.lines.iter().map(|line| line.moves[0]).collect();
            prop_assert_eq!(begun.len(), decision.lines.len(), "a move begins two lines: {:?}", decision);
            for line in &decision.lines {
                let after = rules.play(&position, line.moves[0]).unwrap();
                if let Some(claimed) = line.score.proven() {
                    prop_assert_eq!(claimed, !naive.outcome(&after), "{:?}", line);
                }
            }
        }
    }

    #[test]
    fn a_search_to_the_end_is_the_truth((board, position) in positions(2..=4, 3)) {
        prop_assume!(position.empty(board).len() <= 8);
        let outcome = NaiveSolver::new(BoardData::<u64>::new(board).unwrap().rules).outcome(&position.resize().unwrap());
        let settings = |endgame, width, threads| Settings {
            endgame, width, threads, memory: 1 << 16,
            evaluation: Evaluation { territories: endgame != Endgame::Off, ..Evaluation::default() },
            ..Settings::default()
        };
        for settings in [settings(Endgame::Off, 0, 1), settings(Endgame::Bounds, 3, 2), settings(Endgame::Proof, 0, 1)] {
            let mut player = Engine::new(board, settings).unwrap();
            let limits = Limits { time: Some(std::time::Duration::from_secs(60)), ..Limits::default() };
            let decision = player.choose(&coloured(board, &position), &limits, &StopFlag::new(), &mut |_| {}).unwrap();
            if let Some(claimed) = decision.score.proven() {
                prop_assert_eq!(claimed, outcome, "{:?}", decision);
            }
            if let Some(played) = decision.played {
                let rules = BoardData::<U512>::new(board).unwrap().rules;
                let after = rules.play(&position, played).unwrap();
                let reached = !NaiveSolver::new(rules).outcome(&after);
                prop_assert_eq!(reached, outcome, "{:?} throws the win away", decision);
            } else {
                prop_assert_eq!(outcome, Outcome::Loss);
            }
        }
    }
}
