//! Tables: encoding and decoding frames, and looking positions up, on one thread.
//!
//! The content is real: 4x4 with three amazons a side is solved first, in a temporary directory.
//! What is asserted: decoded frames are encoded to bytes that decode to the same again, and
//! looked-up values equal those that follow from the moves.

use std::time::Duration;

use amazons::game::board::{Bitboard, Board};
use amazons::game::rules::{Bitboards, Colour, Position};
use amazons::machine::progress::StopFlag;
use amazons::tables::format::{Encoder, Table};
use amazons::tables::index::TierShape;
use amazons::tables::retrograde::{BuildOptions, build};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::rngs::StdRng;
use rand::seq::index::sample;
use rand::{Rng, SeedableRng};

fn table(directory: &tempfile::TempDir) -> Table {
    let (board, amazons) = ("4x4".parse().unwrap(), "3v3".parse().unwrap());
    let options = BuildOptions::new(1 << 30);
    build(directory.path(), board, amazons, &options, &(), &StopFlag::new()).unwrap();
    Table::open(directory.path()).unwrap()
}

fn frames(criterion: &mut Criterion, table: &Table) {
    let mut group = criterion.benchmark_group("frames");
    group.measurement_time(Duration::from_secs(2));
    for arrows in [2, 4, 5] {
        let shape = TierShape::new(table.board(), arrows, 3, 3).unwrap();
        let tier = table.stored().reader(&shape).unwrap().unwrap();
        let (mut encoder, mut decoder) =
            (Encoder::new(*tier.frames()).unwrap(), tier.decoder().unwrap());
        let mut raw = vec![0; tier.frames().bytes(0)];
        tier.read_frame(0, &mut decoder, &mut raw).unwrap();
        let mut encoded = Vec::new();
        encoder.encode(0, &raw, &mut encoded).unwrap();
        let mut again = vec![0; raw.len()];
        decoder.decode(0, &encoded, &mut again).unwrap();
        assert!(raw == again);

        group.throughput(Throughput::Bytes(raw.len() as u64));
        group.bench_function(BenchmarkId::new("encode", arrows), |bencher| {
            bencher.iter(|| {
                encoded.clear();
                encoder.encode(0, &raw, &mut encoded).unwrap();
            });
        });
        group.bench_function(BenchmarkId::new("decode", arrows), |bencher| {
            bencher.iter(|| decoder.decode(0, &encoded, &mut again).unwrap());
        });
    }
}

fn random_position(board: Board, random: &mut StdRng) -> Bitboards<u64> {
    let arrows = random.random_range(0..8);
    let squares = sample(random, board.squares(), 6 + arrows).into_vec();
    let set = |squares: &[usize]| squares.iter().fold(0u64, |set, square| set | 1 << square);
    let sets =
        [set(&squares[..3]), set(&squares[3..6]), set(&squares[6..])].map(Bitboard::from_word);
    Bitboards { mover: sets[0], opponent: sets[1], arrows: sets[2] }
}

fn coloured(board: Board, position: &Bitboards<u64>) -> Position {
    Position::new(board, position, Colour::White).unwrap()
}

fn lookups(criterion: &mut Criterion, table: &Table) {
    let mut random = StdRng::seed_from_u64(1);
    let positions: Vec<_> =
        (0..1000).map(|_| random_position(table.board(), &mut random)).collect();
    for position in &positions {
        let children = table
            .rules()
            .moves(position)
            .into_iter()
            .map(|m| table.rules().play_unchecked(position, m));
        let value =
            |position: &Bitboards<u64>| table.value(&coloured(table.board(), position)).unwrap();
        let wins = children.into_iter().any(|child| !value(&child).is_win());
        assert_eq!(value(position).is_win(), wins);
    }
    let positions: Vec<Position> =
        positions.iter().map(|position| coloured(table.board(), position)).collect();
    let mut group = criterion.benchmark_group("lookup");
    group
        .measurement_time(Duration::from_secs(2))
        .throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("warm", |bencher| {
        bencher.iter(|| {
            positions.iter().filter(|position| table.value(position).unwrap().is_win()).count()
        });
    });
}

fn all(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().unwrap();
    let table = table(&directory);
    frames(criterion, &table);
    lookups(criterion, &table);
}

criterion_group!(benches, all);
criterion_main!(benches);
