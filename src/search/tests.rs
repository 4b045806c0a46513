//! The search held against brute force.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

use super::dfpn::expansion::{Expander, Node};
use super::dfpn::watch::{Visibility, Watch};
use super::monitor::line::NoProofs;
use super::sum::board_data::BoardData;
use super::sum::canonical::RegionSquares;
use super::sum::evaluation::evaluate;
use super::sum::key::Key;
use super::sum::numbers::Numbers;
use super::sum::reduction::{Bounds, Reduced, Reducer, Sketched};
use super::table::ProofTable;
use super::{Settings, Solver};
use crate::game::board::{Bitboard, Board};
use crate::game::naive::NaiveSolver;
use crate::game::naive_margins::NaiveMargins;
use crate::game::rules::{Bitboards, Rules};
use crate::game::{Outcome, Position};
use crate::machine::isa::InstructionSet;
use crate::machine::long::long_tests;
use crate::machine::progress::StopFlag;
use crate::machine::threads::MOST_THREADS;
use crate::machine::virtual_threads::Schedule;
use crate::theory::region::blocker::BlockerBound;
use crate::theory::region::contest::Turn;
use crate::theory::region::{Growth, Region};

/// The naive solver of positions with spare moves of a board.
pub(super) fn naive(board: Board) -> NaiveMargins {
    NaiveMargins::new(Rules::new(board).unwrap())
}

/// A board as the search sees it, and the naive solver.
struct Brute {
    data: BoardData,
    naive: NaiveMargins,
}

impl Brute {
    fn new(board: Board) -> Self {
        Self { data: BoardData::new(board, 0).unwrap(), naive: naive(board) }
    }

    /// Whether the mover wins with `spare` more moves of its own (or of the opponent's, if
    /// negative).
    fn wins(&mut self, position: &Bitboards, spare: i32) -> bool {
        self.naive.wins(position, i16::try_from(spare).unwrap())
    }
}

/// Random squares of a board: amazons of both sides and empty ones.
fn random_squares(board: Board, random: &mut StdRng) -> RegionSquares {
    let mut order: Vec<_> = board.all::<u64>().iter().collect();
    order.shuffle(random);
    let mut take = |count: usize| order.drain(..count).collect::<Bitboard>();
    let (mover, opponent) = (take(random.random_range(1..=3)), take(random.random_range(1..=3)));
    RegionSquares { empty: take(random.random_range(5..=8)), mover, opponent }
}

/// What [`on_random_sums`] has beside a sum.
pub(super) struct Random<'a> {
    pub(super) board: Board,
    pub(super) naive: &'a mut NaiveMargins,
    pub(super) random: &'a mut StdRng,
}

impl Random<'_> {
    /// Lets the table know what is true of a position, if bounds do not decide it.
    pub(super) fn tell(&mut self, expander: &mut Expander<'_>, squares: RegionSquares, spare: i32) {
        if let Reduced::Open { sum, key, .. } = expander.reduce(squares, spare) {
            let position = sum.squares().position(self.board.all());
            let wins = self.naive.wins(&position, sum.spare.into());
            expander.store(&Node { sum, key }, Numbers::solved(Outcome::win_if(wins)), 1);
        }
    }
}

/// Calls `check` with sums that random squares and spare moves reduce to, on an empty table each:
/// of so many reductions on 4x4 and as many on 5x3 those that bounds do not decide.
pub(super) fn on_random_sums(
    reductions: usize,
    spares: RangeInclusive<i32>,
    mut check: impl FnMut(&mut Expander<'_>, &Node, Random<'_>),
) {
    let mut random = StdRng::seed_from_u64(1);
    for size in ["4x4", "5x3"] {
        let board: Board = size.parse().unwrap();
        for _ in 0..reductions {
            let mut naive = naive(board);
            let solver = solver(board, 1 << 18, 1);
            let shared = solver.shared(None, u64::MAX);
            let mut expander = Expander::new(Watch::new(&shared, Visibility::Hidden));
            let squares = random_squares(board, &mut random);
            let spare = random.random_range(spares.clone());
            if let Reduced::Open { sum, key, .. } = expander.reduce(squares, spare) {
                let beside = Random { board, naive: &mut naive, random: &mut random };
                check(&mut expander, &Node { sum, key }, beside);
            }
        }
    }
}

