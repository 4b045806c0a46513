//! Speed of move generation: leaves per second of bulk-counted perft, one thread. Each measurement
//! asserts its count, so a faster wrong answer fails.
//!
//! `cargo bench --bench perft`; figures with their machine are in `results/runs/`.

use std::hint::black_box;

use amazons::game::board::{Board, Word};
use amazons::game::perft;
use amazons::game::rules::{self, Rules};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn measure<W: Word>(criterion: &mut Criterion, board: &str, depth: u32, leaves: u64) {
    let board: Board = board.parse().expect("a board");
    let rules = Rules::<W>::new(board).expect("a board that fits the word");
    let start = rules::start(board)
        .expect("a board with a start")
        .bitboards()
        .expect("a board that fits the word");
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(leaves)).sample_size(20);
    group.bench_function(format!("{board} depth {depth}, {} bits", W::BITS), |bencher| {
        bencher.iter(|| {
            let counted = perft::perft(&rules, black_box(&start), depth);
            assert_eq!(counted, leaves);
            counted
        });
    });
    group.finish();
}

fn generation(criterion: &mut Criterion) {
    measure::<u64>(criterion, "4x4", 3, 139_500);
    measure::<u64>(criterion, "5x5", 3, 7_940_210);
    measure::<u64>(criterion, "6x6", 3, 91_074_224);
    measure::<u128>(criterion, "6x6", 3, 91_074_224);
    measure::<u128>(criterion, "10x10", 2, 4_307_152);
}

criterion_group!(benches, generation);
criterion_main!(benches);
