//! Ranks as threads, held against the naive solver and against one process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex as Lock};
use std::time::Duration;

use proptest::prelude::*;

use super::graph::Place;
use super::*;
use crate::game::board::{Bitboard, Board, SquareIndex};
use crate::game::naive::NaiveSolver;
use crate::game::rules::{Bitboards, Colour, Rules, start};
use crate::machine::progress::StopFlag;
use crate::machine::ranks::{Ending, StopFlags, in_threads, in_threads_cut};
use crate::search::Settings;

const SIZES: [usize; 4] = [1, 2, 3, 7];
/// As few positions as threads can keep to, so that small searches are divided too.
const SMALL: Budget = Budget { positions: 1, time: None, graph: 1 << 20, waiting: 1 << 10 };

fn settings(table_bytes: u64) -> Settings {
    Settings { table_bytes, threads: 1, seed: 1 }
}

/// What so many ranks find, and what rank 0's solver knows then; by files if there are any.
fn found(
    size: usize,
    position: &Position,
    table_bytes: u64,
    budget: Budget,
    after: impl Fn(&Ranks, &mut Solver<'_>) + Sync,
) -> (Option<Outcome>, Vec<JobDone>) {
    let found = Lock::new((None, Vec::new()));
    let ended = in_threads(size, |ranks| {
        let (stop, halt) = (StopFlag::new(), StopFlag::new());
        let solver = Solver::new(position.board(), settings(table_bytes), halt.clone());
        let (mut solver, mut jobs) = (solver.unwrap(), Vec::new());
        let flags = StopFlags { stop: &stop, halt: &halt };
        let outcome =
            solver.solve_on(ranks, position, budget, flags, |_| None, |job| jobs.push(job));
        let outcome = outcome.unwrap();
        let mut solver = solver.with_stop(StopFlag::new());
        after(ranks, &mut solver);
        if ranks.is_first() {
            *found.lock().unwrap() = (outcome, jobs);
        } else {
            assert_eq!(ranks.size(), size);
        }
        Ending::Done
    });
    assert_eq!(ended, Ending::Done);
    found.into_inner().unwrap()
}

/// Random cases of a test.
fn cases() -> u32 {
    if crate::machine::long::long_tests() { 5000 } else { 250 }
}

fn shuffled() -> impl Strategy<Value = Vec<usize>> {
    Just((0..64).collect::<Vec<_>>()).prop_shuffle()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]
    #[test]
    fn ranks_find_what_the_naive_solver_finds(
        size in prop::sample::select(vec!["3x4", "4x4", "5x4", "9x2", "6x6"]),
        order in shuffled(), mover in 0..=4usize, opponent in 1..=4usize, empty in 0..=7usize, small: bool,
    ) {
        let board: Board = size.parse().unwrap();
        // The squares in use lie together, else nearly nothing would be connected.
        let near: Vec<SquareIndex> = board.all::<u64>().iter()
            .filter(|&s| board.file(s) < 5 && board.rank(s) < 4).collect();
        let order: Vec<SquareIndex> = order.into_iter().filter_map(|at| near.get(at).copied()).collect();
        let set = |squares: &[SquareIndex]| squares.iter().copied().collect::<Bitboard>();
        let amazons = mover + opponent;
        let used = (amazons + empty).min(order.len());
        let position = Bitboards {
            mover: set(&order[..mover]),
            opponent: set(&order[mover..amazons]),
            arrows: board.all::<u64>().without(set(&order[..used])),
        };
        let expected = NaiveSolver::new(Rules::new(board).unwrap()).outcome(&position);
        let coloured = Position::new(board, &position, Colour::White).unwrap();
        let table = if small { 4096 } else { 1 << 20 };
        for ranks in SIZES {
            let (outcome, _) = found(ranks, &coloured, table, SMALL, |_, _| ());
            prop_assert_eq!(outcome, Some(expected), "{} ranks", ranks);
        }
    }
}

#[test]
fn a_search_goes_on_without_a_rank_that_is_cut_off() {
    // It takes dozens of jobs, so that there is one for each rank.
    let start = start("4x5".parse().unwrap()).unwrap();
    let cut: Vec<Arc<AtomicBool>> = (0..3).map(|_| Arc::default()).collect();
    let ended = in_threads_cut(&cut, Duration::from_secs(1), |ranks| {
        let (stop, halt) = (StopFlag::new(), StopFlag::new());
        let solver = Solver::new(start.board(), settings(1 << 22), halt.clone());
        let mut solver = solver.unwrap();
        let (is_cut, mut turns) = (ranks.rank() == 1, 0);
        let between = |_: &Solver<'_>| {
            turns += 1;
            if is_cut {
                cut[1].store(true, Ordering::Relaxed);
            }
            // The others leave it a job, of which there are enough after some.
            while turns > 9 && !cut[1].load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            None
        };
        let outcome = solver.solve_on(
            ranks,
            &start,
            SMALL,
            StopFlags { stop: &stop, halt: &halt },
            between,
            |_| (),
        );
        assert_eq!(outcome.unwrap(), Some(Outcome::Loss));
        assert!(!ranks.is_first() || ranks.lost().contains(&1));
        Ending::Done
    });
    assert_eq!(ended, Ending::Done);
}