/// All subsets of `set` with `size` squares.
fn subsets(set: Bitboard, size: usize) -> Vec<Bitboard> {
    let Some(first) = set.first() else { return if size == 0 { vec![set] } else { vec![] } };
    let rest = set.without(Bitboard::of(first));
    let mut all = subsets(rest, size);
    if size > 0 {
        all.extend(subsets(rest, size - 1).into_iter().map(|subset| subset.with(first)));
    }
    all
}

/// Every position with the given amazons a side; any squares may be burned.
fn all_positions(board: Board, mover: usize, opponent: usize) -> impl Iterator<Item = Bitboards> {
    let all = board.all::<u64>();
    subsets(all, mover).into_iter().flat_map(move |mover| {
        subsets(all.without(mover), opponent).into_iter().flat_map(move |opponent| {
            let rest = all.without(mover | opponent);
            (0..=rest.len())
                .flat_map(move |burned| subsets(rest, burned))
                .map(move |arrows| Bitboards { mover, opponent, arrows })
        })
    })
}

/// What blockers and contest say of a position: the largest gains of the holder, the mover first
/// and second.
struct Sure {
    lower: i32,
    first: i32,
    upper: i32,
}

impl Sure {
    fn of(data: &BoardData, RegionSquares { empty, mover, opponent }: RegionSquares) -> Self {
        let most = |hold: &BlockerBound, other, turn| {
            (1..=8).rev().find(|&need| data.contest().gains(hold, other, need, turn)).unwrap_or(0)
        };
        let lower = BlockerBound::new(&data.kings, mover, opponent, empty);
        let upper = BlockerBound::new(&data.kings, opponent, mover, empty);
        Self {
            lower: lower.least,
            first: lower.least + most(&lower, opponent, Turn::Holder),
            upper: -upper.least - most(&upper, mover, Turn::Other),
        }
    }
}

/// Holds reduction, blocker bounds and contests against the rules; how many of the net integers
/// they decided.
fn check_position(
    brute: &mut Brute,
    reducer: &mut Reducer,
    position: &Bitboards,
    spares: RangeInclusive<i32>,
) -> u64 {
    let squares = RegionSquares::of(brute.data.board(), position);
    let sure = Sure::of(&brute.data, squares);
    let mut decided = 0;
    for spare in spares {
        let wins = brute.wins(position, spare);
        assert!(
            wins || spare + sure.lower <= 0,
            "{position:?} with {spare}: the blocker bound says won"
        );
        assert!(wins || spare + sure.first <= 0, "{position:?} with {spare}: the contest says won");
        assert!(
            !wins || spare + sure.upper > 0,
            "{position:?} with {spare}: the contest says lost"
        );
        if let Sketched::Decided(outcome) = reducer.sketch(&brute.data, squares, spare) {
            assert_eq!(outcome.is_win(), wins, "{position:?} with {spare}");
        }
        match reducer.reduce(&brute.data, &NoProofs, squares, spare) {
            Reduced::Decided(outcome) => {
                assert_eq!(outcome.is_win(), wins, "{position:?} with {spare}");
                decided += 1;
            }
            Reduced::Open { sum, upper_bound, .. } => {
                assert!(upper_bound > 0, "{position:?} with {spare}");
                let arrows = brute.data.kings.all().without(sum.squares().cells());
                let left = Bitboards { mover: sum.mover, opponent: sum.opponent, arrows };
                assert_eq!(
                    brute.wins(&left, i32::from(sum.spare)),
                    wins,
                    "{position:?} with {spare}"
                );
            }
        }
    }
    decided
}

/// Reduction and blocker bounds never contradict the rules; returns how many positions they
/// decided.
fn check_reduction(board: &str, mover: usize, opponent: usize) -> u64 {
    let board: Board = board.parse().unwrap();
    let (mut brute, mut reducer) = (Brute::new(board), Reducer::default());
    let positions = all_positions(board, mover, opponent);
    positions.map(|position| check_position(&mut brute, &mut reducer, &position, -4..=4)).sum()
}

