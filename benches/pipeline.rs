//! Everything that solving one arrow set of 5x5 with four amazons a side costs: decoding its
//! children, turning those that are stored under a symmetry, the kernel, encoding and hashing the
//! result. Placements a second on one thread, symmetric copies counted; run it on all cores at once
//! to see what they leave each other.
//!
//! The sets are spread over the tier. Children are made by comparing what the two sides' amazons
//! see, with noise enough to compress no better than real blocks do (0.45 bits and more a position,
//! asserted). `decoded` says what share of the children has to be decoded; the others are in the
//! cache. What is asserted: decoding gives back the children. With `-- --test` that is one set of
//! the two smaller tiers.

use std::sync::Arc;
use std::time::Duration;

use amazons::game::board::{Bitboard, Board, Rays};
use amazons::tables::counting::colex;
use amazons::tables::format::{Decoder, Encoder, Frames};
use amazons::tables::index::{CanonicalSets, TableRules, TierShape};
use amazons::tables::retrograde::kernel::{BoardTables, Child, TierKernel, Workspace};
use amazons::tables::retrograde::{InstructionSet, SLACK};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// One arrow set with its children, encoded and not.
struct Set {
    arrows: u32,
    children: Vec<StoredBlock>,
}

/// A block as it is in memory and in its file.
struct StoredBlock {
    raw: Vec<u8>,
    /// Frame number and encoded frame.
    frames: Vec<(u64, Vec<u8>)>,
    symmetry: usize,
}

/// A block in which who sees more usually wins.
fn plausible_block(shape: &TierShape, arrows: u32) -> Vec<u8> {
    let board = shape.board();
    let rays = Rays::<u64>::new(board).unwrap();
    let free = board.all::<u64>().without(Bitboard::from_word(arrows.into()));
    let seen: Vec<i32> = free.iter().map(|square| rays.reach(square, free).len() as i32).collect();
    let sum = |placement: u32| -> i32 {
        (0..32).filter(|i| placement >> i & 1 != 0).map(|i| seen[i]).sum()
    };
    let mut block = vec![0; shape.block_bytes() + SLACK];
    let all = (1u32 << shape.free()) - 1;
    for (row, mover) in colex::subsets::<u32>(shape.free(), shape.mover()).enumerate() {
        let others: Vec<u32> =
            (0..shape.free() as u32).filter(|i| (all & !mover) >> i & 1 != 0).collect();
        for (column, packed) in colex::subsets::<u32>(others.len(), shape.opponent()).enumerate() {
            let opponent = (0..others.len())
                .filter(|i| packed >> i & 1 != 0)
                .fold(0u32, |set, i| set | 1 << others[i]);
            let noise =
                mover.wrapping_mul(0x9e37_79b9) ^ opponent.wrapping_mul(0x85eb_ca6b) ^ arrows;
            let noise = (noise ^ noise >> 15).wrapping_mul(0x2c1b_3c6d) >> 28;
            if sum(mover) - sum(opponent) + noise as i32 > 6 {
                block[row * shape.row_bytes() + column / 8] |= 1 << (column % 8);
            }
        }
    }
    block
}

/// So many arrow sets of a tier, and the frames of their children.
fn sample(board: Board, arrows: usize, count: usize) -> (Vec<Set>, Frames) {
    let sets = CanonicalSets::<u32>::new(board, arrows).unwrap();
    let below = CanonicalSets::new(board, arrows + 1).unwrap();
    let shape = TierShape::new(board, arrows + 1, 4, 4).unwrap();
    let frames = Frames::new(shape, below.len() as u64, Frames::TARGET);
    let mut encoder = Encoder::new(frames).unwrap();
    let mut child = |arrows: u32| {
        let canonical = sets.images().canonical(arrows);
        let raw = plausible_block(&shape, canonical.arrows);
        let rank = below.rank(canonical.arrows).unwrap() as u64;
        let (mut rest, mut encoded) = (&raw[..shape.block_bytes()], Vec::new());
        for frame in frames.of_block(rank) {
            let (part, after) = rest.split_at(frames.bytes(frame));
            let mut out = Vec::new();
            encoder.encode(frame, part, &mut out).unwrap();
            encoded.push((frame, out));
            rest = after;
        }
        StoredBlock { raw, frames: encoded, symmetry: canonical.symmetry }
    };
    let set = |i: usize| {
        let arrows = sets.get(i * sets.len() / count);
        let free = board.all::<u64>().without(Bitboard::from_word(arrows.into()));
        let children: Vec<StoredBlock> =
            free.iter().map(|square| child(arrows | 1 << square.index())).collect();
        Set { arrows, children }
    };
    let found: Vec<Set> = (0..count).map(set).collect();
    let blocks = found.iter().flat_map(|set| &set.children);
    let bytes: usize =
        blocks.clone().flat_map(|block| &block.frames).map(|(_, encoded)| encoded.len()).sum();
    let bits = 8.0 * bytes as f64 / (blocks.count() as f64 * shape.placements() as f64);
    assert!(
        bits > 0.45,
        "tier {arrows}: children take {bits:.2} bits a position, less than real ones"
    );
    (found, frames)
}