#[test]
fn starts_are_solved_by_many_ranks_in_many_jobs() {
    for (board, expected) in [("5x4", Outcome::Win), ("4x5", Outcome::Loss)] {
        let start = start(board.parse().unwrap()).unwrap();
        for ranks in SIZES {
            let (outcome, jobs) = found(ranks, &start, 1 << 22, SMALL, |ranks, solver| {
                // Rank 0 can say by which move, without a search.
                if ranks.is_first() {
                    let before = solver.nodes();
                    let root = start.bitboards().unwrap();
                    assert_eq!(solver.proved(&root), Some(expected));
                    let wins = solver.winning_move(&root, |_| None).unwrap();
                    assert!(
                        expected == Outcome::Loss || wins.is_some() && solver.nodes() == before
                    );
                }
            });
            assert_eq!(outcome, Some(expected));
            // The larger board takes seventy thousand positions, a job one or two thousand.
            assert!(board == "5x4" || if ranks == 1 { jobs.len() == 1 } else { jobs.len() > 10 });
        }
    }
}

#[test]
fn what_rests_on_the_digest_of_one_rank_rests_on_it_everywhere() {
    let start = start("5x4".parse().unwrap()).unwrap();
    for resting in [None, Some(1)] {
        let ended = in_threads(2, |ranks| {
            let (stop, halt) = (StopFlag::new(), StopFlag::new());
            let solver = Solver::new(start.board(), settings(1 << 22), halt.clone());
            let mut solver = solver.unwrap();
            solver.rests_on_digest = resting == Some(ranks.rank());
            let flags = StopFlags { stop: &stop, halt: &halt };
            let solved = solver.solve_on(ranks, &start, SMALL, flags, |_| None, |_| ());
            assert_eq!(solved.unwrap(), Some(Outcome::Win));
            assert_eq!(solver.rests_on_digest(), resting.is_some(), "{}", ranks.rank());
            Ending::Done
        });
        assert_eq!(ended, Ending::Done);
    }
}

#[test]
fn one_rank_searches_as_without_others() {
    let start = start("5x4".parse().unwrap()).unwrap();
    let mut alone = Solver::new(start.board(), settings(1 << 22), StopFlag::new()).unwrap();
    assert_eq!(alone.solve(&start).unwrap(), Some(Outcome::Win));
    let (_, jobs) = found(1, &start, 1 << 22, Budget::default(), |_, _| ());
    assert_eq!(jobs[0].total, alone.nodes());
}

#[test]
fn what_was_stopped_goes_on_with_other_ranks_from_the_table_of_rank_0() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("checkpoint");
    let start = start("4x5".parse().unwrap()).unwrap();
    let budget = SMALL;
    // Somebody asks to stop after some jobs.
    let most = 12;
    let ended = in_threads(3, |ranks| {
        let (stop, halt) = (StopFlag::new(), StopFlag::new());
        let solver = Solver::new(start.board(), settings(1 << 22), halt.clone());
        let (mut solver, mut jobs) = (solver.unwrap(), 0);
        let stopped = solver.solve_on(
            ranks,
            &start,
            budget,
            StopFlags { stop: &stop, halt: &halt },
            |_| None,
            |_| {
                jobs += 1;
                if jobs == most {
                    stop.stop();
                }
            },
        );
        assert!(matches!(stopped, Err(Unfinished::Stopped)));
        if ranks.is_first() {
            solver.save(&path, &start).unwrap();
        }
        Ending::Done
    });
    assert_eq!(ended, Ending::Done);
    for ranks in [1, 2, 5] {
        let ended = in_threads(ranks, |ranks| {
            let (stop, halt) = (StopFlag::new(), StopFlag::new());
            let solver = Solver::new(start.board(), settings(1 << 22), halt.clone());
            let mut solver = solver.unwrap();
            if ranks.is_first() {
                solver.load(&path, &start).unwrap();
                assert!(solver.nodes() > 0);
            }
            let flags = StopFlags { stop: &stop, halt: &halt };
            let outcome = solver.solve_on(ranks, &start, budget, flags, |_| None, |_| ());
            assert_eq!(outcome.unwrap(), Some(Outcome::Loss));
            Ending::Done
        });
        assert_eq!(ended, Ending::Done);
    }
}