/// As [`check_reduction`], on every `nth` region of some size, with up to two amazons a side. Other
/// squares may not be burned: what is left then is a smaller region, or several.
fn check_regions(size: usize, nth: usize) {
    let board: Board = "8x8".parse().unwrap();
    let (mut brute, mut reducer) = (Brute::new(board), Reducer::default());
    let (mut seen, mut decided) = (0, 0);
    let mut check = |region: Region| {
        seen += 1;
        if seen % nth != 0 {
            return;
        }
        let square = |(row, column)| board.square(column, row).unwrap();
        let cells: Bitboard = region.squares().map(square).collect();
        let arrows = board.all::<u64>().without(cells);
        for (mine, his) in [(1, 1), (1, 2), (2, 1), (2, 2), (0, 2), (2, 0)] {
            for mover in subsets(cells, mine) {
                for opponent in subsets(cells.without(mover), his) {
                    let position = Bitboards { mover, opponent, arrows };
                    decided += check_position(&mut brute, &mut reducer, &position, -4..=4);
                }
            }
        }
        brute.naive = naive(board);
    };
    Growth::tasks(size).iter().for_each(|task| task.for_each(size, &mut check));
    assert!(
        seen >= nth && (decided > 0 || size < 3),
        "{seen} regions of size {size}, {decided} decided"
    );
}

proptest! {
    #[test]
    fn the_table_tells_the_last_numbers_and_every_proof(
        stores in prop::collection::vec((-2..=2i8, 0..4u32, 1..100u32, 1..100u32), 1..40),
    ) {
        let table = ProofTable::new(4096, 60).unwrap();
        let key = Key::from_value(7);
        let (mut bounds, mut last) = (Bounds::NONE, HashMap::new());
        for (spare, kind, proof, disproof) in stores {
            // Verdicts that contradict each other are never found.
            let numbers = match kind {
                0 if spare > bounds.lost => Numbers::solved(Outcome::Win),
                1 if spare < bounds.won => Numbers::solved(Outcome::Loss),
                _ => Numbers { proof, disproof },
            };
            match numbers {
                Numbers { proof: 0, .. } => bounds.won = bounds.won.min(spare),
                Numbers { disproof: 0, .. } => bounds.lost = bounds.lost.max(spare),
                _ => _ = last.insert(spare, numbers),
            }
            table.store(key, spare, numbers, 3);
            for spare in -3..=3 {
                let found = table.probe(key, spare);
                prop_assert_eq!(found.bounds, bounds);
                if bounds.verdict(spare).is_none() {
                    prop_assert_eq!(found.numbers, last.get(&spare).copied());
                }
            }
        }
    }

    #[test]
    fn all_instruction_sets_say_the_same(
        columns in 1..=8usize, rows in 1..=8usize, a: u64, b: u64, c: u64, spare in -3..=3i32,
    ) {
        let mut data = BoardData::new(Board::new(columns, rows).unwrap(), 0).unwrap();
        let mover = Bitboard::from_word(a & b) & data.kings.all();
        let opponent = (Bitboard::from_word(a & c) & data.kings.all()).without(mover);
        let empty = data.kings.all().without(Bitboard::from_word(a));
        let squares = RegionSquares { empty, mover, opponent };
        let mut answers = Vec::new();
        for isa in InstructionSet::available() {
            data.isa = isa;
            let reduced = Reducer::default().reduce(&data, &NoProofs, squares, spare);
            let evaluation = match reduced {
                Reduced::Open { sum, .. } => Some(evaluate(&data, &sum)),
                Reduced::Decided(_) => None,
            };
            let sketched = Reducer::default().sketch(&data, squares, spare);
            answers.push((reduced, evaluation, sketched));
        }
        prop_assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    }
}

#[test]
fn reduction_agrees_with_the_rules_on_regions_of_six_squares() {
    (2..=6).for_each(|size| check_regions(size, 1));
}

#[test]
#[ignore = "minutes"]
fn reduction_agrees_with_the_rules_on_regions_of_eight_squares() {
    check_regions(7, 1);
    check_regions(8, 1);
}

#[test]
fn reduction_agrees_with_the_rules_on_small_boards() {
    for (board, mover, opponent) in [
        ("3x3", 2, 2),
        ("3x3", 1, 2),
        ("2x4", 2, 2),
        ("3x3", 2, 1),
        ("3x3", 2, 0),
        ("1x8", 2, 2),
        ("3x4", 1, 1),
    ] {
        assert!(check_reduction(board, mover, opponent) > 0);
    }
}

