//! Speed of the game player, one thread: static evaluations of all positions after one move, and a
//! search of two moves. Each measurement asserts what it computed, so a faster wrong answer fails.
//!
//! `cargo bench --bench play`; figures with their machine are in `results/runs/`.

use amazons::game::board::Board;
use amazons::game::rules::{self, Position, Rules};
use amazons::machine::progress::StopFlag;
use amazons::play::{Engine, Limits, Settings};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// All positions after one move of a start position.
fn children(board: Board) -> Vec<Position> {
    let start = rules::start(board).expect("a start position");
    let rules = Rules::<u128>::new(board).expect("every board fits 128 bits");
    let plain = start.bitboards().expect("every board fits 128 bits");
    let after = |played| {
        let child = rules.play_unchecked(&plain, played);
        Position::new(board, &child, start.turn().other()).expect("a legal position")
    };
    rules.moves(&plain).into_iter().map(after).collect()
}

fn evaluations(criterion: &mut Criterion, board: &str, sum: i64) {
    let board: Board = board.parse().expect("a board");
    let (positions, player) =
        (children(board), Engine::new(board, Settings::default()).expect("a player"));
    let mut group = criterion.benchmark_group("evaluate");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function(board.to_string(), |bencher| {
        bencher.iter(|| {
            let score = |position| {
                i64::from(player.evaluate(position).expect("the same board").hundredths())
            };
            assert_eq!(positions.iter().map(score).sum::<i64>(), sum);
        });
    });
    group.finish();
}

fn search(criterion: &mut Criterion, board: &str, (nodes, hundredths): (u64, i32)) {
    let start = rules::start(board.parse().expect("a board")).expect("a start position");
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    group.throughput(Throughput::Elements(nodes));
    group.bench_function(format!("{board}, two moves"), |bencher| {
        bencher.iter(|| {
            let mut player = Engine::new(start.board(), Settings::default()).expect("a player");
            let decision = player
                .choose(&start, &limits, &StopFlag::new(), &mut |_| {})
                .expect("the same board");
            assert_eq!((decision.nodes, decision.score.hundredths()), (nodes, hundredths));
        });
    });
    group.finish();
}

fn play(criterion: &mut Criterion) {
    evaluations(criterion, "6x6", 124_342);
    evaluations(criterion, "10x10", 41_508);
    search(criterion, "6x6", (3678, 261));
    search(criterion, "10x10", (11_174, 478));
}

criterion_group!(benches, play);
criterion_main!(benches);
