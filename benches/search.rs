//! Speed of the proof search: start positions, one thread, from an empty table. Each measurement asserts its verdict,
//! so a faster wrong answer fails.
//!
//! `cargo bench --bench search`; figures with their machine are in `results/runs/`.

use amazons::board::Board;
use amazons::progress::StopFlag;
use amazons::rules;
use amazons::search::{Settings, Solver};
use criterion::{Criterion, criterion_group, criterion_main};

fn measure(criterion: &mut Criterion, board: &str, wins: bool) {
    let board: Board = board.parse().expect("a board");
    let start = rules::start(board).expect("a start").position().expect("at most 64 squares");
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    group.bench_function(format!("{board}, one thread"), |bencher| {
        bencher.iter(|| {
            let mut solver =
                Solver::new(board, Settings::default(), StopFlag::new()).expect("memory for a small table");
            assert_eq!(solver.solve(&start).expect("memory for the table"), Some(wins));
            solver.nodes()
        });
    });
    group.finish();
}

fn search(criterion: &mut Criterion) {
    measure(criterion, "4x4", false);
    measure(criterion, "5x4", true);
    measure(criterion, "4x5", false);
}

criterion_group!(benches, search);
criterion_main!(benches);