#[test]
#[ignore = "half a minute and gigabytes"]
fn reduction_agrees_with_the_rules_on_all_of_3x4() {
    for (mover, opponent) in [(2, 2), (1, 2), (2, 1)] {
        assert!(check_reduction("3x4", mover, opponent) > 0);
    }
}

/// Three disjoint sets with a bounded number of empty squares, from random bits.
fn position(
    board: Board,
    order: &[usize],
    mover: usize,
    opponent: usize,
    empty: usize,
) -> Bitboards {
    let set = |squares: &[usize]| {
        squares
            .iter()
            .map(|&s| crate::game::board::SquareIndex::new(s as u16))
            .collect::<Bitboard>()
    };
    let amazons = mover + opponent;
    let used = (amazons + empty).min(order.len());
    let (mover, opponent) = (set(&order[..mover]), set(&order[mover..amazons]));
    let arrows = board.all::<u64>().without(set(&order[..used]));
    Bitboards { mover, opponent, arrows }
}

/// A solver that knows nothing yet.
fn solver(board: Board, table_bytes: u64, threads: usize) -> Solver<'static> {
    Solver::new(board, Settings { table_bytes, threads, seed: 1 }, StopFlag::new()).unwrap()
}

#[test]
fn no_number_of_threads_is_too_large_or_too_small() {
    let start = Position::start("4x4".parse().unwrap()).unwrap();
    let expected = solver(start.board(), 1 << 20, 1).solve(&start).unwrap();
    for (wanted, threads) in [(0, 1), (MOST_THREADS + 1, MOST_THREADS), (usize::MAX, MOST_THREADS)]
    {
        assert_eq!(Settings::within(1 << 20, wanted).threads, threads);
        assert_eq!(solver(start.board(), 1 << 20, wanted).threads(), threads);
    }
    assert_eq!(solver(start.board(), 1 << 20, 0).solve(&start).unwrap(), expected);
}

#[test]
fn a_stopped_solver_goes_on_with_another_flag() {
    let start = Position::start("5x5".parse().unwrap()).unwrap();
    let flag = StopFlag::new();
    flag.stop();
    let mut solver = Solver::new(start.board(), Settings::default(), flag).unwrap();
    assert_eq!(solver.solve(&start).unwrap(), None);
    let mut solver = solver.with_stop(StopFlag::new());
    assert_eq!(solver.solve(&start).unwrap(), Some(Outcome::Win));
}

fn shuffled(squares: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..squares).collect::<Vec<_>>()).prop_shuffle()
}