fn pipeline(criterion: &mut Criterion) {
    let board: Board = "5x5".parse().unwrap();
    let mut group = criterion.benchmark_group("pipeline-5x5-4v4");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    let test = std::env::args().any(|argument| argument == "--test");
    // Whole blocks make a frame or several here; smaller ones share frames.
    let (tiers, count): (&[usize], _) = if test { (&[8, 7], 1) } else { (&[8, 7, 6], 4) };
    for &arrows in tiers {
        let (sets, frames) = sample(board, arrows, count);
        let shape = TierShape::new(board, arrows, 4, 4).unwrap();
        let tables = Arc::new(BoardTables::new(
            TableRules::Amazons,
            CanonicalSets::<u32>::new(board, 0).unwrap().images().clone(),
        ));
        let kernel = TierKernel::new(tables, &shape, InstructionSet::detect());
        group.throughput(Throughput::Elements(8 * sets.len() as u64 * shape.placements()));
        for decoded in [1.0, 0.5] {
            let mut solver = OneThread::new(&kernel, frames, shape);
            group.bench_function(format!("tier {arrows}/decoded {decoded}"), |bench| {
                bench.iter(|| sets.iter().map(|set| solver.solve(set, decoded)).sum::<u64>());
            });
        }
    }
    group.finish();
}

/// What one thread has at hand.
struct OneThread<'a> {
    kernel: &'a TierKernel<u32>,
    frames: Frames,
    decoder: Decoder,
    encoder: Encoder,
    own: Frames,
    work: Workspace<u32>,
    buffers: Vec<Vec<u8>>,
    out: Vec<u8>,
}

impl<'a> OneThread<'a> {
    fn new(kernel: &'a TierKernel<u32>, frames: Frames, shape: TierShape) -> Self {
        let own = Frames::new(shape, 1, Frames::TARGET);
        Self {
            kernel,
            frames,
            decoder: Decoder::new(frames).unwrap(),
            encoder: Encoder::new(own).unwrap(),
            own,
            work: Workspace::default(),
            buffers: Vec::new(),
            out: vec![0; kernel.block_bytes() + SLACK],
        }
    }

    fn solve(&mut self, set: &Set, decoded: f64) -> u64 {
        let count = (set.children.len() as f64 * decoded) as usize;
        self.buffers.resize(set.children.len(), Vec::new());
        for (block, buffer) in set.children.iter().zip(&mut self.buffers).take(count) {
            buffer.resize(block.raw.len(), 0);
            let mut rest = &mut buffer[..block.raw.len() - SLACK];
            for (frame, encoded) in &block.frames {
                let (part, after) = rest.split_at_mut(self.frames.bytes(*frame));
                self.decoder.decode(*frame, encoded, part).unwrap();
                rest = after;
            }
            assert_eq!(*buffer, block.raw);
        }
        let children: Vec<Child<'_>> = set
            .children
            .iter()
            .zip(&self.buffers)
            .enumerate()
            .map(|(i, (block, buffer))| Child {
                block: if i < count { buffer } else { &block.raw },
                symmetry: block.symmetry,
            })
            .collect();
        let wins = self.kernel.solve(set.arrows, &children, &mut self.out, &mut self.work);
        let (mut encoded, mut rest) = (Vec::new(), &self.out[..self.kernel.block_bytes()]);
        blake3::hash(rest);
        for frame in self.own.of_block(0) {
            let (part, after) = rest.split_at(self.own.bytes(frame));
            self.encoder.encode(frame, part, &mut encoded).unwrap();
            rest = after;
        }
        wins + encoded.len() as u64
    }
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