#[test]
fn a_graph_begins_with_what_the_table_has_worked_on() {
    let start = start("4x5".parse().unwrap()).unwrap();
    let mut solver = Solver::new(start.board(), settings(1 << 22), StopFlag::new()).unwrap();
    let Reduced::Open { sum, key, .. } = solver.reduce(&start.bitboards().unwrap()) else {
        panic!("no bound decides the start")
    };
    let place = (key, sum.spare);
    let grown = |solver: &Solver<'_>, most| {
        let mut graph = Graph::new(place);
        graph.grow(solver, most);
        graph.len()
    };
    let moves = grown(&solver, usize::MAX);
    assert!(moves > 1);
    let node = node_of(&solver, place);
    let thresholds = Numbers::UNREACHED;
    let numbers = solver.search_node(node, thresholds, 20_000, &mut |_| None).unwrap();
    assert_eq!(numbers.verdict(), None);
    let all = grown(&solver, usize::MAX);
    assert!(all > 2 * moves, "{all} of {moves}");
    // The children of the root are there in any case, but for those that are solved by now.
    assert!((2..=moves).contains(&grown(&solver, 0)));
}

/// A graph of places that mean nothing.
fn place(number: u8) -> Place {
    (Key::from_value(number.into()), 0)
}

fn numbers(proof: u32, disproof: u32) -> Numbers {
    Numbers { proof, disproof }
}

#[test]
fn what_is_found_of_a_position_counts_for_all_its_parents() {
    let mut graph = Graph::new(place(0));
    let way = graph.take_leaf().unwrap();
    assert!(graph.take_leaf().is_none(), "the only leaf is at work");
    graph.give_back(&way, 10);
    let children = |list: &[(u8, u32, u32)]| {
        list.iter().map(|&(at, p, d)| (place(at), numbers(p, d))).collect::<Vec<_>>()
    };
    graph.record(&way, numbers(20, 20), children(&[(1, 30, 40), (2, 50, 60)]));
    // The least disproof number; the greatest proof number and half of what is beside it.
    assert_eq!(graph.numbers(), numbers(40, 50));
    let [first, second] = [(); 2].map(|()| graph.take_leaf().unwrap());
    let leaves = [graph.leaf(&first), graph.leaf(&second)];
    assert!(leaves.contains(&place(1)) && leaves.contains(&place(2)), "ranks part");
    // Both have the same child.
    for (way, other) in [(&first, 4), (&second, 5)] {
        graph.give_back(way, 10);
        graph.record(way, numbers(9, 9), children(&[(3, 70, 80), (other, 90, 100)]));
    }
    assert_eq!(graph.len(), 6);
    graph.learn(place(3), Outcome::Loss);
    // Each parent wins by it, so the root loses.
    assert_eq!(graph.outcome(), Some(Outcome::Loss));
    assert!(graph.take_leaf().is_none());
    // What is solved stays solved.
    graph.record(&first, numbers(1, 1), children(&[(6, 1, 1)]));
    assert_eq!(graph.outcome(), Some(Outcome::Loss));
    let news = graph.news();
    let of = |at| news.iter().find(|(key, _)| *key == place(at).0).unwrap().1;
    assert_eq!(of(0).bounds.verdict(0), Some(Outcome::Loss));
    assert_eq!(of(1).bounds.verdict(0), Some(Outcome::Win));
    assert!(graph.news().is_empty());
}

#[test]
fn a_child_that_lies_deeper_too_is_heard_by_both_ways() {
    let mut graph = Graph::new(place(0));
    let way = graph.take_leaf().unwrap();
    graph.give_back(&way, 10);
    graph.record(
        &way,
        numbers(1, 1),
        vec![(place(1), numbers(30, 40)), (place(2), numbers(50, 60))],
    );
    let to_1 = graph.take_leaf().unwrap();
    // 0 has the children 1 and 2, 2 has 3, and 3 has 1 and 4.
    for (at, children) in [
        (2, vec![(place(3), numbers(7, 9))]),
        (3, vec![(place(1), numbers(30, 40)), (place(4), numbers(90, 100))]),
    ] {
        let way = graph.take_leaf().unwrap();
        assert_eq!(graph.leaf(&way), place(at));
        graph.give_back(&way, 10);
        graph.record(&way, numbers(1, 1), children);
    }
    assert_eq!(graph.numbers(), numbers(40, 90));
    graph.give_back(&to_1, 10);
    assert_eq!(graph.leaf(&to_1), place(1));
    graph.record(&to_1, numbers(200, 300), Vec::new());
    // 3 says (100, 200), so 2 says (200, 100).
    assert_eq!(graph.numbers(), numbers(100, 200));
}

#[test]
fn thresholds_let_a_child_rise_as_far_as_the_search_would() {
    let mut graph = Graph::new(place(0));
    let way = graph.take_leaf().unwrap();
    assert_eq!(way.thresholds, Numbers::UNREACHED);
    graph.give_back(&way, 10);
    let children = vec![(place(1), numbers(30, 40)), (place(2), numbers(50, 64))];
    graph.record(&way, numbers(20, 20), children);
    let way = graph.take_leaf().unwrap();
    assert_eq!(graph.leaf(&way), place(1));
    // The second best, three quarters of a square and an eighth of it above; and what is left to a
    // proof of the root.
    assert_eq!(way.thresholds.disproof, 64 + 12 + 8);
    assert_eq!(way.thresholds.proof, 30 + Numbers::UNREACHED.disproof - graph.numbers().disproof);
}
