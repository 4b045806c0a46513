//! The backward kernel on 5x5 boards: placements a second on one thread, symmetric copies counted.
//!
//! Arrow sets are spread over the tier. Children are synthetic: bits that are set five times in
//! eight, like real ones, but without their structure, which the kernel does not look at. A quarter
//! of the children has to be turned, as in a real tier. What is asserted: every instruction set
//! finds the same number of wins.

use std::sync::Arc;
use std::time::Duration;

use amazons::game::board::{Bitboard, Board};
use amazons::tables::index::{CanonicalSets, Images, TableRules, TierShape};
use amazons::tables::retrograde::kernel::{BoardTables, Child, TierKernel, Workspace};
use amazons::tables::retrograde::{InstructionSet, SLACK};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::rngs::SmallRng;
use rand::{RngCore, SeedableRng};

/// Arrow sets solved in one iteration.
const SAMPLE: usize = 8;

/// A kernel and what it needs to run on a sample of its tier.
struct Sample {
    tables: Arc<BoardTables<u32>>,
    shape: TierShape,
    sets: Vec<u32>,
    images: Images<u32>,
    /// Two children in turn.
    blocks: [Vec<u8>; 2],
}

impl Sample {
    fn new(board: Board, arrows: usize, amazons: usize) -> Self {
        let images = Images::new(board).unwrap();
        let all = CanonicalSets::new(board, arrows).unwrap();
        let sets = (0..SAMPLE).map(|i| all.get(i * all.len() / SAMPLE)).collect();
        let tables = Arc::new(BoardTables::new(TableRules::Amazons, images.clone()));
        let shape = TierShape::new(board, arrows, amazons, amazons).unwrap();
        let kernel = TierKernel::new(tables.clone(), &shape, InstructionSet::PORTABLE);
        let mut random = SmallRng::seed_from_u64(1);
        let mut block = || {
            let bytes = kernel.child_bytes()[0] + SLACK;
            (0..bytes)
                .map(|_| (random.next_u32() | random.next_u32() & random.next_u32() >> 8) as u8)
                .collect()
        };
        let blocks = [block(), block()];
        Self { tables, shape, sets, images, blocks }
    }

    fn placements(&self) -> u64 {
        8 * SAMPLE as u64 * self.shape.placements()
    }

    fn kernel(&self, isa: InstructionSet) -> TierKernel<u32> {
        TierKernel::new(self.tables.clone(), &self.shape, isa)
    }

    /// Solves the sample; returns the wins. With `turned`, children lie as they do in a real tier;
    /// else none has to be turned.
    fn solve(
        &self,
        kernel: &TierKernel<u32>,
        turned: bool,
        work: &mut Workspace<u32>,
        out: &mut [u8],
    ) -> u64 {
        let mut wins = 0;
        for &arrows in &self.sets {
            let free = self.images.board().all::<u64>().without(Bitboard::from_word(arrows.into()));
            let child = |(i, square): (usize, amazons::game::board::SquareIndex)| Child {
                block: &self.blocks[i % 2],
                symmetry: if turned {
                    self.images.canonical(arrows | 1 << square.index()).symmetry
                } else {
                    0
                },
            };
            let children: Vec<Child<'_>> = free.iter().enumerate().map(child).collect();
            wins += kernel.solve(arrows, &children, out, work);
        }
        wins
    }
}

fn kernel(criterion: &mut Criterion) {
    let board: Board = "5x5".parse().unwrap();
    let mut group = criterion.benchmark_group("kernel-5x5");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    for (amazons, arrows) in [(4, 6), (4, 7), (4, 8), (4, 9), (4, 10), (3, 9), (2, 11), (1, 12)] {
        let sample = Sample::new(board, arrows, amazons);
        let (mut work, mut wins) = (Workspace::default(), None);
        group.throughput(Throughput::Elements(sample.placements()));
        for isa in InstructionSet::available() {
            let kernel = sample.kernel(isa);
            let mut out = vec![0; kernel.block_bytes() + SLACK];
            let fast = isa == InstructionSet::detect();
            if !fast && amazons == 4 && arrows != 10 {
                continue;
            }
            let found = sample.solve(&kernel, true, &mut work, &mut out);
            assert_eq!(
                *wins.get_or_insert(found),
                found,
                "{amazons}v{amazons} tier {arrows} with {isa:?}"
            );
            for turned in [false, true] {
                let name = format!(
                    "{amazons}v{amazons}/tier {arrows}/{isa:?}{}",
                    if turned { "/turned" } else { "" }
                );
                group.bench_function(name, |bench| {
                    bench.iter(|| sample.solve(&kernel, turned, &mut work, &mut out))
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, kernel);
criterion_main!(benches);