/// Random cases of a test.
fn cases() -> u32 {
    if long_tests() { 5000 } else { 150 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]
    #[test]
    fn random_positions_agree_with_the_naive_solver(
        size in prop::sample::select(vec!["3x4", "4x4", "5x4", "9x2", "8x8", "10x6", "6x6"]),
        order in shuffled(64),
        mover in 0..=4usize, opponent in 1..=4usize, empty in 0..=7usize, threads in 1..=2usize, small: bool,
    ) {
        let board: Board = size.parse().unwrap();
        // The squares in use lie together in a corner of the board, else nearly nothing would be
        // connected.
        let near: Vec<usize> = board.all::<u64>().iter()
            .filter(|&s| board.file(s) < 5 && board.rank(s) < 4).map(|s| s.index()).collect();
        let order: Vec<usize> = order.into_iter().filter_map(|at| near.get(at).copied()).collect();
        let position = position(board, &order, mover, opponent, empty);
        let outcome = NaiveSolver::new(Rules::new(board).unwrap()).outcome(&position);
        let table = if small { 4096 } else { 1 << 20 };
        prop_assert_eq!(solver(board, table, threads).search(&position, |_| None).unwrap(), Some(outcome));
    }

    #[test]
    fn regions_far_apart_agree_with_the_naive_solver(
        order in shuffled(16), mover in 1..=4usize, opponent in 1..=4usize, empty in 2..=8usize,
    ) {
        // Four squares of 2x2 in the corners of 6x6: sums of several components.
        let board: Board = "6x6".parse().unwrap();
        let corners: Vec<usize> = board.all::<u64>().iter()
            .filter(|&s| ![2, 3].contains(&board.file(s)) && ![2, 3].contains(&board.rank(s)))
            .map(|s| s.index()).collect();
        let order: Vec<usize> = order.into_iter().map(|at| corners[at]).collect();
        let position = position(board, &order, mover, opponent, empty);
        let outcome = NaiveSolver::new(Rules::new(board).unwrap()).outcome(&position);
        prop_assert_eq!(solver(board, 1 << 20, 1).search(&position, |_| None).unwrap(), Some(outcome));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if long_tests() { 500 } else { 12 }))]
    #[test]
    fn virtual_threads_agree_with_the_naive_solver(
        size in prop::sample::select(vec!["4x4", "5x3", "5x4"]),
        order in shuffled(20), amazons in 1..=3usize, empty in 7..=9usize, seed: u64, small: bool,
    ) {
        let board: Board = size.parse().unwrap();
        let order: Vec<usize> = order.into_iter().filter(|&square| square < board.squares()).collect();
        let position = position(board, &order, amazons, amazons, empty);
        let outcome = NaiveSolver::new(Rules::new(board).unwrap()).outcome(&position);
        let table = if small { 4096 } else { 1 << 20 };
        for threads in [1, 2, 8, 64] {
            let schedule = Schedule { quantum: 4, seed };
            let mut solver = solver(board, table, threads).with_schedule(schedule);
            prop_assert_eq!(solver.search(&position, |_| None).unwrap(), Some(outcome));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if long_tests() { 500 } else { 6 }))]
    #[test]
    fn bounds_of_larger_positions_agree_with_the_rules(
        size in prop::sample::select(vec!["4x4", "5x3", "5x4"]),
        order in shuffled(64), mover in 1..=3usize, opponent in 1..=3usize, empty in 8..=9usize,
    ) {
        let board: Board = size.parse().unwrap();
        let order: Vec<usize> = order.into_iter().filter(|&square| square < board.squares()).collect();
        let position = position(board, &order, mover, opponent, empty);
        check_position(&mut Brute::new(board), &mut Reducer::default(), &position, -1..=1);
    }
}

#[test]
fn small_start_positions_are_solved() {
    let boards = [("4x4", Outcome::Loss), ("5x4", Outcome::Win)];
    for ((size, outcome), threads) in boards.into_iter().flat_map(|board| [(board, 1), (board, 2)])
    {
        let board: Board = size.parse().unwrap();
        let start = crate::game::rules::start(board).unwrap();
        assert_eq!(solver(board, 1 << 22, threads).solve(&start).unwrap(), Some(outcome), "{size}");
    }
}

/// Positions evaluated on cheap positions of `benches/data/positions.txt`, one thread, seed 1. A
/// refactoring must not change them; another count is right if the search was meant to change.
const FINGERPRINT: [(&str, u64); 6] = [
    ("4x4", 419),
    ("5x4", 505),
    ("1q*q1/Qq3/*1*2/5/Q*2Q/2Q*q b", 983),
    ("1q3/q2qq/3**/2*2/1Q2Q/1Q*1Q w", 145),
    ("4q1/q4q/1q2*1/Q*1Q1Q/1Q2*1 b", 25_672),
    ("1q2q*/3q1q/Q3*Q/2Q1Q1 w", 588),
];

#[test]
fn the_fingerprint_of_one_thread_stands() {
    let nodes = FINGERPRINT.map(|(text, _)| {
        let position = match text.parse() {
            Ok(board) => crate::game::rules::start(board).unwrap(),
            Err(_) => crate::game::notation::parse_fen(text).unwrap(),
        };
        let mut solver = solver(position.board(), 1 << 28, 1);
        assert!(solver.solve(&position).unwrap().is_some());
        (text, solver.nodes())
    });
    assert_eq!(
        nodes, FINGERPRINT,
        "a change of the search changed the number of positions evaluated"
    );
}

/// What the side to move reaches, and the positions that virtual threads evaluate for it.
fn on_virtual_threads(position: &Position, threads: usize, schedule: Schedule) -> (Outcome, u64) {
    let mut solver = solver(position.board(), 1 << 22, threads).with_schedule(schedule);
    (solver.solve(position).unwrap().unwrap(), solver.nodes())
}

