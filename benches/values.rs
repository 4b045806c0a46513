//! Canonical values of whole classes of local positions, one thread, each time from an empty
//! memory.
//!
//! The counts of positions and of distinct values are asserted, so a faster wrong answer does not
//! pass.

use amazons::theory::region::{Cell, LocalGame, Player};
use amazons::theory::values::{Evaluator, Value};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Every position with one amazon a side and at least `burned` burned squares in a box.
fn positions(columns: usize, rows: usize, burned: u32) -> Vec<LocalGame> {
    let squares = columns * rows;
    let mut positions = Vec::new();
    for left in 0..squares {
        for right in (0..squares).filter(|&right| right != left) {
            for set in 0u32..1 << squares {
                if set.count_ones() >= burned && set & (1 << left | 1 << right) == 0 {
                    let cells: Vec<_> = (0..squares)
                        .filter(|&square| set >> square & 1 == 0)
                        .map(|square| {
                            (square / columns, square % columns, cell(square, left, right))
                        })
                        .collect();
                    positions.extend(LocalGame::from_cells(&cells));
                }
            }
        }
    }
    positions
}

fn cell(square: usize, left: usize, right: usize) -> Cell {
    match square {
        s if s == left => Cell::Amazon(Player::Left),
        s if s == right => Cell::Amazon(Player::Right),
        _ => Cell::Empty,
    }
}

/// All values from an empty memory; how many different ones there are.
fn distinct(positions: &[LocalGame]) -> usize {
    let evaluator = Evaluator::new();
    let mut values: Vec<Value> =
        positions.iter().map(|game| evaluator.value(game).unwrap()).collect();
    values.sort_unstable();
    values.dedup();
    values.len()
}

fn values(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("values");
    group.sample_size(10);
    for (name, columns, rows, burned, count, different) in
        [("3x3 1v1", 3, 3, 0, 9_216, 339), ("3x4 1v1, 4 or more burned", 3, 4, 4, 111_936, 6_027)]
    {
        let positions = positions(columns, rows, burned);
        assert_eq!(positions.len(), count);
        assert_eq!(distinct(&positions), different);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(name, |bencher| bencher.iter(|| distinct(&positions)));
    }
    group.finish();
}

criterion_group!(benches, values);
criterion_main!(benches);