/// The table grows meanwhile: threads come back, and begin again at the root.
#[test]
fn virtual_threads_do_the_same_in_every_run() {
    let start = Position::start("4x5".parse().unwrap()).unwrap();
    for threads in [2, 8] {
        let [one, again, other] = [1, 1, 2].map(|seed| {
            let searched = on_virtual_threads(&start, threads, Schedule { quantum: 64, seed });
            assert_eq!(searched.0, Outcome::Loss);
            searched.1
        });
        assert_eq!(one, again);
        assert_ne!(one, other);
        let rarely = on_virtual_threads(&start, threads, Schedule { quantum: 700, seed: 1 });
        assert_ne!(one, rarely.1);
    }
}

#[test]
fn one_virtual_thread_does_what_one_thread_does() {
    for size in ["4x5", "4x6"] {
        let start = Position::start(size.parse().unwrap()).unwrap();
        let mut plain = solver(start.board(), 1 << 22, 1);
        let outcome = plain.solve(&start).unwrap().unwrap();
        for quantum in [0, 1, 64, 5000] {
            let schedule = Schedule { quantum, seed: 1 };
            assert_eq!(on_virtual_threads(&start, 1, schedule), (outcome, plain.nodes()));
        }
    }
}

#[test]
fn more_virtual_threads_than_positions_come_to_an_end() {
    let start = Position::start("4x4".parse().unwrap()).unwrap();
    let schedule = Schedule { quantum: 1, seed: 1 };
    assert_eq!(on_virtual_threads(&start, MOST_THREADS, schedule).0, Outcome::Loss);
}

/// Long searches do not stand still, where visits with and without sketches follow each other: with
/// one thread and with more, on a table that holds all and on one that forgets.
#[test]
fn a_long_search_comes_to_its_end() {
    let start = Position::start("4x7".parse().unwrap()).unwrap();
    let (seeds, settings) = if long_tests() { (8, 4) } else { (1, 1) };
    let all = [(4, 1 << 21), (2, 1 << 27), (1, 1 << 21), (4, 1 << 27)];
    for (threads, table_bytes) in all.into_iter().take(settings) {
        for seed in 1..=seeds {
            let settings = Settings { table_bytes, threads, seed };
            let mut solver = Solver::new(start.board(), settings, StopFlag::new()).unwrap();
            assert_eq!(solver.solve(&start).unwrap(), Some(Outcome::Win));
            assert!(solver.nodes() > 1 << 18, "{} positions", solver.nodes());
        }
    }
}

#[test]
fn a_stopped_search_has_no_verdict() {
    let board: Board = "5x5".parse().unwrap();
    let start = crate::game::rules::start(board).unwrap();
    for threads in [1, 2] {
        let soon = std::time::Instant::now() + std::time::Duration::from_millis(20);
        assert_eq!(
            solver(board, 1 << 22, threads).with_deadline(Some(soon)).solve(&start).unwrap(),
            None
        );
    }
}

/// Fills the table as far as a search would.
fn fill(solver: &Solver<'_>) {
    // Far apart, for neighbours share a bucket.
    let mut keys =
        (1u64..).map(|n| Key::from_value((n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 4).into()));
    while !solver.table.is_nearly_full() {
        solver.table.store(keys.next().unwrap(), 0, Numbers::solved(Outcome::Win), 1);
    }
}

/// Else no search would begin whose time is shorter than it takes to clear a large table.
#[test]
fn searches_that_have_no_time_make_room_for_the_next() {
    let start = Position::start("5x5".parse().unwrap()).unwrap();
    let position = start.bitboards().unwrap();
    let (most, now) = (1 << 24, std::time::Instant::now());
    // It is done at once; where the deadline is over, for the search after.
    for (deadline, searches) in [(None, 1), (Some(now), 2)] {
        let mut solver = solver(start.board(), most, 1).with_deadline(deadline);
        // The table grows to its full size, then entries of it are freed.
        for grows in [true, false, false] {
            fill(&solver);
            let before = solver.table.bytes();
            for search in 1..=searches {
                assert!(solver.table.is_nearly_full());
                assert_eq!(solver.attempt(&position, 0, |_| None).unwrap(), None);
                assert_eq!(solver.table.is_nearly_full(), search < searches);
            }
            assert_eq!((before < most, solver.table.bytes() > before), (grows, grows));
        }
    }
}
